#include "cuda/pe/pe_memory.hpp"

#include <tuple>
#include <utility>

namespace weft::pe_kernel {
namespace {

/// f(part) for the parts of a rectangle in patches, which tiles that are not shifted have.
template <class F>
void for_patches(const Rect& r, F f) {
  const auto end = [](int at, int side, int last) {
    return std::min((at / side + 1) * side, last);
  };
  for (int y = r.y; y < r.y + r.height; y = end(y, kPatchHeight, r.y + r.height))
    for (int x = r.x; x < r.x + r.width; x = end(x, kPatchWidth, r.x + r.width))
      f(Rect{x, y, end(x, kPatchWidth, r.x + r.width) - x,
             end(y, kPatchHeight, r.y + r.height) - y});
}

/// f(word of a PE's memory, its number) for the words from `first` on, `each` in number, of each PE
/// of a rectangle; they are numbered PE by PE, row by row. In turns of a few of each PE of a patch,
/// as these share cache lines.
template <class F>
void for_words(const pe::Places& places, std::uint32_t* memory, std::size_t words, const Rect& r,
               std::size_t first, std::size_t each, F f) {
  constexpr std::size_t kTurn = 64;  // chosen: words of a patch's PEs are 8 KiB
  for_patches(r, [&](const Rect& part) {
    for (std::size_t from = 0; from < each; from += kTurn)
      for (int y = part.y; y < part.y + part.height; ++y)
        for (int x = part.x; x < part.x + part.width; ++x) {
          const auto pe = static_cast<std::size_t>((y - r.y) * r.width + x - r.x);
          std::uint32_t* const own =
              pe::CoreArrays::interleaved(memory, places.index(x, y), words) + first * pe::kPatch;
          for (std::size_t i = from; i < std::min(from + kTurn, each); ++i)
            f(own[i * pe::kPatch], pe * each + i);
        }
  });
}

/// Parts of one patch each, as those of many that follow each other.
std::vector<MemoryPart> joined(std::vector<MemoryPart> parts) {
  std::ranges::sort(parts, {},
                    [](const MemoryPart& p) { return std::tuple(p.first, p.end, p.patch); });
  std::vector<MemoryPart> all;
  for (const MemoryPart& part : parts) {
    if (!all.empty()) {
      MemoryPart& last = all.back();
      if (last.first == part.first && last.end == part.end &&
          last.patch + last.patches == part.patch) {
        ++last.patches;
        continue;
      }
    }
    all.push_back(part);
  }
  return all;
}

}  // namespace

/// Adds words to ranges, with the gap to those that are near. missing(words) for those that were
/// not in any.
template <class F>
void PeMemory::add(Ranges& ranges, Words more, F missing) {
  constexpr std::size_t kNear = 64;  // chosen: a copy costs as much as these words of a patch
  if (more.first >= more.end) return;
  const auto begin =
      std::ranges::find_if(ranges, [&](const Words& w) { return w.end + kNear >= more.first; });
  const auto end =
      std::find_if(begin, ranges.end(), [&](const Words& w) { return w.first > more.end + kNear; });
  const std::size_t first = begin == end ? more.first : std::min(more.first, begin->first);
  std::size_t at = first;
  for (auto one = begin; one != end; ++one) {
    if (at < one->first) missing(Words{at, one->first});
    at = one->end;
  }
  if (at < more.end) missing(Words{at, more.end});
  ranges.insert(ranges.erase(begin, end), Words{first, std::max(at, more.end)});
}

PeMemory::PeMemory(const pe::Places& places, std::size_t words)
    : places_(places),
      words_(words),
      memory_(places.all_pes() * words),
      known_(places.all_pes() / pe::kPatch, Ranges{{0, words}}),
      written_(known_.size()) {}

void PeMemory::write(const Rect& where, std::size_t first, std::size_t end,
                     std::span<const std::uint32_t> words) {
  for_words(places_, memory_.data(), words_, where, first, end - first,
            [&](std::uint32_t& word, std::size_t number) { word = words[number]; });
}

void PeMemory::read(const Rect& where, std::size_t first, std::size_t end,
                    std::span<std::uint32_t> words) const {
  for_words(places_, memory_.data(), words_, where, first, end - first,
            [&](const std::uint32_t& word, std::size_t number) { words[number] = word; });
}

std::size_t PeMemory::patch_of(const Rect& part) const {
  return places_.index(part.x, part.y) / pe::kPatch;
}

std::vector<MemoryPart> PeMemory::take_missing(const Rect& where, std::size_t first,
                                               std::size_t end) {
  std::vector<MemoryPart> parts;
  for_patches(where, [&](const Rect& part) {
    const std::size_t patch = patch_of(part);
    add(known_[patch], {first, end}, [&](const Words& w) {
      parts.push_back({patch, 1, w.first, w.end});
    });
  });
  return joined(std::move(parts));
}

void PeMemory::mark_written(const Rect& where, std::size_t first, std::size_t end) {
  for_patches(where, [&](const Rect& part) {
    add(written_[patch_of(part)], {first, end}, [](const Words&) {});
  });
}

std::vector<MemoryPart> PeMemory::written() const {
  std::vector<MemoryPart> parts;
  for (std::size_t patch = 0; patch < written_.size(); ++patch)
    for (const Words& w : written_[patch]) parts.push_back({patch, 1, w.first, w.end});
  return joined(std::move(parts));
}

void PeMemory::forget() {
  std::ranges::fill(known_, Ranges{});
  std::ranges::fill(written_, Ranges{});
}

}  // namespace weft::pe_kernel
