angle increment: 30
tropism direction: 1,2,0.5
initial elasticity: 0
elasticity increment: 0.05
tropism: T: 0 -1 0 E: 0.1 S: 0.02
tropism: T: 0.3 1 0.2 A: 70 I: 0.8
torque: T: 0 1 0.4
tropism: T: 0 1 0 A:90
