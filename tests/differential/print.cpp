#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/names.hpp"
#include "differential/case.hpp"

namespace weft::test {
namespace {

std::string text(const Rect& r) {
  return fmt::format("{{{}, {}, {}, {}}}", r.x, r.y, r.width, r.height);
}

std::string text(Port port) {
  constexpr const char* kNames[] = {"west", "east", "south", "north", "ramp"};
  return fmt::format("Port::{}", kNames[static_cast<int>(port)]);
}

std::string text(PortSet set) {
  std::vector<std::string> ports;
  for (int port = 0; port < kPorts; ++port)
    if (set.has(static_cast<Port>(port))) ports.push_back(text(static_cast<Port>(port)));
  return fmt::format("{{{}}}", fmt::join(ports, ", "));
}

std::string text(const Route& r) {
  constexpr const char* kPops[] = {"no_pop", "always_pop", "pop_on_advance", "pop_on_advance_nop"};
  std::string s = fmt::format("{{.rx = {}, .tx = {}", text(r.rx), text(r.tx));
  if (!r.positions.empty()) {
    std::vector<std::string> positions;
    for (const SwitchPosition& p : r.positions)
      positions.push_back(fmt::format("SwitchPosition::{}({})",
                                      p.side == SwitchPosition::Side::rx ? "receive" : "send",
                                      text(p.port)));
    s += fmt::format(", .positions = {{{}}}", fmt::join(positions, ", "));
  }
  if (r.ring) s += ", .ring = true";
  if (r.initial != 0) s += fmt::format(", .initial = {}", r.initial);
  if (r.pop != PopMode::no_pop)
    s += fmt::format(", .pop = PopMode::{}", kPops[static_cast<int>(r.pop)]);
  if (r.input_queue) s += fmt::format(", .input_queue = {}", *r.input_queue);
  if (r.swap_north_south) s += ", .swap_north_south = true";
  if (r.swap_east_west) s += ", .swap_east_west = true";
  if (r.teardown) s += ", .teardown = true";
  return s + "}";
}

std::string text(const CounterFilter& f) {
  return fmt::format(
      "CounterFilter{{.counter = {}, .limit1 = {}, .max_counter = {}, .count_data = {}, "
      ".count_control = {}, .filter_control = {}}}",
      f.counter, f.limit1, f.max_counter, f.count_data, f.count_control, f.filter_control);
}

std::string text(const SparseCounterFilter& f) {
  return fmt::format(
      "SparseCounterFilter{{.counter = {}, .limit1 = {}, .max_counter = {}, .limit2 = {}, "
      ".count_data = {}, .count_control = {}}}",
      f.counter, f.limit1, f.max_counter, f.limit2 ? std::to_string(*f.limit2) : "std::nullopt",
      f.count_data, f.count_control);
}

std::string text(const RangeFilter& f) {
  return fmt::format("RangeFilter{{.min_index = {}, .max_index = {}}}", f.min_index, f.max_index);
}

template <std::size_t N>
void print_entries(std::string& s, const char* name, const std::array<std::int32_t, N>& entries) {
  for (std::size_t i = 0; i < N; ++i)
    if (entries[i] != Program::kUnbound)
      s += fmt::format("  p.{}[{}] = {};\n", name, i, entries[i]);
}

void print_bits(std::string& s, const char* name, std::uint64_t bits) {
  if (bits != 0) s += fmt::format("  p.{} = 0x{:x};\n", name, bits);
}

std::string text(const Shape& shape) {
  std::string s;
  for (const Dimension& d : shape)
    s += fmt::format("{}{{{}, {}}}", s.empty() ? "" : ", ", d.extent, d.stride);
  return fmt::format("Shape{{{{{}}}}}", s);
}

std::string text(const Fifo& f) {
  return fmt::format(
      "Fifo{{.address = {}, .capacity = {}, .bytes = {}, .push_task = {}, .pop_task = {}}}",
      f.address, f.capacity, f.bytes, f.push_task, f.pop_task);
}

std::string text(const Program& p) {
  std::string s = "  Program p = program_of({\n";
  for (std::size_t i = 0; i < p.code.size(); ++i) {
    const Instruction& one = p.code[i];
    s += fmt::format("      {{Op::{}, {}, {}, {}, {}}},  // {}\n", mnemonic(one.op), one.d, one.a,
                     one.b, one.imm, i);
  }
  s += "  }, {});\n";
  for (const Shape& shape : p.shapes) s += fmt::format("  p.shapes.push_back({});\n", text(shape));
  for (const Fifo& fifo : p.fifos) s += fmt::format("  p.fifos.push_back({});\n", text(fifo));
  print_entries(s, "local_entry", p.local_entry);
  print_entries(s, "data_entry", p.data_entry);
  print_entries(s, "control_entry", p.control_entry);
  print_bits(s, "memory_bytes", p.memory_bytes);
  print_bits(s, "started_local", p.started_local);
  print_bits(s, "blocked_local", p.blocked_local);
  print_bits(s, "unblocked_colors", p.unblocked_colors);
  print_bits(s, "high_local", p.high_local);
  print_bits(s, "high_data", p.high_data);
  print_bits(s, "high_control", p.high_control);
  return s;
}

}  // namespace

std::string print(const Case& c) {
  std::string s = fmt::format("Case c;\nc.width = {};\nc.height = {};\n", c.width, c.height);
  const Machine usual;
  for (const MachineConstant& constant : machine_constants())
    if (c.machine.*constant.member != usual.*constant.member)
      s += fmt::format("c.machine.{} = {};\n", constant.name, c.machine.*constant.member);
  for (const auto& [where, program] : c.programs)
    s += fmt::format("{{\n{}  c.programs.emplace_back(Rect{}, p);\n}}\n", text(program),
                     text(where));
  for (const Layout::Routing& r : c.routes)
    s +=
        fmt::format("c.routes.push_back({{{}, {}, {}}});\n", text(r.where), r.color, text(r.route));
  for (const Layout::Filtering& f : c.filters)
    s += fmt::format("c.filters.push_back({{{}, {}, {}}});\n", text(f.where), f.color,
                     std::visit([](const auto& one) { return text(one); }, f.filter));
  for (const Layout::HostStream& h : c.host) {
    s += fmt::format("c.host.push_back({{\"{}\", {}, {}, Port::{}, {}", h.name, h.input,
                     text(h.where), port_name(static_cast<int>(h.edge)), h.color);
    s += h.limit ? fmt::format(", {}}});\n", *h.limit) : "});\n";
  }
  for (const HostSend& send : c.sends)
    s += fmt::format("c.sends.push_back({{{}, {}, {}}});\n", send.stream, send.stop, send.each);
  if (c.receives) s += "c.receives = true;\n";
  s += fmt::format("c.memory_seed = {}U;\nc.limit = {};\n", c.memory_seed, c.limit);
  if (c.stops)
    s += fmt::format("c.stops = std::vector<std::uint64_t>{{{}}};\n", fmt::join(*c.stops, ", "));
  if (c.block != 0) s += fmt::format("c.block = {};\n", c.block);
  if (c.threads != 1) s += fmt::format("c.threads = {};\n", c.threads);
  const std::pair<bool, const char*> switches[] = {
      {c.fast.delay_lines, "delay_lines"}, {c.fast.shared_execution, "shared_execution"},
      {c.fast.equal_lines, "equal_lines"}, {c.fast.run_ahead, "run_ahead"},
      {c.fast.dry_run, "dry_run"},         {c.fast.element_rows, "element_rows"},
      {c.fast.shortcuts, "shortcuts"}};
  for (const auto& [on, name] : switches)
    if (!on) s += fmt::format("c.fast.{} = false;\n", name);
  return s + "EXPECT_EQ(run(c).difference, std::nullopt);\n";
}

}  // namespace weft::test
