#pragma once

#include <array>
#include <set>
#include <vector>

#include "program/pe_impl.hpp"

/// The descriptor of each value of a program. Where there are more values than descriptors, those
/// that save most have one of their own. Others share: one descriptor for values that differ in
/// their base or queue only, and one for all that is left at each place of an instruction's
/// operands.
namespace weft::inline v0 {

struct DescriptorChoice {
  std::vector<int> own;                    ///< by value; -1: it is set before each use
  std::vector<std::array<int, 3>> shared;  ///< by value and operand: where it is set then
  /// By descriptor that values share: the stride and length that all of them have (set once).
  std::array<std::optional<DescriptorValue>, kDescriptors> common{};
};

/// The choice for the values of these sections, with the descriptors that are not `taken`. Empty if
/// there are too few.
DescriptorChoice choose_descriptors(const std::vector<DescriptorValue>& values,
                                    const std::vector<Section>& sections,
                                    const std::set<int>& taken);

}  // namespace weft::inline v0
