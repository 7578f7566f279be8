#define TOP 3
