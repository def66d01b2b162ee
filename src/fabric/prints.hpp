#pragma once

#include <string>
#include <vector>

#include "fabric/stepper/stepper.hpp"
#include "fabric/symbols.hpp"
#include "weft/fabric.hpp"

/// The values that programs have printed.
namespace weft::fabric {

/// As Fabric::prints, of the PEs of a rectangle. Without `data`, refuses what nobody has computed.
std::vector<Printed> prints(const Symbols& symbols, const Stepper& stepper, const Rect& where,
                            bool data);

std::string printed_text(const std::vector<Printed>& values);

}  // namespace weft::fabric
