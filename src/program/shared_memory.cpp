#include "program/shared_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace weft::inline v0 {
namespace {

/// Bytes from the first to the last that a view names, before a register moves it.
struct Span {
  std::int64_t first, end;
};

Span span_of(const PeVector& v, const std::vector<Dimension>& dimensions) {
  const std::int64_t bytes = element_bytes(v.type());
  std::int64_t least = 0, most = 0;
  for (const Dimension& d : dimensions) {
    const std::int64_t reach = (std::int64_t{d.extent} - 1) * d.stride * bytes;
    (reach < 0 ? least : most) += reach;
  }
  return {v.address() + least, v.address() + most + bytes};
}

/// Calls f(address) for each element; those that are named again and again once.
template <class F>
void each_element(const PeVector& v, const std::vector<Dimension>& dimensions, const F& f) {
  std::vector<std::int64_t> addresses{v.address()};
  for (const Dimension& d : dimensions) {
    if (d.stride == 0) continue;
    const std::size_t outer = addresses.size();
    for (int i = 1; i < d.extent; ++i)
      for (std::size_t k = 0; k < outer; ++k)
        addresses.push_back(addresses[k] + std::int64_t{i} * d.stride * element_bytes(v.type()));
  }
  std::ranges::for_each(addresses, f);
}

bool is_moved_alike(const PeVector& a, const PeVector& b) {
  const auto alike = [](const std::optional<PeScalar>& one, const std::optional<PeScalar>& other) {
    return one ? other && one->reg.index == other->reg.index : !other;
  };
  return alike(a.offset(), b.offset()) && alike(a.stride(), b.stride());
}

}  // namespace

bool are_same_elements(const PeVector& a, const PeVector& b) {
  return a.kind() == PeVector::Kind::memory && b.kind() == PeVector::Kind::memory &&
         a.address() == b.address() && a.joined() == b.joined() && is_moved_alike(a, b);
}

bool may_share_memory(const PeVector& a, const PeVector& b) {
  if (a.kind() != PeVector::Kind::memory || b.kind() != PeVector::Kind::memory) return false;
  if (!is_moved_alike(a, b) || a.stride()) return a.name() == b.name();
  const std::vector<Dimension> of_a = a.joined(), of_b = b.joined();
  const Span at_a = span_of(a, of_a), at_b = span_of(b, of_b);
  const std::int64_t first = std::max(at_a.first, at_b.first);
  if (first >= std::min(at_a.end, at_b.end)) return false;
  std::vector<bool> named(static_cast<std::size_t>(at_a.end - at_a.first));
  const auto bytes_of = [&](const PeVector& v, std::int64_t at, const auto& f) {
    for (std::int64_t byte = at; byte < at + element_bytes(v.type()); ++byte)
      if (byte >= at_a.first && byte < at_a.end) f(static_cast<std::size_t>(byte - at_a.first));
  };
  each_element(a, of_a, [&](std::int64_t at) {
    bytes_of(a, at, [&](std::size_t byte) { named[byte] = true; });
  });
  bool shared = false;
  each_element(b, of_b, [&](std::int64_t at) {
    bytes_of(b, at, [&](std::size_t byte) { shared |= named[byte]; });
  });
  return shared;
}

}  // namespace weft::inline v0
