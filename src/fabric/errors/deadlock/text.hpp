#pragma once

#include <string>

#include "program/color_names.hpp"
#include "weft/deadlock.hpp"

/// Deadlocks in words.
namespace weft::fabric {

/// "1 wavelet", "2 wavelets".
std::string counted(std::uint64_t n, const char* noun);
std::string text(const DeadlockPlace& pe);
/// "microthread 0 of PE (1, 0) (4 elements to go)"; instead of its number, its name if it has one.
std::string text(const DeadlockWait& wait, const ColorNames& names = {});
/// Of a sentence of its own, without its end.
std::string text(const DeadlockFilter& filter);
/// "color 1 or 2".
std::string colors_text(const std::vector<int>& colors, const ColorNames& names);

/// A fabric in which wavelets circle for ever; without its end.
std::string circling_text(const DeadlockReport& report);

/// The remedy for causes of this kind.
const char* remedy(DeadlockKind kind);

/// Why the example of the first cause cannot go on, and how many waits come from others. There is
/// one.
std::string first_cause(const DeadlockReport& report);

}  // namespace weft::fabric
