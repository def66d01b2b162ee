#include "by_line/bundle_counts.hpp"
#include "by_line/bundle_state.hpp"
#include "by_line/given_lanes.hpp"

/// What cores wait for while no bundle steps them.
namespace weft::by_line {

/// What cores waited for before the first cycle that the bundle may step the strip in.
void BundleCounts::take_waits(const model::View& bundle, int strip) {
  const auto index = static_cast<std::size_t>(strip);
  const auto wait = [&](model::Mask taken, Count what) {
    model::for_each(taken, [&](int lane) {
      const std::uint64_t first = known_[index][static_cast<std::size_t>(lane)];
      if (first < from_[index])
        counting::add_past_cycles<GivenLanes>(bundle, strip, model::series_of(what), lane, first,
                                              from_[index]);
    });
  };
  wait(waited_data_[index], Count::waits_data);
  wait(waited_room_[index], Count::waits_room);
}

void settle_waits(const model::View& whole, const std::vector<std::uint64_t>& known,
                  std::uint64_t cycle) {
  for (int y = 0; y < whole.height; ++y)
    for (int x = 0; x < whole.width; ++x) {
      const model::LaneAddress at = model::address_of(whole.strips, x, y);
      model::StripCounts& s = whole.counts->strip[at.strip];
      const std::uint64_t first =
          known[static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.width) +
                static_cast<std::size_t>(x)];
      const auto wait = [&](model::Mask lanes, Count what) {
        if (!model::has(lanes, at.lane) || first == cycle) return;
        if (first > cycle) throw LinesMet{};  // it is not known what it waited for before
        s.sum[static_cast<int>(what)].at[at.lane] += static_cast<std::uint32_t>(cycle - first);
        if (whole.counts->windows != 0)
          counting::add_to_windows<GivenLanes>(*whole.counts, at.strip, model::series_of(what),
                                               at.lane, first, cycle);
      };
      wait(s.data, Count::waits_data);
      wait(s.room, Count::waits_room);
    }
  for (std::size_t strip = 0; strip < whole.strip_count(); ++strip)
    whole.counts->strip[strip].settled = cycle;
}

}  // namespace weft::by_line
