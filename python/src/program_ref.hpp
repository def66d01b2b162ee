#pragma once

#include <memory>
#include <type_traits>

#include "bind.hpp"

namespace weft::python {

/// A program that is being written, as Python holds it. Python may keep it, and what came from it,
/// after it is complete: then `program` is null, and its use is an error.
struct HeldProgram {
  PeProgram* program = nullptr;
  std::string text{};   ///< "PeProgram('heat', 4 x 4 PEs)"
  int not_entered = 0;  ///< loops and conditions without their `with`

  PeProgram& get() const {
    if (program == nullptr)
      throw Error(ErrorCategory::usage, "this program is complete",
                  "Design.program calls its function once, and the program ends with that",
                  "write in the function only");
    return *program;
  }
};
using ProgramRef = std::shared_ptr<HeldProgram>;

/// Operations of a program.
struct Operation {
  ProgramRef program;
  PeOperation operation;
};

void bind_blocks(py::module_& m);
void bind_flow_and_tasks(py::class_<HeldProgram, ProgramRef>& program);

inline std::vector<Operation> of_program(const ProgramRef& program,
                                         const std::vector<PeOperation>& operations) {
  std::vector<Operation> all;
  for (const PeOperation& operation : operations) all.push_back({program, operation});
  return all;
}

inline const py::arg kD{"d"}, kA{"a"}, kB{"b"};

/// A method of PeProgram that issues an operation, with parameters A and a line, which is Python's
/// (PeProgram::name_lines).
template <class... A>
auto op2(std::type_identity_t<PeOperation (PeProgram::*)(A..., CallLine)> method) {
  return [method](const ProgramRef& t, A... a) {
    return Operation{t, (t->get().*method)(a..., {})};
  };
}

/// Arithmetic on registers and vectors.
void bind_arithmetic(py::class_<HeldProgram, ProgramRef>& c);

}  // namespace weft::python
