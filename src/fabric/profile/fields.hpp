#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/profile/npy.hpp"
#include "weft/profile.hpp"

/// The arrays of a profile's archive.
namespace weft::fabric {

/// The words of PeCounts of a color, in the order of the file.
inline const std::vector<NpyField> kColorFields = {{"west"},  {"east"}, {"south"},
                                                   {"north"}, {"ramp"}, {"held"}};
inline const std::vector<NpyField> kLineFields = {
    {"program", 4}, {"cycles"}, {"most"}, {"x", 4, true}, {"y", 4, true}};

inline std::vector<NpyField> pe_fields() {
  std::vector<NpyField> fields;
  for (const CountInfo& info : count_infos()) fields.push_back({info.name});
  return fields;
}

inline const std::vector<NpyField> kCodeFields = {
    {"program", 4}, {"line", 4, true}, {"phase", 4, true}, {"cycles"}};
inline const std::vector<NpyField> kNumbers = {{"", 4, true}};

inline const std::vector<NpyField> kPathFields = {{"from"},
                                                  {"to"},
                                                  {"kind", 4},
                                                  {"x", 4, true},
                                                  {"y", 4, true},
                                                  {"to_x", 4, true},
                                                  {"to_y", 4, true},
                                                  {"color", 4, true},
                                                  {"instruction", 4, true},
                                                  {"phase", 4, true}};
inline constexpr std::string_view kPathEntry = "path.npy";  ///< absent: nobody asked for the path

inline std::vector<NpyField> phase_fields() {
  std::vector<NpyField> fields{{"first"}, {"last"}};
  for (const CountInfo& info : count_infos())
    if (is_by_phase(info)) fields.push_back({info.name});
  return fields;
}

inline std::string window_entry(const CountInfo& info) {
  return fmt::format("windows/{}.npy", info.name);
}

struct Sides {
  std::size_t height, width;

  explicit Sides(const Profile& p)
      : height(static_cast<std::size_t>(p.height)), width(static_cast<std::size_t>(p.width)) {}
  std::size_t pes() const { return height * width; }
};

}  // namespace weft::fabric
