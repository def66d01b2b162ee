#include <sched.h>

#include "weft/fabric.hpp"

namespace weft::inline v0 {

int available_cores() noexcept {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  // It fails on hosts of more cores than the set holds only.
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : CPU_SETSIZE;
}

}  // namespace weft::inline v0
