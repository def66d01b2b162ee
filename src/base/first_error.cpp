#include "base/first_error.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/processes.hpp"

namespace weft::base {

void throw_first_error(Processes& processes, const std::optional<Error>& mine) {
  struct Summary {
    std::uint64_t length = 0;  ///< of the message; 0: there is none
    ErrorCategory category{};
  };
  constexpr char kBetween = '\0';
  std::string text;
  if (mine) text = mine->problem() + kBetween + mine->reason() + kBetween + mine->remedy();
  const std::vector<Summary> all =
      gathered(processes, mine ? Summary{text.size(), mine->category()} : Summary{});
  const auto first = std::ranges::find_if(all, [](const Summary& each) { return each.length > 0; });
  if (first == all.end()) return;
  text.resize(first->length);
  processes.broadcast(static_cast<int>(first - all.begin()),
                      std::as_writable_bytes(std::span(text)));
  const std::size_t one = text.find(kBetween), two = text.find(kBetween, one + 1);
  throw Error(first->category, text.substr(0, one), text.substr(one + 1, two - one - 1),
              text.substr(two + 1));
}

}  // namespace weft::base
