#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/mesh.hpp"

namespace weft::test {

/// The facts that a fault must tell; no detail: any.
struct ExpectedFault {
  FaultKind kind;
  std::uint64_t cycle;
  int x, y, color;
  std::optional<std::int64_t> detail{};
};

/// Expects that `action` ends in this fault, of category program, whose message holds every one of
/// `parts`, and text after "); ": what to do.
void expect_fault(const std::function<void()>& action, const ExpectedFault& expected,
                  const std::vector<std::string>& parts);

/// The same of a mesh that runs until idle, or up to this limit.
void expect_fault(Mesh& mesh, const ExpectedFault& expected, const std::vector<std::string>& parts,
                  std::uint64_t limit = 5000);

}  // namespace weft::test
