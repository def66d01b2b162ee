// The documentation agrees with the code: its tables are those of the .def files, its snippets come
// from examples that run, its links lead somewhere. With WEFT_UPDATE_DOCS=1 the tables are
// rewritten:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-unit --gtest_filter='Docs.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "paths.hpp"
#include "support/deadlocks.hpp"
#include "support/generated_text.hpp"
#include "weft/instruction.hpp"
#include "weft/machine.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = WEFT_SOURCE_DIR;

std::string constants_table() {
  std::string table =
      "| Constant | Default | Allowed | Unit | Origin | Meaning |\n"
      "| --- | ---: | --- | --- | --- | --- |\n";
  for (const MachineConstant& c : machine_constants())
    table += fmt::format("| `{}` | {} | {}..{} | {} | {} | {} |\n", c.name, c.default_value, c.low,
                         c.high, c.unit, name(c.origin), c.meaning);
  return table;
}

struct FormatText {
  const char* group;
  const char* operands;  ///< as ProgramBuilder's method takes them
};

FormatText format_text(Format format) {
  constexpr const char* kScalar = "Scalar arithmetic";
  constexpr const char* kMemory = "Memory";
  constexpr const char* kFlow = "Control flow";
  constexpr const char* kPlace = "Place and clock";
  constexpr const char* kDescriptors = "Descriptors";
  constexpr const char* kVectors = "Vector instructions";
  constexpr const char* kTasks = "Tasks";
  constexpr const char* kRouter = "Router";
  switch (format) {
    case Format::reg_imm:
      return {kScalar, "Reg d, immediate"};
    case Format::reg_reg:
      return {kScalar, "Reg d, Reg a"};
    case Format::reg_reg_reg:
      return {kScalar, "Reg d, Reg a, Reg b"};
    case Format::reg_reg_imm:
      return {kScalar, "Reg d, Reg a, immediate"};
    case Format::load:
    case Format::load_half:
    case Format::load_pair:
    case Format::store:
    case Format::store_half:
      return {kMemory, "Reg d, Reg a, offset = 0"};
    case Format::jump:
      return {kFlow, "Label target"};
    case Format::branch:
      return {kFlow, "Reg d, Reg a, Label target"};
    case Format::call:
      return {kFlow, "Reg d, Label target"};
    case Format::ret:
      return {kFlow, "Reg d"};
    case Format::place:
    case Format::clock:
      return {kPlace, "Reg d"};
    case Format::dsr_imm:
      return {kDescriptors, "Dsr d, immediate"};
    case Format::dsr_reg_imm:
      return {kDescriptors, "Dsr d, Reg a, immediate = 0"};
    case Format::dsr_fabric_in:
      return {kDescriptors, "Dsr d, queue"};
    case Format::dsr_fabric_out:
      return {kDescriptors, "Dsr d, queue, color, control = false"};
    case Format::dsr_shape:
      return {kDescriptors, "Dsr d, ShapeId shape"};
    case Format::dsr_fifo:
      return {kDescriptors, "Dsr d, FifoId fifo"};
    case Format::fifo_read:
      return {kDescriptors, "Reg d, FifoId fifo"};
    case Format::vector_vv:
      return {kVectors, "Dsr d, Dsr a, Dsr b, options = {}"};
    case Format::vector_vr:
      return {kVectors, "Dsr d, Dsr a, Reg r, options = {}"};
    case Format::vector_v:
      return {kVectors, "Dsr d, Dsr a, options = {}"};
    case Format::vector_r:
      return {kVectors, "Dsr d, Reg r, options = {}"};
    case Format::task:
      return {kTasks, "Task task"};
    case Format::end:
      return {kTasks, ""};
    case Format::pending:
      return {kRouter, "Reg d"};
    case Format::router:
      return {kRouter, "color, Reg d"};
  }
  return {"", ""};
}

