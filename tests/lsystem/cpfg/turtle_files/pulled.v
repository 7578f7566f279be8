angle increment: 25
tropism: T: 1 0 0 A: 60 I: 0.7 E: 0.2 S: 0.05
tropism: T: 0 1 0 E: 0.4 S: 0.1
tropism: T: 0.2 -1 0.3 I: 0.9 E: 0.05 S: 0.01
torque: T: 0 1 0.4 E: 0.1
