#include "program/allotment.hpp"

#include <fmt/format.h>

#include "weft/error.hpp"

namespace weft {

Allotment::Allotment(std::string where, std::string what, int count)
    : where_(std::move(where)), what_(std::move(what)), owners_(static_cast<std::size_t>(count)) {}

int Allotment::next(std::span<const int> order, const std::string& owner) {
  for (const int number : order)
    if (is_free(number)) {
      owners_[static_cast<std::size_t>(number)] = owner;
      return number;
    }
  std::string taken;
  for (std::size_t n = 0; n < owners_.size(); ++n)
    if (!owners_[n].empty())
      taken += fmt::format("{}{} by {}", taken.empty() ? "" : ", ", n, owners_[n]);
  throw Error(ErrorCategory::program, fmt::format("{}: no {} is left for {}", where_, what_, owner),
              "taken are " + taken, "use one of them for both, or do without one");
}

void Allotment::claim(int number, const std::string& owner) {
  if (number < 0 || static_cast<std::size_t>(number) >= owners_.size())
    throw Error(ErrorCategory::program,
                fmt::format("{}: there is no {} {} for {}", where_, what_, number, owner),
                fmt::format("they go from 0 to {}", owners_.size() - 1), "choose one of these");
  std::string& now = owners_[static_cast<std::size_t>(number)];
  if (!now.empty())
    throw Error(ErrorCategory::program,
                fmt::format("{}: {} {} is not free for {}", where_, what_, number, owner),
                fmt::format("{} has it", now),
                "give one of them another number, or none: then a free one is found");
  now = owner;
}

}  // namespace weft
