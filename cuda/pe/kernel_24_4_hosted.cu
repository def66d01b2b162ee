#include "cuda/pe/kernel.cuh"

WEFT_STEP_KERNEL(24, 4, true)
