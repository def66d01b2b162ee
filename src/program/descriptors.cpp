#include "program/descriptors.hpp"

#include <algorithm>
#include <numeric>

namespace weft::inline v0 {
namespace {

using Kind = DescriptorValue::Kind;

/// Instructions that set a descriptor.
int price(const DescriptorValue& value) {
  const int length = value.length >= 0 && !value.counted ? 1 : 0;
  if (value.strided) return length;         // its base and stride are set at each use anyway
  if (value.moved >= 0) return 1 + length;  // its base
  switch (value.kind) {
    case Kind::memory:
      return 2 + length;
    case Kind::shaped:
      return 2;
    default:
      return 1 + length;
  }
}

/// The same where the descriptor has the value's stride and length already.
int price_of_base(const DescriptorValue& value) { return value.kind == Kind::shaped ? 2 : 1; }

/// Values that may share a descriptor which has their stride and length.
struct Alike {
  std::size_t place;       ///< of the operand: two operands of an instruction share none
  DescriptorValue common;  ///< without base and color
  bool operator==(const Alike&) const = default;
};

Alike alike(const DescriptorValue& value, std::size_t place) {
  DescriptorValue common;
  common.kind = value.kind;
  common.length = value.length;
  common.counted = value.counted;
  common.stride = value.stride;
  common.shape = value.shape;
  common.moved = value.moved;
  common.strided = value.strided;
  common.base = ~0U;  // no value's, so that each one sets its own
  common.color = -1;
  return {place, common};
}

/// Where nobody asks for a value's length, one with a length that is the same else will do.
std::vector<std::size_t> with_length(const std::vector<DescriptorValue>& values) {
  std::vector<std::size_t> same(values.size());
  std::iota(same.begin(), same.end(), std::size_t{0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].length >= 0) continue;
    const auto at = std::find_if(values.begin(), values.end(), [&](DescriptorValue other) {
      const bool has_length = std::exchange(other.length, -1) >= 0;
      return has_length && other == values[i];
    });
    if (at != values.end()) same[i] = static_cast<std::size_t>(at - values.begin());
  }
  return same;
}

/// The choice as it grows: what saves most comes first.
class Choosing {
 public:
  Choosing(const std::vector<DescriptorValue>& values, const std::vector<Section>& sections)
      : values_(values), same_(with_length(values)), uses_(values.size()), own_(values.size()) {
    for (const Section& section : sections)
      for (const Item& item : section)
        for (std::size_t k = 0; k < 3; ++k)
          if (item.value[k] >= 0) note_use(same_[static_cast<std::size_t>(item.value[k])], k, item);
  }

  /// False: there are too few.
  bool choose(std::size_t free) {
    if (places_left().size() > free) return false;
    std::vector<std::size_t> values;
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (same_[v] == v) values.push_back(v);
    if (values.size() <= free) {
      for (const std::size_t v : values) own_[v] = true;
      return true;
    }
    std::vector<bool> refused_value(values_.size());
    std::vector<bool> refused_group(groups_.size());
    for (;;) {
      double most = 0;
      std::size_t value = values_.size(), group = groups_.size();
      for (const std::size_t v : values)
        if (!own_[v] && !refused_value[v] && gain_of_own(v) > most) {
          most = gain_of_own(v);
          value = v;
        }
      for (std::size_t g = 0; g < groups_.size(); ++g)
        if (!chosen_[g] && !refused_group[g] && gain_of_group(g) > most) {
          most = gain_of_group(g);
          group = g;
        }
      if (most == 0) return true;
      std::vector<bool>::reference takes = group < groups_.size() ? chosen_[group] : own_[value];
      takes = true;
      if (taken() + places_left().size() <= free) continue;
      takes = false;
      (group < groups_.size() ? refused_group[group] : refused_value[value]) = true;
    }
  }

