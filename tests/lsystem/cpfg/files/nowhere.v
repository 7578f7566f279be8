angle increment: 30
