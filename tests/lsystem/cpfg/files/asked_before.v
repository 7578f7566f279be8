angle increment: 45
environment display: before
