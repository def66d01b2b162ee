#include "program/disassembler.hpp"

#include <fmt/format.h>

#include "isa/info.hpp"
#include "program/color_names.hpp"

namespace weft::inline v0 {
namespace {

std::string options(std::int32_t bits) {
  const VectorOptions o = VectorOptions::unpack(bits);
  if (!o.async) return "";
  constexpr const char* kEnds[] = {"", ", then activate", ", then unblock"};
  const char* end = kEnds[static_cast<int>(o.at_end) % 3];
  return o.at_end == VectorOptions::AtEnd::nothing ? " async"
                                                   : fmt::format(" async{} {}", end, o.task_id);
}

std::string operand(isa::OperandKind kind, std::int32_t value, const ColorNames& colors) {
  constexpr const char* kTasks[] = {"color", "local", "control"};
  switch (kind) {
    case isa::OperandKind::color:
      return color_text(value, colors);
    case isa::OperandKind::task_kind:
      return kTasks[value % 3];
    case isa::OperandKind::control:
      return value != 0 ? ", control" : "";
    case isa::OperandKind::options:
      return options(value);
    default:
      return fmt::format(fmt::runtime(isa::info(kind).text), value);
  }
}

std::string operands(const Instruction& i, const ColorNames& colors) {
  const isa::FormatInfo& format = isa::info(isa::format_of(i.op));
  if (format.a == isa::OperandKind::task_kind && static_cast<TaskKind>(i.a) == TaskKind::data)
    return color_text(i.b, colors);
  return fmt::format(fmt::runtime(format.syntax), fmt::arg("d", operand(format.d, i.d, colors)),
                     fmt::arg("a", operand(format.a, i.a, colors)),
                     fmt::arg("b", operand(format.b, i.b, colors)),
                     fmt::arg("imm", operand(format.imm, i.imm, colors)));
}

template <std::size_t N>
void note_tasks(std::string& text, const std::array<std::int32_t, N>& entries, const char* kind,
                std::int32_t at, const std::map<int, std::string>& names = {}) {
  for (std::size_t id = 0; id < N; ++id) {
    if (entries[id] != at) continue;
    const auto name = names.find(static_cast<int>(id));
    text += fmt::format("{} task {}:{}\n", kind, id, name == names.end() ? "" : " " + name->second);
  }
}

/// Extents, outermost first, each with its stride.
std::string dimensions(const Shape& shape) {
  std::string text;
  for (const Dimension& d : shape)
    if (d.extent != 1 || &d == &shape.back())
      text += fmt::format("{}{} elements {} apart", text.empty() ? "" : ", ", d.extent, d.stride);
  return text;
}

}  // namespace

std::string disassemble(const Program& program) {
  std::string text = fmt::format("program {}, {} bytes\n", program.name, program.memory_bytes);
  for (const auto& [name, span] : program.symbols)
    text += fmt::format("  {:<16} bytes {} to {}\n", name, span.address, span.address + span.bytes);
  return text + code_text(program);
}

std::string instruction_text(const Instruction& i, const ColorNames& colors) {
  std::string text = fmt::format("{:<8} {}", mnemonic(i.op), operands(i, colors));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string code_text(const Program& program, const CodeNames& names) {
  std::string text;
  for (std::size_t n = 0; n < program.shapes.size(); ++n)
    text += fmt::format("  shape {:<10} {}\n", n, dimensions(program.shapes[n]));
  for (std::size_t n = 0; n < program.fifos.size(); ++n) {
    const Fifo& fifo = program.fifos[n];
    text += fmt::format("  FIFO {:<11} {} elements of {} bytes from byte {}\n", n, fifo.capacity,
                        fifo.bytes, fifo.address);
  }
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const auto at = static_cast<std::int32_t>(n);
    note_tasks(text, program.data_entry, "data", at);
    note_tasks(text, program.local_entry, "local", at, names.local_tasks);
    note_tasks(text, program.control_entry, "control", at);
    if (const auto of = names.subroutines.find(at); of != names.subroutines.end())
      text += fmt::format("subroutine {}:\n", of->second);
    text += fmt::format("{:5}  {}\n", n, instruction_text(program.code[n], names.colors));
  }
  return text;
}

}  // namespace weft::inline v0
