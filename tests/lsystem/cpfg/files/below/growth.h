#define GROWTH 1
