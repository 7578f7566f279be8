angle increment: 33
initial scale: 0.7
scale multiplier: 1.7
surface: l leaf.s 1.3
surface: m leaf.s 0.6
