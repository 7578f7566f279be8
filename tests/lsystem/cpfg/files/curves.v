angle increment: 30
initial line width: 3
line style: cylinder
curve: closed.con 40
curve: ends.con 40
curve: beyond.con 40
curve: pieces.con 40
