#define LONG
#define LEAF L
#define STEP (0.25 + /* not
   one */ 0.25)
#define max(a,b) (((a)>(b))?(a):(b))
