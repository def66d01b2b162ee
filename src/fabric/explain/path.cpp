#include "fabric/explain/path.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "fabric/explain/part.hpp"

namespace weft::fabric {
namespace {

constexpr std::string_view kTurnAround = "turn-around";

bool of_core(const PathPiece& piece) {
  return piece.kind == PathKind::computing || piece.kind == PathKind::task_start ||
         piece.kind == PathKind::core;
}

/// A stream's elements, or its wavelets on their way.
bool of_stream(const PathPiece& piece) {
  return piece.kind == PathKind::streaming || piece.kind == PathKind::on_the_way;
}

/// What each piece is called. What a core does between two streams of one phase is a turn-around,
/// unless it is long.
std::vector<std::string_view> words_of(const std::vector<PathPiece>& path) {
  constexpr std::uint64_t kLong = 128;  // chosen: in wsFFT's transposes a turn-around takes 76
  std::vector<std::string_view> words(path.size());
  for (std::size_t n = 0; n < path.size();) {
    std::size_t end = n;
    const auto goes_on = [&] {
      return end < path.size() && of_core(path[end]) && path[end].x == path[n].x &&
             path[end].y == path[n].y && path[end].phase == path[n].phase;
    };
    while (goes_on()) ++end;
    const bool is_turn = end > n && n > 0 && end < path.size() && of_stream(path[n - 1]) &&
                         of_stream(path[end]) && path[end].phase == path[n].phase &&
                         path[n - 1].phase == path[n].phase &&
                         path[end].from - path[n].from <= kLong;
    end = std::max(end, n + 1);
    for (; n < end; ++n) words[n] = is_turn ? kTurnAround : to_string(path[n].kind);
  }
  return words;
}

std::string line_of(const Profile& p, const PathPiece& piece) {
  const std::size_t pe = static_cast<std::size_t>(piece.y) * static_cast<std::size_t>(p.width) +
                         static_cast<std::size_t>(piece.x);
  if (piece.instruction < 0 || p.program_of[pe] < 0) return "";
  const ProgramCounts& program = p.programs[static_cast<std::size_t>(p.program_of[pe])];
  const CodeCounts& code = program.code[static_cast<std::size_t>(piece.instruction)];
  return text_of(program, program.lines[static_cast<std::size_t>(code.line)]);
}

std::string phase_of(const Profile& p, const PathPiece& piece) {
  return piece.phase < 0 ? "" : p.phases[static_cast<std::size_t>(piece.phase)].name;
}

/// Shares that are growing, by what they have in common.
class Shares {
 public:
  /// `number`: of the piece in the path.
  void add(const PathShare& share, const PathPiece& piece, std::size_t number) {
    const auto key = std::tuple(share.what, share.phase, share.line, share.color);
    const auto [at, is_new] = known_.try_emplace(key, all_.size());
    if (is_new) all_.push_back({share, {}, number});
    Growing& one = all_[at->second];
    if (is_new || one.next != number) ++one.share.parts;
    one.next = number + 1;
    one.share.cycles += piece.to - piece.from;
    one.by_pe[{piece.y, piece.x}] += piece.to - piece.from;
  }

  std::vector<PathShare> all() const {
    std::vector<PathShare> shares;
    shares.reserve(all_.size());
    for (const Growing& one : all_) {
      shares.push_back(one.share);
      const auto most =
          std::ranges::max_element(one.by_pe, {}, [](const auto& e) { return e.second; });
      std::tie(shares.back().y, shares.back().x) = most->first;
    }
    return shares;
  }

 private:
  struct Growing {
    PathShare share;
    std::map<std::pair<int, int>, std::uint64_t> by_pe;  ///< by row and column
    std::size_t next = 0;                                ///< the piece that would go on with it
  };
  std::vector<Growing> all_{};
  std::map<std::tuple<std::string, std::string, std::string, int>, std::size_t> known_{};
};

std::vector<PathShare> most_first(std::vector<PathShare> shares) {
  std::ranges::stable_sort(shares, std::ranges::greater{}, &PathShare::cycles);
  return shares;
}

}  // namespace

PathExplanation explain_path(const Profile& p) {
  const std::vector<std::string_view> words = words_of(p.path);
  Shares kinds, phases, places;
  for (std::size_t n = 0; n < p.path.size(); ++n) {
    const PathPiece& piece = p.path[n];
    const std::string what(words[n]);
    const std::string line = line_of(p, piece);
    kinds.add({.what = what}, piece, n);
    phases.add({.what = what, .phase = phase_of(p, piece)}, piece, n);
    places.add({.what = what, .line = line, .color = line.empty() ? piece.color : -1}, piece, n);
  }
  return {most_first(kinds.all()), phases.all(), most_first(places.all())};
}

}  // namespace weft::fabric
