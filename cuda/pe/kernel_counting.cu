#include "cuda/pe/kernel.cuh"

WEFT_STEP_KERNEL_OF(pe::CountingShape<pe::Shape<24, 4, true>>)
