#include "fabric/stepper/array_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/crew.hpp"
#include "base/pages.hpp"
#include "fabric/build/footprint.hpp"

namespace weft::fabric {
namespace {

using Words = std::span<std::uint32_t>;

/// The words of a strip's memory that the largest arrays of its programs take: they come first.
Words arrays_of(const State& s, std::size_t strip) {
  std::size_t most = 0;
  const model::CoreState& core = s.core[strip];
  for (model::Mask rest = s.strip[strip].programmed ? core.placed : 0; rest != 0; rest &= rest - 1)
    most =
        std::max<std::size_t>(most, s.programs[core.program[model::lowest(rest)]].memory_bytes / 4);
  return {s.memory.data() + strip * s.memory_words * model::kLanes, most * model::kLanes};
}

double bytes_of_arrays(const State& s) {
  double bytes = 0;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip)
    bytes += static_cast<double>(arrays_of(s, strip).size_bytes());
  return bytes;
}

bool fits(double bytes) { return bytes <= free_memory() / 2; }

}  // namespace

void ask_for_pages_of_arrays(const State& s) {
  constexpr double kLeast = 0.25;  // chosen: four times the memory of small pages at most
  const std::size_t bytes = s.memory.size() * sizeof(std::uint32_t);
  const auto all = static_cast<double>(bytes);
  if (bytes_of_arrays(s) >= kLeast * all && fits(all))
    base::ask_for_large_pages(s.memory.data(), bytes);
}

void populate_arrays(const State& s, int threads) {
  if (!fits(bytes_of_arrays(s))) return;
  base::Crew crew(std::clamp(threads, 1, s.rows));
  const auto strips = static_cast<std::size_t>(s.strips), rows = static_cast<std::size_t>(s.rows);
  const auto count = static_cast<std::size_t>(crew.threads());
  crew.run([&](int thread) {
    const auto n = static_cast<std::size_t>(thread);
    for (std::size_t strip = rows * n / count * strips; strip < rows * (n + 1) / count * strips;
         ++strip)
      if (const Words words = arrays_of(s, strip); !words.empty())
        base::populate(words.data(), words.size());
  });
}

}  // namespace weft::fabric
