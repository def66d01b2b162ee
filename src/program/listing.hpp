#pragma once

#include <map>
#include <string>
#include <vector>

#include "program/pe_impl.hpp"
#include "weft/layout.hpp"

/// The text of Design::listing.
namespace weft::inline v0 {

struct ListedPe {
  Rect where{};                      ///< the PE
  const Program* program = nullptr;  ///< none: only its router works
  ProgramNames names{};
  std::map<int, std::string> colors{};  ///< of the design
  std::vector<Layout::Routing> routes{};
  std::vector<Layout::Filtering> filters{};
};

std::string listing(const ListedPe& pe);

}  // namespace weft::inline v0
