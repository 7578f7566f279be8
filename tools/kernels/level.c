/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which of x86-64's levels (System V ABI, 3.1.1) the processor and the system can: 2, 3 or 4; 0 on other machines. */

#if defined(_WIN32)
__declspec(dllexport)
#endif
int plant_dynamics_level(void);

#if defined(__x86_64__)
#include <cpuid.h>

static int has(unsigned found, unsigned wanted) { return (found & wanted) == wanted; }

int plant_dynamics_level(void) {
  unsigned a, b1, c1, d1, b7, c7, d7, c80, registers;
  if (!__get_cpuid(1, &a, &b1, &c1, &d1) || !has(c1, bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C)) return 2;
  if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7) || !has(b7, bit_BMI | bit_AVX2 | bit_BMI2)) return 2;
  if (!__get_cpuid(0x80000001, &a, &b1, &c80, &d1) || !has(c80, bit_LZCNT)) return 2;
  __asm__ volatile("xgetbv" : "=a"(registers) : "c"(0) : "edx"); /* what the system keeps of a thread's registers */
  if (!has(registers, 0x6)) return 2;                            /* xmm, ymm */
  if (!has(registers, 0xe6)) return 3;                           /* and zmm */
  return has(b7, bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL) ? 4 : 3;
}
#else
int plant_dynamics_level(void) { return 0; }
#endif
