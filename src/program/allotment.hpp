#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// Numbers of one kind (registers, queues, colors, ...) and the names of their owners.
class Allotment {
 public:
  /// `what`: the kind, as messages name it. `where`: whose numbers they are ("program halo").
  Allotment(std::string where, std::string what, int count);

  /// The first free number in this order goes to the owner. Throws Error(program) if all are taken.
  int next(std::span<const int> order, const std::string& owner);
  /// This number goes to the owner. Throws Error(program) that names both, if it is taken.
  void claim(int number, const std::string& owner);
  void give_back(int number) { owners_[static_cast<std::size_t>(number)].clear(); }
  const std::string& owner(int number) const { return owners_[static_cast<std::size_t>(number)]; }
  bool is_free(int number) const { return owners_[static_cast<std::size_t>(number)].empty(); }

 private:
  std::string where_, what_;
  std::vector<std::string> owners_;  ///< by number; empty: free
};

}  // namespace weft
