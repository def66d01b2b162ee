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

#include "fabric/errors/deadlock/text.hpp"
#include "fabric/errors/faults.hpp"
#include "isa/info.hpp"
#include "model/state.hpp"
#include "paths.hpp"
#include "support/deadlocks.hpp"
#include "support/generated_text.hpp"
#include "support/instruction_text.hpp"
#include "weft/machine.hpp"
#include "weft/profile.hpp"

namespace weft::test::docs_test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = WEFT_SOURCE_DIR;

std::string constants_table() {
  std::string table =
      "| Constant | Default | Allowed | Unit | Origin | Meaning |\n"
      "| --- | ---: | --- | --- | --- | --- |\n";
  for (const MachineConstant& c : machine_constants())
    table += fmt::format("| `{}` | {} | {}..{} | {} | {} | {} |\n", c.name, c.default_value, c.low,
                         c.high, c.unit, to_string(c.origin), c.meaning);
  return table;
}

std::string counts_table() {
  std::string table =
      "| `Count` | Unit | Meaning | By windows |\n"
      "| --- | --- | --- | --- |\n";
  for (const CountInfo& c : count_infos())
    table += fmt::format("| `{}` | {} | {} | {} |\n", c.name, c.unit, c.meaning,
                         c.windowed ? "yes" : "");
  return table;
}

std::string events_table() {
  std::string table =
      "| `EventKind` | Group | `number` | `value` | Meaning |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const EventInfo& e : event_infos())
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", e.name, e.group, e.number, e.value,
                         e.meaning);
  return table;
}

std::string path_table() {
  std::string table =
      "| `PathKind` | In words | Meaning |\n"
      "| --- | --- | --- |\n";
  for (const PathKindInfo& k : path_kind_infos())
    table += fmt::format("| `{}` | {} | {} |\n", k.name, k.word, k.meaning);
  return table;
}

/// The parameters of the builder's method; numbers and options without their types.
std::string parameters_text(isa::Format format) {
  std::string list;
  for (const Parameter& p : parameters(format)) {
    const bool plain = std::islower(p.type.front()) != 0 || p.type == "VectorOptions";
    append_listed(list, plain ? std::string(p.name) : fmt::format("{} {}", p.type, p.name));
    if (!p.initial.empty()) list += fmt::format(" = {}", p.initial);
  }
  return list;
}

std::string instructions_table() {
  std::string table;
  std::string_view group;
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    const std::string_view here = heading(isa::info(row.format).group);
    if (group != here) {
      group = here;
      table +=
          fmt::format("\n## {}\n\n| Instruction | Cost | Meaning |\n| --- | --- | --- |\n", group);
    }
    table += fmt::format("| `{}({})` | `{}` | {} |\n", row.name, parameters_text(row.format),
                         isa::info(row.cost).constant, row.meaning);
  }
  return table + "\n";
}

/// A fault's words with an N for each number.
std::string without_values(std::string words) {
  return std::regex_replace(words, std::regex(R"(\{[a-z]+\})"), "N");
}

std::string faults_table() {
  std::string table =
      "| `FaultKind` | What one sees | Whose fault | What to do |\n| --- | --- | --- | --- |\n";
  for (const fabric::FaultRow& row : fabric::fault_rows())
    table += fmt::format("| `{}` | {} | {} | {} |\n", row.name, without_values(row.problem),
                         row.whose, row.remedy);
  return table;
}