/// The machine constant that the instruction's cycles depend on.
std::string_view cost_text(Cost cost) {
  switch (cost) {
    case Cost::scalar:
      return "`scalar_cycles`";
    case Cost::scalar_f32:
      return "`scalar_f32_cycles`";
    case Cost::branch:
      return "`branch_taken_cycles`";
    case Cost::router_write:
      return "`router_write_cycles`";
    case Cost::f32_add:
    case Cost::mixed_add:
    case Cost::mixed_multiply_add:
      return "`f32_add_rate`";
    case Cost::f32_multiply:
      return "`f32_multiply_rate`";
    case Cost::move32:
      return "`move32_rate`";
    case Cost::f16:
    case Cost::int16:
      return "`f16_rate`";
    case Cost::int32:
    case Cost::shift16:
    case Cost::max16:
    case Cost::max32:
    case Cost::widen:
    case Cost::narrow:
      return "`slow_rate`";
  }
  return "";
}

std::string instructions_table() {
  std::string table;
  std::string_view group;
  for (int op = 0; op < kInstructions; ++op) {
    const InstructionInfo& row = info(static_cast<Op>(op));
    const FormatText format = format_text(row.format);
    if (group != format.group) {
      group = format.group;
      table +=
          fmt::format("\n### {}\n\n| Instruction | Cost | Meaning |\n| --- | --- | --- |\n", group);
    }
    table += fmt::format("| `{}({})` | {} | {} |\n", row.name, format.operands, cost_text(row.cost),
                         row.meaning);
  }
  return table + "\n";
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {kRoot / "README.md", kRoot / "CHANGELOG.md",
                                 kRoot / "tests/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  return found;
}

/// The anchors of a page's headings, as the usual viewers name them.
std::set<std::string> anchors(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> all;
  for (std::string line; std::getline(in, line);) {
    const std::size_t from = line.find_first_not_of('#');
    if (from == 0 || from == std::string::npos || line[from] != ' ') continue;
    std::string anchor = "#";
    for (const char c : line.substr(from + 1)) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    all.insert(anchor);
  }
  return all;
}

/// Lines without their indentation; empty ones left out.
std::string squeezed(const std::string& text) {
  std::istringstream in(text);
  std::string all;
  for (std::string line; std::getline(in, line);) {
    const std::size_t from = line.find_first_not_of(' ');
    if (from != std::string::npos) all += line.substr(from) + "\n";
  }
  return all;
}

TEST(Docs, ConstantsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/machine-profile.md", "constants", constants_table());
}

TEST(Docs, InstructionsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/isa.md", "instructions", instructions_table());
}

TEST(Docs, TheDeadlockIsThatOfItsProgram) {
  const auto block = [](const std::string& text) { return "```\n" + text + "```\n"; };
  expect_generated(kRoot / "docs/model.md", "deadlock message",
                   block(message_of(late_limit()) + "\n"));
  expect_generated(kRoot / "docs/model.md", "deadlock report",
                   block(explain(report_of(late_limit()))));
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#]*)(#[^)]*)?\))");
  for (const fs::path& page : pages()) {
    const std::string text = text_of(page);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1], anchor = (*at)[2];
      if (target.starts_with("http")) continue;
      const fs::path leads_to = target.empty() ? page : page.parent_path() / target;
      EXPECT_TRUE(fs::exists(leads_to)) << page << " links to " << target;
      if (anchor.empty() || !fs::is_regular_file(leads_to)) continue;
      EXPECT_TRUE(anchors(text_of(leads_to)).contains(anchor))
          << page << " links to " << target << anchor;
    }
  }
}

TEST(Docs, SnippetsComeFromTheExamples) {
  std::string examples;
  for (const auto& entry : fs::directory_iterator(kRoot / "docs/examples"))
    if (entry.path().extension() == ".cpp") examples += squeezed(text_of(entry.path()));
  const std::string fence = "```cpp\n";
  for (const fs::path& page : pages()) {
    const std::string text = text_of(page);
    for (std::size_t at = 0; (at = text.find(fence, at)) != std::string::npos;) {
      at += fence.size();
      const std::string snippet = squeezed(text.substr(at, text.find("```", at) - at));
      EXPECT_NE(examples.find(snippet), std::string::npos) << page << " shows\n" << snippet;
    }
  }
}

}  // namespace
}  // namespace weft::test
