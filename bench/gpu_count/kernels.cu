#include "bench/gpu_count/shapes.hpp"
#include "cuda/pe/kernel.cuh"

namespace weft::pe_kernel {

WEFT_PE_SHAPES(WEFT_STEP_KERNEL)

}  // namespace weft::pe_kernel
