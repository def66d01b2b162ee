#pragma once

#include <memory>

#include "bind.hpp"

namespace weft::python {

/// A program's text as Python holds it. Python may keep it, and what came from it, after the text
/// has ended: then `program` is null, and its use is an error.
struct Text {
  PeProgram* program = nullptr;
  int not_entered = 0;  ///< loops and conditions without their `with`

  PeProgram& get() const {
    if (program == nullptr)
      throw Error(ErrorCategory::usage, "this program's text has ended",
                  "Design.program runs a text while it is called", "write in the text only");
    return *program;
  }
};
using TextRef = std::shared_ptr<Text>;

/// Operations of a text.
struct Operation {
  TextRef text;
  PeOperation operation;
};

inline std::vector<Operation> with_text(const TextRef& text,
                                        const std::vector<PeOperation>& operations) {
  std::vector<Operation> all;
  for (const PeOperation& operation : operations) all.push_back({text, operation});
  return all;
}

}  // namespace weft::python
