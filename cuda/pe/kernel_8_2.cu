#include "cuda/pe/kernel.cuh"

namespace weft::pe_kernel {

WEFT_STEP_KERNEL(8, 2)

}  // namespace weft::pe_kernel
