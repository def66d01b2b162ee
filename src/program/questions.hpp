#pragma once

#include <cstdint>
#include <functional>

#include "program/allotment.hpp"

namespace weft::inline v0 {

/// A Design answers with this when a program function asks where its PE is.
struct Questions {
  std::function<int(const std::function<int(int x, int y)>&)> pick;
  int width = 0, height = 0;
  std::uint64_t design = 0;  ///< its id
  const Allotment* colors = nullptr;
};

}  // namespace weft::inline v0
