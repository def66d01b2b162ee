#include "base/names.hpp"

namespace weft::inline v0 {

std::string_view to_string(TaskKind kind) noexcept {
  constexpr std::string_view kNames[] = {"data", "local", "control"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace weft::inline v0

namespace weft {

const char* port_name(int port) {
  constexpr const char* kNames[kPorts] = {"west", "east", "south", "north", "ramp"};
  return kNames[port];
}

std::string name_of(const Task& task) {
  return std::string(to_string(task.kind)) + " task " + std::to_string(task.id);
}

}  // namespace weft
