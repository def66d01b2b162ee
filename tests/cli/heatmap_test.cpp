// `weft heatmap`: pictures of counted runs.
#include <gtest/gtest.h>

#include <filesystem>

#include "command.hpp"
#include "evaluation/plot.hpp"
#include "support/generated_text.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::heatmap_test {
namespace {

class Heatmap : public testing::Test {
 protected:
  Heatmap() {
    Mesh mesh(3, 2);
    mesh.line(5);
    mesh.pe(0).send(0, 5, counting(7));
    for (int x = 1; x < 3; ++x) mesh.pe(x).receive(0, 7);
    FabricOptions options;
    options.engine = Engine::reference;
    options.observe = {true, 16};
    mesh.start(options);
    mesh.run();
    mesh.fabric().profile().save(run_);
  }

  TemporaryFolder folder_;
  std::string run_ = folder_.file("run.weft"), picture_ = folder_.file("a.png");
};

TEST_F(Heatmap, DrawsACountOfAllCyclesOrOfAWindow) {
  if (!evaluation::can_plot()) GTEST_SKIP() << "gnuplot is not installed";
  for (const std::vector<std::string>& metric :
       {std::vector<std::string>{"computing"}, {"busiest link"}, {"link_east", "--window", "1"}}) {
    std::vector<std::string> arguments{"heatmap", run_, metric.front(), picture_};
    arguments.insert(arguments.end(), metric.begin() + 1, metric.end());
    const CommandResult result = run_weft(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(text_of(picture_).substr(1, 3), "PNG");
    std::filesystem::remove(picture_);
  }
}

TEST_F(Heatmap, RefusesWhatThereIsNot) {
  const auto refuses = [&](const std::vector<std::string>& arguments, const std::string& words) {
    const CommandResult result = run_weft(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(picture_));
  };
  refuses({"heatmap", run_, "computin", picture_}, "the nearest is computing");
  refuses({"heatmap", run_, "computing", picture_, "--window", "99"}, "invalid window: 99");
  refuses({"heatmap", run_, "tasks", picture_, "--window", "0"}, "tasks is not kept by windows");
  refuses({"heatmap", run_, "computing", folder_.file("a.jpg")}, ".png");
  refuses({"heatmap", folder_.file("none.weft"), "computing", picture_}, "none.weft");
  refuses({"heatmap", folder_.write("text.weft", "no run"), "computing", picture_}, "as a run");
}

}  // namespace
}  // namespace weft::test::heatmap_test
