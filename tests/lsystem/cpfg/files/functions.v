angle increment: 27.3
initial line width: 0.4
function: hill.func
function: slope.func 50
curve: arc.con 60
