#include <fmt/format.h>

#include "weft/program.hpp"

namespace weft {
namespace {

std::string operands(const Instruction& i) {
  switch (info(i.op).format) {
    case Format::reg_imm:
      return fmt::format("r{}, {}", i.d, i.imm);
    case Format::reg_reg:
      return fmt::format("r{}, r{}", i.d, i.a);
    case Format::reg_reg_reg:
      return fmt::format("r{}, r{}, r{}", i.d, i.a, i.b);
    case Format::reg_reg_imm:
      return fmt::format("r{}, r{}, {}", i.d, i.a, i.imm);
    case Format::load:
    case Format::load_half:
    case Format::load_pair:
    case Format::store_half:
    case Format::store:
      return fmt::format("r{}, [r{} + {}]", i.d, i.a, i.imm);
    case Format::jump:
      return fmt::format("{}", i.imm);
    case Format::branch:
      return fmt::format("r{}, r{}, {}", i.d, i.a, i.imm);
    case Format::call:
      return fmt::format("r{}, {}", i.d, i.imm);
    case Format::ret:
    case Format::place:
    case Format::pending:
    case Format::clock:
      return fmt::format("r{}", i.d);
    case Format::dsr_imm:
      return fmt::format("d{}, {}", i.d, i.imm);
    case Format::dsr_reg_imm:
      return fmt::format("d{}, r{} + {}", i.d, i.a, i.imm);
    case Format::dsr_fabric_in:
      return fmt::format("d{}, input queue {}", i.d, i.a);
    case Format::dsr_fabric_out:
      return fmt::format("d{}, output queue {}, color {}{}", i.d, i.a, i.b,
                         i.imm != 0 ? ", control" : "");
    case Format::dsr_shape:
      return fmt::format("d{}, shape {}", i.d, i.imm);
    case Format::dsr_fifo:
      return fmt::format("d{}, FIFO {}", i.d, i.a);
    case Format::fifo_read:
      return fmt::format("r{}, FIFO {}", i.d, i.a);
    case Format::vector_vv:
      return fmt::format("d{}, d{}, d{}", i.d, i.a, i.b);
    case Format::vector_vr:
      return fmt::format("d{}, d{}, r{}", i.d, i.a, i.b);
    case Format::vector_v:
      return fmt::format("d{}, d{}", i.d, i.a);
    case Format::vector_r:
      return fmt::format("d{}, r{}", i.d, i.b);
    case Format::task: {
      constexpr const char* kNames[] = {"color", "local", "control"};
      return fmt::format("{} {}", kNames[i.a % 3], i.b);
    }
    case Format::end:
      return "";
    case Format::router:
      return fmt::format("color {}, r{}", i.a, i.d);
  }
  return "";
}

std::string options(const Instruction& i) {
  const Format f = info(i.op).format;
  if (f != Format::vector_vv && f != Format::vector_vr && f != Format::vector_v &&
      f != Format::vector_r)
    return "";
  const VectorOptions o = VectorOptions::unpack(i.imm);
  if (!o.async) return "";
  constexpr const char* kEnds[] = {"", ", then activate", ", then unblock"};
  const char* end = kEnds[static_cast<int>(o.at_end) % 3];
  return o.at_end == VectorOptions::AtEnd::nothing ? " async"
                                                   : fmt::format(" async{} {}", end, o.task_id);
}

template <std::size_t N>
void note_tasks(std::string& text, const std::array<std::int32_t, N>& entries, const char* kind,
                std::int32_t at) {
  for (std::size_t id = 0; id < N; ++id)
    if (entries[id] == at) text += fmt::format("{} task {}:\n", kind, id);
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
    note_tasks(text, program.local_entry, "local", at);
    note_tasks(text, program.control_entry, "control", at);
    const Instruction& i = program.code[n];
    text += fmt::format("{:5}  {:<8} {}{}", n, info(i.op).name, operands(i), options(i));
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace weft
