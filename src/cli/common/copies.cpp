#include "cli/common/copies.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace weft::cli {
namespace {

std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int value = 0;
  const std::string_view all = text;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
  if (error != std::errc{} || end != all.data() + all.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Copies> copies() {
  struct Launcher {
    const char *count, *rank;
  };
  constexpr Launcher kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                     {"PMI_SIZE", "PMI_RANK"}};
  for (const Launcher& launcher : kLaunchers) {
    const auto count = number_in(launcher.count), rank = number_in(launcher.rank);
    if (count && rank && *count > 1) return Copies{*rank, *count};
  }
  return std::nullopt;
}

}  // namespace weft::cli