std::string first_causes_table() {
  std::string table = "| First cause | What to do |\n| --- | --- |\n";
  for (int kind = 0; kind <= static_cast<int>(DeadlockKind::no_more_wavelets); ++kind)
    table += fmt::format("| {} | {} |\n", to_string(static_cast<DeadlockKind>(kind)),
                         fabric::remedy(static_cast<DeadlockKind>(kind)));
  return table;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {kRoot / "tests/README.md"};
  for (const auto& entry : fs::directory_iterator(kRoot))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
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

/// The structures of a strip through which streams go to the east and the south, as
/// bench/loads/loads.cpp has them: of each direction two colors, each with an input at a link and
/// one at the ramp.
std::string strip_table() {
  constexpr std::size_t kStreamed = 4, kInputs = 2;
  struct Part {
    const char* name;
    std::size_t count, bytes;
  };
  const Part parts[] = {
      {"the strip's routers (`StripState`)", 1, sizeof(model::StripState)},
      {"colors (`ColorState`)", kStreamed, sizeof(model::ColorState)},
      {"router queues (`PortQueue`)", kStreamed * kInputs, sizeof(model::PortQueue)},
      {"cores (`CoreState`) without the next two", 1,
       sizeof(model::CoreState) - sizeof(model::CoreState::microthread) -
           sizeof(model::CoreState::in) - sizeof(model::CoreState::out)},
      {"microthreads (`Microthread`)", model::kMicrothreads, sizeof(model::Microthread)},
      {"ramp queues (`RampQueue`)", kInputQueues + kOutputQueues, sizeof(model::RampQueue)}};
  std::string table = "| Part | Count | Bytes of each | Bytes |\n| --- | ---: | ---: | ---: |\n";
  std::size_t all = 0;
  for (const Part& part : parts) {
    table += fmt::format("| {} | {} | {} | {} |\n", part.name, part.count, part.bytes,
                         part.count * part.bytes);
    all += part.count * part.bytes;
  }
  return table + fmt::format("| all | | | {} |\n", all);
}

/// A page without its blocks of code.
std::string without_code(std::string text) {
  const std::string fence = "```";
  for (std::size_t at; (at = text.find(fence)) != std::string::npos;) {
    const std::size_t end = text.find(fence, at + fence.size());
    if (end == std::string::npos) break;
    text.erase(at, end + fence.size() - at);
  }
  return text;
}

TEST(Docs, ConstantsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/machine-profile.md", "constants", constants_table());
}

TEST(Docs, InstructionsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/isa.md", "instructions", instructions_table());
}

TEST(Docs, CountsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/model.md", "counts", counts_table());
}

TEST(Docs, EventsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/model.md", "events", events_table());
}

TEST(Docs, KindsOfPiecesAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/model.md", "critical path", path_table());
}

TEST(Docs, BytesOfAStripAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/performance.md", "bytes of a strip", strip_table());
}

TEST(Docs, FaultsAreThoseOfTheCode) {
  expect_generated(kRoot / "docs/model.md", "faults", faults_table());
  expect_generated(kRoot / "docs/model.md", "first causes", first_causes_table());
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
    const std::string text = without_code(text_of(page));
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

/// The lines of code on a page in a language, in pieces: a line of three dots stands for others.
std::vector<std::string> snippets(const std::string& text, const std::string& language) {
  std::vector<std::string> all;
  const std::string fence = "```" + language + "\n", dots = "...\n";
  for (std::size_t at = 0; (at = text.find(fence, at)) != std::string::npos;) {
    at += fence.size();
    std::string code = squeezed(text.substr(at, text.find("```", at) - at));
    for (std::size_t end; (end = code.find(dots)) != std::string::npos;) {
      all.push_back(code.substr(0, end));
      code.erase(0, end + dots.size());
    }
    all.push_back(code);
  }
  return all;
}

TEST(Docs, SnippetsComeFromTheExamples) {
  const std::pair<const char*, const char*> languages[] = {{"cpp", ".cpp"}, {"python", ".py"}};
  for (const auto& [language, extension] : languages) {
    std::string examples;
    for (const auto& entry : fs::directory_iterator(kRoot / "docs/examples"))
      if (entry.path().extension() == extension) examples += squeezed(text_of(entry.path()));
    for (const fs::path& page : pages()) {
      // Tests of the Python module run the programs of these.
      constexpr std::string_view kRun[] = {"mistakes.md", "observing.md", "sweeps.md"};
      if (std::ranges::find(kRun, page.filename()) != std::end(kRun)) continue;
      for (const std::string& snippet : snippets(text_of(page), language))
        EXPECT_NE(examples.find(snippet), std::string::npos) << page << " shows\n" << snippet;
    }
  }
}

}  // namespace
}  // namespace weft::test::docs_test
