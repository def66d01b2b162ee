#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/profile.hpp"

namespace weft::fabric {

/// All that a profile tells of a fabric beside what its engine has counted: its machine, routes,
/// names and code.
class Description {
 public:
  Description(const Layout& layout, const Machine& machine);

  /// Adds it to the counts of an engine, which have the layout's programs in order, each once.
  void add_to(Profile& profile) const;

 private:
  struct ColorRoutes {
    std::vector<RouteKind> kinds{};
    std::vector<std::int32_t> of{};  ///< by PE; empty: there are none
  };

  void note_programs(const Layout& layout);
  void note_routes(const Layout& layout);

  Machine machine_;
  std::size_t pes_;
  std::map<int, std::string> color_names_;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::vector<std::int32_t> program_of_;
  std::vector<ColorRoutes> routes_;  ///< by color
};

}  // namespace weft::fabric
