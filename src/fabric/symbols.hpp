#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/layout.hpp"

/// Named memory of the programs on a mesh.
namespace weft::fabric {

class Symbols {
 public:
  explicit Symbols(const Layout& layout);

  /// Where the symbol is in the PEs of a rectangle that is on the mesh: pieces of it with an
  /// address each, which are as large and of one type. Throws Error(usage), with names, if a PE has
  /// no such symbol, or not the same.
  std::vector<std::pair<Rect, MemorySpan>> find(const Rect& where, std::string_view symbol) const;

  /// The number of the local task of this name in the PEs of a rectangle that is on the mesh.
  /// Throws Error(usage), with names, if a PE has no such task, or two.
  std::vector<std::pair<Rect, int>> find_task(const Rect& where, const std::string& task) const;
  /// Throws Error(usage) if a PE of the rectangle does not have this local task.
  void check_task(const Rect& where, Task task) const;

  /// Throws Error(usage) if a run without data does not compute the symbol in one of these PEs.
  void check_computed(const Rect& where, std::string_view symbol) const;

  const Program* program_at(int x, int y) const;   ///< null: none
  bool note_roots() const { return note_roots_; }  ///< of some program

 private:
  /// Pieces of a rectangle, with their program; null: none.
  std::vector<std::pair<Rect, const Program*>> programs_of(const Rect& where) const;

  int width_;
  bool note_roots_ = false;
  std::vector<std::shared_ptr<const Program>> programs_;
  std::vector<std::uint32_t> number_;  ///< by PE, row by row: of programs_; past its end: none
  mutable std::once_flag asked_;       ///< for what follows; several threads may read
  mutable std::map<const Program*, std::set<std::string>> uncomputed_;
};

/// How many elements of the type a symbol has. Throws Error(usage) that names it if its own type is
/// another one.
std::size_t elements_of(const MemorySpan& span, std::string_view symbol, ElementType type);

/// Throws Error(usage) unless there are as many values as the PEs have elements.
void check_count(const Rect& where, std::string_view symbol, std::size_t each, std::size_t count);

/// Words that hold so many bytes in each PE.
std::size_t words_of(const Rect& where, std::size_t bytes);

/// f(number in `where`, number in `part`) for the PEs of a part of a rectangle, row by row.
template <class F>
void each_pe(const Rect& where, const Rect& part, F f) {
  std::size_t in_part = 0;
  for (int y = part.y; y < part.y + part.height; ++y) {
    std::size_t in_where =
        static_cast<std::size_t>(y - where.y) * static_cast<std::size_t>(where.width) +
        static_cast<std::size_t>(part.x - where.x);
    for (int x = 0; x < part.width; ++x) f(in_where++, in_part++);
  }
}

}  // namespace weft::fabric
