#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "base/host_words.hpp"
#include "pe/build/places.hpp"

/// The host's ends of a mesh's links. For the host only.
namespace weft::pe {

/// The host lends words for so many blocks at most, each of so many cycles in a row at most.
/// Between two blocks the clock may jump over any number of cycles. Chosen: an input's words are 8
/// KiB at most, and the blocks take some milliseconds.
inline constexpr std::uint32_t kLentBlocks = 64, kLentCycles = 32;

/// All words of host streams, and as many of them in arrays of fixed sizes as some cycles need.
template <class S>
class HostLinks {
 public:
  HostLinks(const Layout& layout, const Rules& rules, const Places& places)
      : rules_(rules),
        cell_(places.pes),
        of_tile_(places.host_cells),
        each_(kLentBlocks * words_of_block(std::max(rules.timing.host_link, 1U)) + 1U) {
    for (const HostLink& link : places.host) ends_.push_back({link, {}, {}});
    for (const Layout::HostStream& s : layout.host_streams())
      for_links(s, [&](const HostLink& link) {
        base::HostWords words{.color = s.color};
        if (s.limit) words.limit = *s.limit;
        End& end = end_at(link);
        (s.input ? end.input : end.output).push_back(std::move(words));
      });
    port_.resize(std::size_t{places.tiles} * of_tile_);
    for (const End& end : ends_) {
      HostPort<S>& port = port_[port_of(end)];
      for (const base::HostWords& w : end.input) port.inputs |= color_bit(rules_.number[w.color]);
      for (const base::HostWords& w : end.output) port.outputs |= color_bit(rules_.number[w.color]);
      inputs_ += end.input.size();
    }
    words_.resize(inputs_ * each_);
    came_.resize(ends_.size() * each_);
  }

  bool empty() const { return ends_.empty(); }

  /// What the host holds of a stream that the layout has there.
  base::HostWords& at(int x, int y, Port edge, int color, bool input) {
    End& end = end_at({x, y, static_cast<int>(edge)});
    return *std::ranges::find(input ? end.input : end.output, color, &base::HostWords::color);
  }
  /// Words wait to enter the fabric.
  bool words_left() const {
    return std::ranges::any_of(ends_, [](const End& end) {
      return std::ranges::any_of(end.input, [](const auto& words) { return words.held() != 0; });
    });
  }

  /// The links are as before the first cycle.
  void start() {
    for (HostPort<S>& port : port_) port.input_free = port.output_free = 0;
  }

  /// Before at most kLentBlocks. A word more is lent than can enter: so the clock knows that the
  /// host has more.
  void lend() {
    std::uint32_t came = 0;
    for_inputs(*this, [&](HostPort<S>& port, const base::HostWords& w, std::uint32_t place) {
      const int color = rules_.number[w.color];
      const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(w.held(), each_));
      std::ranges::copy(w.oldest(count), words_.begin() + place);
      port.first[color] = place;
      port.end[color] = place + count;
    });
    for (End& end : ends_) {
      HostPort<S>& port = port_[port_of(end)];
      for (const base::HostWords& w : end.output)
        port.room[rules_.number[w.color]] = static_cast<std::uint32_t>(
            std::min<std::size_t>(w.limit - w.held(), std::numeric_limits<std::uint32_t>::max()));
      port.came = came;
      came += each_;
    }
  }

  /// After them: what has entered is gone, and what has come out is there.
  void take_back() {
    for_inputs(*this, [&](const HostPort<S>& port, base::HostWords& w, std::uint32_t place) {
      w.drop(port.first[rules_.number[w.color]] - place);
    });
    std::uint32_t first = 0;
    for (End& end : ends_) {
      const HostPort<S>& port = port_[port_of(end)];
      for (const HostWord& word : std::span(came_).subspan(first, port.came - first))
        std::ranges::find(end.output, rules_.color[word.color], &base::HostWords::color)
            ->append({&word.payload, 1});
      first += each_;
    }
  }

  HostPorts<S> of_tile(std::uint32_t tile) {
    return {port_.data() + std::size_t{tile} * of_tile_, words_.data(), came_.data(), cell_,
            of_tile_};
  }

  /// Rows of an array that are in use from their beginnings: elements of each, and from one row to
  /// the next.
  struct UsedRows {
    std::size_t rows, used, each;

    std::size_t all() const { return rows * each; }
  };
  UsedRows words() const {
    std::uint32_t most = 0;
    for_inputs(*this, [&](const HostPort<S>& port, const base::HostWords& w, std::uint32_t place) {
      most = std::max(most, port.end[rules_.number[w.color]] - place);
    });
    return {inputs_, most, each_};
  }
  UsedRows came() const {
    std::uint32_t most = 0, first = 0;
    for (const End& end : ends_) {
      most = std::max(most, port_[port_of(end)].came - first);
      first += each_;
    }
    return {ends_.size(), most, each_};
  }

 private:
  struct End {
    HostLink link;
    std::vector<base::HostWords> input, output;
  };

  /// The layout has it.
  End& end_at(const HostLink& link) {
    return *std::ranges::lower_bound(ends_, link.where(), {},
                                     [](const End& e) { return e.link.where(); });
  }
  /// That a link carries at most.
  static constexpr std::uint32_t words_of_block(std::uint32_t link_cycles) {
    return (kLentCycles - 1) / link_cycles + 1;
  }
  std::size_t port_of(const End& end) const {
    return std::size_t{end.link.tile} * of_tile_ + end.link.number;
  }
  /// f(port, words, place of the lent ones) for each input.
  template <class Links, class F>
  static void for_inputs(Links& links, F f) {
    std::uint32_t place = 0;
    for (auto& end : links.ends_)
      for (auto& words : end.input) {
        f(links.port_[links.port_of(end)], words, place);
        place += links.each_;
      }
  }

  const Rules& rules_;
  std::uint32_t cell_, of_tile_, each_;
  std::size_t inputs_ = 0;
  std::vector<End> ends_;  ///< in the order of HostLink::where
  std::vector<HostPort<S>> port_;
  std::vector<std::uint32_t> words_;  ///< [input]
  std::vector<HostWord> came_;        ///< [link]
};

}  // namespace weft::pe
