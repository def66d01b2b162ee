#include "cuda/pe/kernel.cuh"

WEFT_STEP_KERNEL(8, 4, true)
