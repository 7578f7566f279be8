angle increment: 22
tropism direction: 0.3,-1,0.2
initial elasticity: 0.2
elasticity increment: 0.03
