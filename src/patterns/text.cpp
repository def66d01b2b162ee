#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "patterns/place.hpp"
#include "weft/patterns.hpp"

/// Patterns as text for people.
namespace weft::inline v0 {
namespace {

/// "4 x 4 PEs".
std::string pes_text(const PatternPlace& place) {
  return fmt::format("{} x {} PEs", place.where.width, place.where.height);
}
std::string way_text(Along along) { return along == Along::rows ? "along rows" : "along columns"; }
std::string way_text(Port to) { return fmt::format("to the {}", port_name(static_cast<int>(to))); }

/// "color 3", "colors 0 and 1", "colors 0, 1, 4 and 5".
std::string colors_text(const std::vector<Color>& colors) {
  std::string all = colors.size() == 1 ? "color " : "colors ";
  for (std::size_t n = 0; n < colors.size(); ++n)
    all += fmt::format("{}{}",
                       n == 0                   ? ""
                       : n + 1 == colors.size() ? " and "
                                                : ", ",
                       colors[n].number);
  return colors.empty() ? "no colors" : all;
}
std::string colors_text(ColorPair pair) { return colors_text(std::vector{pair.even, pair.odd}); }

}  // namespace

std::string NeighborShift::text() const {
  return fmt::format("NeighborShift({}, {}, {})", pes_text(place_), way_text(to_),
                     colors_text(color_));
}
std::string HaloExchange::text() const {
  return fmt::format("HaloExchange({}, depth {}{})", pes_text(place_), depth_,
                     corners_ == Corners::all ? ", with corners" : "");
}
std::string Broadcast::text() const {
  return fmt::format("Broadcast({}, {})", pes_text(place_), colors_text(std::vector{color_}));
}
std::string MovingBroadcast::text() const {
  return fmt::format("MovingBroadcast({}, {}, {})", pes_text(place_), way_text(along_),
                     colors_text(std::vector{color_}));
}
std::string ReduceChain::text() const {
  return fmt::format("ReduceChain({}, {}, {})", pes_text(place_), way_text(to_),
                     colors_text(color_));
}
std::string ReduceTree::text() const {
  return fmt::format("ReduceTree({}, {}, {})", pes_text(place_), way_text(along_),
                     colors_text(color_));
}
std::string AllReduce::text() const {
  return fmt::format("AllReduce({}, {})", chain_ ? chain_->text() : tree_->text(),
                     broadcast_.text());
}
std::string RingShift::text() const {
  return fmt::format("RingShift({}, {}{}, {})", pes_text(place_), way_text(along_),
                     way_ == Around::backwards ? ", backwards" : "",
                     colors_text({colors_.begin(), colors_.end()}));
}
std::string RingTranspose::text() const {
  std::vector<Color> colors;
  for (const std::array<Color, 3>& way : colors_)
    colors.insert(colors.end(), way.begin(), way.end());
  return fmt::format("RingTranspose({}, {}, {})", pes_text(place_), way_text(along_),
                     colors_text(colors));
}
std::string Scatter::text() const {
  return fmt::format("Scatter({}, {}, parts of {}, {})", pes_text(place_), way_text(along_),
                     elements_, colors_text(std::vector{color_}));
}
std::string Gather::text() const {
  return fmt::format("Gather({}, {}, {})", pes_text(place_), way_text(along_), colors_text(color_));
}
std::string AllToAll::text() const {
  return fmt::format("AllToAll({}, {}, {})", pes_text(place_), way_text(along_),
                     colors_text(std::vector{up_.even, up_.odd, down_.even, down_.odd}));
}

}  // namespace weft::inline v0
