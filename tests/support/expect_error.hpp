#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/error.hpp"

namespace weft::test {

/// Expects that `action` throws a weft::Error of this category whose message holds every one of
/// `parts` and reads "what (why); what to do".
void expect_error_with(ErrorCategory category, const std::function<void()>& action,
                       const std::vector<std::string>& parts);

template <typename... Parts>
void expect_error(ErrorCategory category, const std::function<void()>& action,
                  const Parts&... parts) {
  expect_error_with(category, action, {std::string(parts)...});
}

}  // namespace weft::test
