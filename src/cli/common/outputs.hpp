#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::cli {

/// An option and the file that it names.
struct NamedPath {
  const char* option;
  std::string path;
  const char* suffix = "";  ///< of the format that will be written; empty: any will do
};

/// Throws now if an output could not be written later, is an input too, or has another format's
/// suffix: long work must not be lost at its end, nor an input to an output of the same name.
void check_outputs(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs);

/// The same for sub-commands that read a machine profile and write a report, and no more.
void check_outputs(const std::optional<std::string>& machine,
                   const std::optional<std::string>& json);

}  // namespace weft::cli
