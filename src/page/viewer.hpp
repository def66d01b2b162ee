#pragma once

#include <string_view>

namespace weft::page {

/// viewer/viewer.html: the page without a run.
std::string_view viewer() noexcept;

}  // namespace weft::page
