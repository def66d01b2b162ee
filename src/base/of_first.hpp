#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/first_error.hpp"
#include "weft/processes.hpp"

namespace weft::base {

/// What work() returns in the first process, in all of them: the others do no work. An Error that
/// it throws, all throw.
template <class F>
auto of_first(Processes& processes, const F& work) -> decltype(work()) {
  std::vector<std::byte> bytes;
  in_all(&processes, [&] {
    if (processes.rank() == 0) bytes = packed(work());
  });
  std::uint64_t size = bytes.size();
  processes.broadcast(0, std::as_writable_bytes(std::span(&size, 1)));
  bytes.resize(size);
  processes.broadcast(0, bytes);
  return unpacked<decltype(work())>(bytes);
}

}  // namespace weft::base
