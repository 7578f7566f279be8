angle increment: 45
