#include "cuda/pe/kernel.cuh"

namespace weft::pe_kernel {

WEFT_STEP_KERNEL(24, 4)

}  // namespace weft::pe_kernel
