// `weft view`: a run as a page.
#include "cli/view.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/common/size.hpp"
#include "command.hpp"
#include "support/generated_text.hpp"
#include "support/temporary_folder.hpp"
#include "weft/profile.hpp"

namespace weft::test::view_test {
namespace {

class View : public testing::Test {
 protected:
  View() { save(run_, 2); }

  static void save(const std::string& path, int width) {
    Profile p{.width = width, .height = 1, .cycles = 9};
    p.totals.fill(std::vector<std::uint64_t>(static_cast<std::size_t>(width), 3));
    p.save(path);
  }

  TemporaryFolder folder_;
  std::string run_ = folder_.file("run.weft"), page_ = folder_.file("run.html");
};

TEST_F(View, WritesAPageBesideTheRun) {
  const CommandResult result = run_weft({"view", run_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, page_ + ": open it in a browser\n");
  EXPECT_TRUE(text_of(page_).starts_with("<!doctype html>"));
}

TEST_F(View, ComparesWithAnotherRun) {
  const std::string old = folder_.file("old.weft"), page = folder_.file("b.html");
  save(old, 2);
  const CommandResult result = run_weft({"view", run_, "--against", old, "-o", page});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(text_of(page).find("\"name\":\"old.weft\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(page_));
}

TEST_F(View, RefusesWhatItCannotShowAndLeavesFilesAsTheyAre) {
  const std::string wide = folder_.file("wide.weft");
  save(wide, 3);
  const std::string before = folder_.write("before.html", "before");
  const auto refuses = [&](std::vector<std::string> arguments, const std::string& words) {
    arguments.insert(arguments.end(), {"-o", before});
    arguments.insert(arguments.begin(), "view");
    const CommandResult result = run_weft(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_EQ(text_of(before), "before");
  };
  refuses({run_, "--against", wide}, "their meshes have 2 x 1 and 3 x 1 PEs");
  refuses({folder_.file("none.weft")}, "none.weft");
  refuses({folder_.write("text.weft", "no run")}, "as a run");
  refuses({folder_.write("cut.weft", text_of(run_).substr(0, 300))}, "as a run");
  refuses({run_, "--page-limit", "1000"}, "is too long");
  for (const char* limit : {"0", "12Q", "-1", "M", "64MM", "17179869184G"})
    refuses({run_, "--page-limit", limit}, "invalid --page-limit");
}

TEST_F(View, RefusesPagesOfOtherFormatsAndItsOwnInput) {
  for (const std::string& page : {folder_.file("a.png"), run_}) {
    const CommandResult result = run_weft({"view", run_, "-o", page});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find(".html"), std::string::npos) << result.err;
  }
}

TEST(PageLimit, HasUnits) {
  EXPECT_EQ(cli::parse_size("--page-limit", "7"), 7U);
  EXPECT_EQ(cli::parse_size("--page-limit", "2K"), 2048U);
  EXPECT_EQ(cli::parse_size("--page-limit", "64M"), 64U << 20);
  EXPECT_EQ(cli::parse_size("--page-limit", "3G"), 3ULL << 30);
}

}  // namespace
}  // namespace weft::test::view_test
