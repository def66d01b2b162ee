// The code that is generated from the tables of src/isa/ is that of the tables. This program needs
// no library, so that it can be built and rewrite the files after a row was added:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-tables
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "isa/formats.hpp"
#include "paths.hpp"
#include "support/generated_text.hpp"
#include "support/instruction_text.hpp"

namespace weft::test::generated_code_test {
namespace {

using isa::Format;
using isa::OperandKind;

const std::filesystem::path kRoot = WEFT_SOURCE_DIR;
constexpr std::size_t kColumns = 100;
constexpr std::string_view kNotice =
    "// Generated from src/isa/instructions.def by weft-test-tables (CONTRIBUTING.md).\n";

struct Row {
  std::string_view name;
  Format format;
  std::string_view meaning;
};

constexpr Row kRows[] = {
#define WEFT_INSTRUCTION(name, format, function, cost, accumulates, meaning) \
  {#name, Format::format, meaning},
#include "isa/instructions.def"
};

/// The text of every row, with the headings of the groups as comments.
std::string listed(const std::function<std::string(const Row&)>& text_of_row) {
  std::string all;
  std::string_view last;
  for (const Row& row : kRows) {
    const std::string_view group = heading(isa::info(row.format).group);
    if (group != last) all += fmt::format("{}  // {}\n", last.empty() ? "" : "\n", group);
    last = group;
    all += text_of_row(row);
  }
  return all;
}

/// As a comment above a member, broken at spaces.
std::string comment(std::string_view text) {
  constexpr std::string_view kBegin = "  /// ";
  std::string all;
  while (!text.empty()) {
    std::size_t n = text.size();
    if (kBegin.size() + n > kColumns) n = text.rfind(' ', kColumns - kBegin.size());
    all += fmt::format("{}{}\n", kBegin, text.substr(0, n));
    text.remove_prefix(std::min(n + 1, text.size()));
  }
  return all;
}

std::string signature(const Row& row, bool with_defaults) {
  std::string list;
  for (const Parameter& p : parameters(row.format)) {
    append_listed(list, fmt::format("{} {}", p.type, p.name));
    if (with_defaults && !p.initial.empty()) list += fmt::format(" = {}", p.initial);
  }
  append_listed(list, with_defaults ? "CallLine = {}" : "CallLine");
  return list;
}

/// The value of an instruction's field, from the method's parameter.
std::string field_value(OperandKind kind, std::string_view field) {
  return fmt::format(fmt::runtime(isa::info(kind).field), parameter_name(kind, field));
}

std::string body(const Row& row) {
  const isa::FormatInfo& format = isa::info(row.format);
  return fmt::format("put(Op::{}, {}, {}, {}, {});", row.name, field_value(format.d, "d"),
                     field_value(format.a, "a"), field_value(format.b, "b"),
                     field_value(format.imm, "imm"));
}

std::string op_header() {
  std::size_t width = 0;
  for (const Row& row : kRows) width = std::max(width, row.name.size() + 1);
  const std::string rows = listed([&](const Row& row) {
    return fmt::format("  {:<{}}  ///< {}\n", fmt::format("{},", row.name), width, row.meaning);
  });
  return fmt::format(R"({}#pragma once

#include <cstdint>

namespace weft::inline v0 {{

// clang-format off
/// The instructions of a PE's core. Their operands are those of InstructionWriter's methods; names
/// follow the vendor's: s is FP32, h is FP16, 16 and 32 are integers, v marks vector instructions,
/// a final r a scalar register as second operand.
enum class Op : std::uint8_t {{
{}}};
// clang-format on

}}  // namespace weft::inline v0
)",
                     kNotice, rows);
}

std::string writer_header() {
  const std::string methods = listed([](const Row& row) {
    return fmt::format("{}  void {}({});\n", comment(row.meaning), row.name, signature(row, true));
  });
  return fmt::format(R"({}#pragma once

#include <cstdint>

#include "weft/call_line.hpp"
#include "weft/instruction.hpp"

namespace weft::inline v0 {{

/// A method for each instruction, which appends it to a program: see ProgramBuilder. Scalar
/// arithmetic wraps, and shifts take b modulo 32. Memory's byte addresses are multiples of the
/// element's size. Vector instructions go element by element over descriptors, d[i] = f(d[i], a[i],
/// b[i]); with a fabric operand they run as a microthread.
class InstructionWriter {{
 public:
{}
 protected:
  InstructionWriter() = default;
  InstructionWriter(const InstructionWriter&) = default;
  InstructionWriter& operator=(const InstructionWriter&) = default;
  ~InstructionWriter() = default;

 private:
  /// Appends an instruction; the numbers are the fields of Instruction, not yet checked.
  virtual void put(Op op, int d, int a, int b, std::int32_t imm) = 0;
}};

}}  // namespace weft::inline v0
)",
                     kNotice, methods);
}

std::string writer_source() {
  std::string methods;
  for (const Row& row : kRows) {
    const std::string head =
        fmt::format("void InstructionWriter::{}({}) {{", row.name, signature(row, false));
    const std::string line = fmt::format("{} {} }}\n", head, body(row));
    methods += line.size() <= kColumns + 1 ? line : fmt::format("{}\n  {}\n}}\n", head, body(row));
  }
  return fmt::format(
      "{}#include \"weft/instruction_writer.hpp\"\n\nnamespace weft::inline v0 {{\n\n{}\n}}  // "
      "namespace "
      "weft::inline v0\n",
      kNotice, methods);
}

TEST(GeneratedCode, IsThatOfTheTables) {
  expect_generated_file(kRoot / "include/weft/op.hpp", op_header());
  expect_generated_file(kRoot / "include/weft/instruction_writer.hpp", writer_header());
  expect_generated_file(kRoot / "src/program/instruction_writer.cpp", writer_source());
}

/// Every field that a format has is in its syntax, once, and no other.
TEST(Formats, SyntaxNamesEachOperandOnce) {
  for (int f = 0; f < static_cast<int>(std::size(isa::kFormatInfo)); ++f) {
    const isa::FormatInfo& row = isa::kFormatInfo[f];
    const auto expect = [&](std::string_view field, OperandKind kind) {
      std::size_t count = 0;
      for (std::size_t at = 0; (at = row.syntax.find(field, at)) != std::string_view::npos; ++at)
        ++count;
      EXPECT_EQ(count, kind == OperandKind::none ? 0U : 1U) << "format " << f << ", " << field;
    };
    expect("{d}", row.d);
    expect("{a}", row.a);
    expect("{b}", row.b);
    expect("{imm}", row.imm);
  }
}

/// A parameter with a default has no parameter without one behind it, and names differ.
TEST(Formats, ParametersMakeAMethod) {
  for (int f = 0; f < static_cast<int>(std::size(isa::kFormatInfo)); ++f) {
    bool has_default = false;
    std::set<std::string_view> names;
    for (const Parameter& p : parameters(static_cast<Format>(f))) {
      EXPECT_TRUE(names.insert(p.name).second) << "format " << f << ", " << p.name;
      EXPECT_TRUE(!has_default || !p.initial.empty()) << "format " << f << ", " << p.name;
      has_default = !p.initial.empty();
    }
  }
}

/// Each format and each kind of operand is some instruction's.
TEST(Formats, AllAreUsed) {
  std::set<Format> formats;
  std::set<OperandKind> kinds;
  for (const Row& row : kRows) {
    const isa::FormatInfo& format = isa::info(row.format);
    formats.insert(row.format);
    kinds.insert({format.d, format.a, format.b, format.imm});
  }
  EXPECT_EQ(formats.size(), std::size(isa::kFormatInfo));
  EXPECT_EQ(kinds.size(), std::size(isa::kOperandInfo));
}

}  // namespace
}  // namespace weft::test::generated_code_test
