#include "support/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::test {
namespace {

using model::Mask;
using model::View;

std::string rows_wake(const View& v, std::uint64_t now) {
  const auto differs = [&](int row, const std::uint64_t* wakes, std::uint64_t of_row,
                           const char* field) {
    const std::uint64_t* first = wakes + static_cast<std::size_t>(row) * v.strips;
    const std::uint64_t least = *std::min_element(first, first + v.strips);
    return of_row == least ? std::string{}
                           : fmt::format("{} of row {} is {}, of its strips {}, after cycle {}",
                                         field, row, of_row, least, now);
  };
  for (int row = 0; row < v.rows; ++row)
    for (const std::string& wrong :
         {differs(row, v.route_wake, v.route_row[row], "route_row"),
          differs(row, v.deliver_wake, v.deliver_row[row], "deliver_row"),
          differs(row, v.core_wake, v.core_row[row], "core_row")})
      if (!wrong.empty()) return wrong;
  return {};
}

}  // namespace

void StripCheck::same(Mask found, Mask derived, const char* field, int number) {
  if (!wrong.empty() || found == derived) return;
  const int lane = model::lowest(found ^ derived);
  wrong = fmt::format("{}{} in strip {}, lane {} is {}, derived {}, after cycle {}", field,
                      number < 0 ? "" : fmt::format(" [{}]", number), strip, lane,
                      model::has(found, lane) ? 1 : 0, model::has(derived, lane) ? 1 : 0, now);
}

void StripCheck::within(Mask part, Mask all, const char* field, int number) {
  same(part & all, part, field, number);
}

void StripCheck::covers(std::uint64_t kept, std::uint64_t derived, const char* field, int number) {
  if (!wrong.empty() || (derived & ~kept) == 0) return;
  wrong = fmt::format("{}{} in strip {} is 0x{:x}, derived at least 0x{:x}, after cycle {}", field,
                      number < 0 ? "" : fmt::format(" [{}]", number), strip, kept, derived, now);
}

void StripCheck::equal(std::uint64_t found, std::uint64_t derived, const char* field, int number) {
  if (!wrong.empty() || found == derived) return;
  wrong = fmt::format("{}{} in strip {} is {}, derived {}, after cycle {}", field,
                      number < 0 ? "" : fmt::format(" [{}]", number), strip, found, derived, now);
}

void StripCheck::by(std::uint64_t wake, std::uint64_t cycle, const char* field, int number) {
  if (!wrong.empty() || wake <= cycle) return;
  wrong =
      fmt::format("{}{} of strip {} comes in cycle {}, and something in {}, after cycle {}", field,
                  number < 0 ? "" : fmt::format(" [{}]", number), strip, wake, cycle, now);
}

std::string broken_invariant(fabric::State& state, std::uint64_t now) {
  const View view = state.view();
  for (std::size_t strip = 0; strip < view.strip_count(); ++strip) {
    StripCheck check{state, view, strip, now};
    check_routers(check);
    check_cores(check);
    check_wakes(check);
    if (!check.wrong.empty()) return check.wrong;
  }
  return rows_wake(view, now);
}

}  // namespace weft::test
