#include <iterator>

#include "weft/path.hpp"

namespace weft::inline v0 {
namespace {

constexpr PathKindInfo kKinds[] = {
#define WEFT_PATH(name, word, meaning) {PathKind::name, #name, word, meaning},
#include "weft/path.def"
#undef WEFT_PATH
};
static_assert(std::size(kKinds) == kPathKinds);

}  // namespace

std::span<const PathKindInfo> path_kind_infos() noexcept { return kKinds; }

std::string_view to_string(PathKind kind) noexcept {
  return kKinds[static_cast<std::size_t>(kind) % kPathKinds].word;
}

}  // namespace weft::inline v0
