#include "growth.h"
#include "../top.h"
#define STEPS (GROWTH + 1)
