#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/names.hpp"
#include "fabric/trace/encoder.hpp"

/// A line for each event: "@41 P0.0: hop color 5 (halo east) from ramp to east".
namespace weft::fabric {
namespace {

constexpr const char* kReasons[] = {"link", "room", "ramp", "rest"};
constexpr const char* kRefusals[] = {"by its filter", "by NOCE", "as its route leads nowhere"};

const char* port(std::uint32_t number) { return port_name(static_cast<int>(number)); }

/// What happens to what the name stands for.
std::string text_of(const Event& e, const std::string& name) {
  const char* const from = port(static_cast<std::uint32_t>(e.from));
  const std::uint32_t value = e.value;
  switch (e.kind) {
    case EventKind::sent:
      return fmt::format("sent {} from queue {}", name, value);
    case EventKind::hop:
      return fmt::format("hop {} from {} to {}", name, from, port(value));
    case EventKind::delivered:
      return fmt::format("delivered {} from {} to queue {}", name, from, value);
    case EventKind::refused:
      return fmt::format("refused {} from {} {}", name, from, kRefusals[value]);
    case EventKind::held:
      return fmt::format("held {} from {} by {}", name, from, kReasons[value]);
    case EventKind::switched:
      return fmt::format("switch {} to position {}{}", name, value % 8,
                         value < 8 ? "" : ", torn down");
    case EventKind::task_start:
      return fmt::format("task start {}", name);
    case EventKind::task_end:
      return "task end";
    case EventKind::microthread_end:
      return fmt::format("microthread {} end {}", e.number, name);
    case EventKind::microthread_start:
      return fmt::format("microthread {} start {}", e.number, name);
    case EventKind::instruction:
      return name.starts_with("instruction ") ? name
                                              : fmt::format("instruction {} {}", value, name);
    case EventKind::fault:
      return fmt::format("fault {}", name);
  }
  return {};
}

class LogEncoder : public Encoder {
 public:
  explicit LogEncoder(EventNames names) : names_(std::move(names)) {}

  std::string front(std::uint64_t) const override { return {}; }
  void add(const Event& event, std::string& to) override {
    fmt::format_to(std::back_inserter(to), "@{} P{}.{}: {}\n", std::uint64_t{event.cycle}, event.x,
                   event.y, text_of(event, clean(names_.name_of(event))));
  }

 private:
  EventNames names_;
};

}  // namespace

std::unique_ptr<Encoder> log_encoder(const EventNames& names) {
  return std::make_unique<LogEncoder>(names);
}

}  // namespace weft::fabric
