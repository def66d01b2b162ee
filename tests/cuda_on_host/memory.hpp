#pragma once

#include <cstddef>
#include <memory>

namespace weft::cuda_on_host {

struct FreeMemory {
  void operator()(std::byte* data) const;
};
using Memory = std::unique_ptr<std::byte, FreeMemory>;

/// Filled with kPoison; null where the system has none.
Memory poisoned_memory(std::size_t bytes, std::size_t alignment);

/// Fills this OS thread's __shared__ variables with kPoison.
void poison_shared_variables();

}  // namespace weft::cuda_on_host
