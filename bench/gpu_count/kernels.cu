#include "bench/gpu_count/shapes.hpp"
#include "cuda/pe/kernel.cuh"

WEFT_PE_SHAPES(WEFT_STEP_KERNEL)