  DescriptorChoice numbered(const std::vector<int>& free) const {
    DescriptorChoice choice{std::vector<int>(values_.size(), -1),
                            std::vector<std::array<int, 3>>(values_.size(), {-1, -1, -1})};
    std::size_t next = 0;
    for (std::size_t v = 0; v < values_.size(); ++v)
      if (own_[v]) choice.own[v] = free[next++];
    for (std::size_t v = 0; v < values_.size(); ++v) choice.own[v] = choice.own[same_[v]];
    std::vector<int> of_group(groups_.size(), -1);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (chosen_[g]) {
        of_group[g] = free[next++];
        choice.common[static_cast<std::size_t>(of_group[g])] = groups_[g].common;
      }
    std::array<int, 3> of_place{-1, -1, -1};
    for (const std::size_t k : places_left()) of_place[k] = free[next++];
    for (std::size_t v = 0; v < values_.size(); ++v)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t g = group_of(same_[v], k);
        choice.shared[v][k] = g < groups_.size() && chosen_[g] ? of_group[g] : of_place[k];
      }
    return choice;
  }

 private:
  /// By the depth of loops: each counts as ten rounds.
  void note_use(std::size_t v, std::size_t place, const Item& item) {
    double rounds = 1;
    for (int d = 0; d < item.depth; ++d) rounds *= 10;
    uses_[v][place] += rounds;
    if (group_of(v, place) < groups_.size()) return;
    groups_.push_back(alike(values_[v], place));
    chosen_.push_back(false);
  }

  std::size_t group_of(std::size_t v, std::size_t place) const {
    const auto at = std::find(groups_.begin(), groups_.end(), alike(values_[v], place));
    return static_cast<std::size_t>(at - groups_.begin());
  }

  bool in_chosen_group(std::size_t v, std::size_t place) const {
    return chosen_[group_of(v, place)];
  }

  double gain_of_own(std::size_t v) const {
    double gain = 0;
    for (std::size_t k = 0; k < 3; ++k)
      if (uses_[v][k] > 0)
        gain +=
            uses_[v][k] * (in_chosen_group(v, k) ? price_of_base(values_[v]) : price(values_[v]));
    return gain;
  }

  double gain_of_group(std::size_t g) const {
    double gain = 0;
    for (std::size_t v = 0; v < values_.size(); ++v) {
      const double uses = uses_[v][groups_[g].place];
      if (uses > 0 && !own_[v] && group_of(v, groups_[g].place) == g)
        gain += uses * (price(values_[v]) - price_of_base(values_[v]));
    }
    return gain;
  }

  std::size_t taken() const {
    return static_cast<std::size_t>(std::count(own_.begin(), own_.end(), true) +
                                    std::count(chosen_.begin(), chosen_.end(), true));
  }

  /// Places of operands with values that have no descriptor of their own, nor one of their kind.
  std::vector<std::size_t> places_left() const {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t v = 0; v < values_.size(); ++v)
        if (uses_[v][k] > 0 && !own_[v] && !in_chosen_group(v, k)) {
          places.push_back(k);
          break;
        }
    return places;
  }

  const std::vector<DescriptorValue>& values_;
  std::vector<std::size_t> same_;            ///< by value: the one that stands for it
  std::vector<std::array<double, 3>> uses_;  ///< by value and operand
  std::vector<bool> own_;                    ///< by value: it has a descriptor
  std::vector<Alike> groups_;
  std::vector<bool> chosen_;  ///< by group: it has a descriptor
};

}  // namespace

DescriptorChoice choose_descriptors(const std::vector<DescriptorValue>& values,
                                    const std::vector<Section>& sections,
                                    const std::set<int>& taken) {
  std::vector<int> free;
  for (int d = 0; d < kDescriptors; ++d)
    if (!taken.contains(d)) free.push_back(d);
  Choosing choosing(values, sections);
  if (!choosing.choose(free.size())) return {};
  return choosing.numbered(free);
}

}  // namespace weft::inline v0
