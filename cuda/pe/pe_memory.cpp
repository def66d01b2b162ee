#include "cuda/pe/pe_memory.hpp"

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

/// Adds words of a patch, to the last part if that ends before.
void add(std::vector<MemoryPart>& parts, std::size_t patch, std::size_t first, std::size_t end) {
  if (first >= end) return;
  if (!parts.empty()) {
    MemoryPart& last = parts.back();
    if (last.patch + last.patches == patch && last.first == first && last.end == end) {
      ++last.patches;
      return;
    }
  }
  parts.push_back({patch, 1, first, end});
}

}  // namespace

void PeMemory::Words::extend(const Words& other) {
  if (other.empty()) return;
  *this = empty() ? other : Words{std::min(first, other.first), std::max(end, other.end)};
}

PeMemory::PeMemory(const pe::Places& places, std::size_t words)
    : places_(places),
      words_(words),
      memory_(places.all_pes() * words),
      known_(places.all_pes() / pe::kPatch, {0, words}),
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

/// In order.
std::vector<std::size_t> PeMemory::patches_of(const Rect& where) const {
  std::vector<std::size_t> patches;
  for_patches(where, [&](const Rect& part) {
    patches.push_back(places_.index(part.x, part.y) / pe::kPatch);
  });
  std::ranges::sort(patches);
  return patches;
}

std::vector<MemoryPart> PeMemory::take_missing(const Rect& where, std::size_t first,
                                               std::size_t end) {
  std::vector<MemoryPart> before, after;  // what is known of a patch
  for (const std::size_t patch : patches_of(where)) {
    Words& known = known_[patch];
    if (known.empty()) known = {first, first};
    add(before, patch, first, known.first);
    add(after, patch, known.end, end);
    known = {std::min(known.first, first), std::max(known.end, end)};
  }
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

void PeMemory::mark_written(const Rect& where, std::size_t first, std::size_t end) {
  for (const std::size_t patch : patches_of(where)) written_[patch].extend({first, end});
}

std::vector<MemoryPart> PeMemory::written() const {
  std::vector<MemoryPart> parts;
  for (std::size_t patch = 0; patch < written_.size(); ++patch)
    add(parts, patch, written_[patch].first, written_[patch].end);
  return parts;
}

void PeMemory::forget() {
  std::ranges::fill(known_, Words{});
  std::ranges::fill(written_, Words{});
}

}  // namespace weft::pe_kernel
