angle increment: 22.5
