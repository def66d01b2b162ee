#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/formats.hpp"

/// Instructions in words, for what is generated from the tables of src/isa/.
namespace weft::test {

inline std::string_view heading(isa::Group group) {
  switch (group) {
    case isa::Group::scalar:
      return "Scalar arithmetic";
    case isa::Group::memory:
      return "Memory";
    case isa::Group::flow:
      return "Control flow";
    case isa::Group::place:
      return "Place and clock";
    case isa::Group::descriptors:
      return "Descriptors";
    case isa::Group::vectors:
      return "Vector instructions";
    case isa::Group::tasks:
      return "Tasks";
    case isa::Group::router:
      return "Router";
  }
  return "";
}

/// A parameter of the builder's method; `initial` is its default, or empty.
struct Parameter {
  std::string_view type, name, initial;
};

/// The name of the parameter that an operand is, or is part of.
inline std::string_view parameter_name(isa::OperandKind kind, std::string_view field) {
  const std::string_view name = isa::info(kind).name;
  return name.empty() ? field : name;
}

/// In the order of the syntax.
inline std::vector<Parameter> parameters(isa::Format format) {
  const isa::FormatInfo& row = isa::info(format);
  std::vector<std::pair<std::size_t, Parameter>> found;
  const auto add = [&](std::string_view field, isa::OperandKind kind) {
    const std::size_t at = row.syntax.find("{" + std::string(field) + "}");
    const isa::OperandInfo& operand = isa::info(kind);
    if (at != std::string_view::npos && !operand.type.empty())
      found.push_back({at, {operand.type, parameter_name(kind, field), operand.initial}});
  };
  add("d", row.d);
  add("a", row.a);
  add("b", row.b);
  add("imm", row.imm);
  std::ranges::sort(found, {}, &std::pair<std::size_t, Parameter>::first);
  std::vector<Parameter> all;
  for (const auto& [at, parameter] : found) all.push_back(parameter);
  return all;
}

/// Appends `more`, after a comma where it is not the first.
inline void append_listed(std::string& list, std::string_view more) {
  if (!list.empty()) list += ", ";
  list += more;
}

}  // namespace weft::test
