#pragma once

#include <string_view>

namespace weft::base {

inline constexpr int kMostThreads = 1024;

/// Throws Error(usage) unless so many threads can be asked for; more than a run can use may be.
/// `name`: of the option.
void check_threads(int threads, std::string_view name = "count of threads");

}  // namespace weft::base
