// The public headers keep their names in the versioned namespace, and out of their users' way.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "source_files.hpp"
#include "weft/version.hpp"

namespace weft::test::public_names_test {
namespace {

std::string versioned_namespace() {
  const std::string major(version(), std::string(version()).find('.'));
  return "namespace weft::inline v" + major;
}

TEST(PublicNames, StandInTheVersionedNamespace) {
  const std::string opened = versioned_namespace() + " {";
  const std::string closed = "}  // " + versioned_namespace();
  for (const std::filesystem::path& file : source_files("include")) {
    if (file.extension() != ".hpp" || file.filename() == "weft.hpp") continue;  // weft.hpp includes
    int opens = 0, closes = 0, others = 0;
    for (const std::string& line : lines_of(file)) {
      opens += line == opened;
      closes += line == closed;
      others += line.starts_with("namespace ") && line != opened;
    }
    EXPECT_TRUE(opens == 1 && closes == 1 && others == 0)
        << file.string() << " should open \"" << opened << "\" once, and no other namespace";
  }
}

/// Names that a `using namespace weft` would bring to anybody's file.
TEST(PublicNames, OfFunctionsAreNotGeneric) {
  const std::set<std::string> generic = {"name", "info",  "check", "why",  "run",    "read",
                                         "load", "write", "find",  "make", "create", "error_bound"};
  // A function of the namespace: its declaration starts in the first column.
  const std::regex declaration(R"(^[A-Za-z][A-Za-z0-9_:<>&*, ]*[ &*]([a-z_0-9]+)\()");
  int functions = 0;
  for (const std::filesystem::path& file : source_files("include")) {
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, declaration)) continue;
      ++functions;
      EXPECT_FALSE(generic.contains(match[1])) << file.string() << ": " << line;
    }
  }
  EXPECT_GT(functions, 10);
}

}  // namespace
}  // namespace weft::test::public_names_test
