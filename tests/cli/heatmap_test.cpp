// `weft heatmap`: pictures of counted runs.
#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "evaluation/plot.hpp"
#include "support/generated_text.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"
#include "weft/heat_map.hpp"

namespace weft::test::heatmap_test {
namespace {

/// The pixels of a color in a picture: how many, and their mean place.
struct Place {
  std::size_t pixels = 0;
  double x = 0, y = 0;
};

Place place_of(std::uint32_t rgb, const std::string& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&image, picture.c_str()), 0) << image.message;
  image.format = PNG_FORMAT_RGB;
  std::vector<unsigned char> bytes(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr), 0) << image.message;
  Place place;
  for (std::size_t n = 0; n < bytes.size() / 3; ++n) {
    const std::uint32_t color = std::uint32_t{bytes[3 * n]} << 16U |
                                std::uint32_t{bytes[3 * n + 1]} << 8U | bytes[3 * n + 2];
    if (color != rgb) continue;
    ++place.pixels;
    const std::size_t x = n % image.width, y = n / image.width;
    place.x += static_cast<double>(x);
    place.y += static_cast<double>(y);
  }
  place.x /= static_cast<double>(place.pixels);
  place.y /= static_cast<double>(place.pixels);
  return place;
}

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

/// Type and data of each chunk of a PNG, whose checksums are right by zlib.
std::vector<std::pair<std::string, std::string>> chunks_of(const std::string& png) {
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t n = 0; n < 4; ++n)
      value = value << 8U | static_cast<unsigned char>(png.at(at + n));
    return value;
  };
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t at = 8; at < png.size();) {
    const std::uint32_t length = number(at);
    all.emplace_back(png.substr(at + 4, 4), png.substr(at + 8, length));
    const auto* const checked = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    EXPECT_EQ(::crc32(0, checked, length + 4), number(at + 8 + length));
    at += 12 + length;
  }
  return all;
}

TEST_F(Heatmap, AnimatesAllWindows) {
  if (!evaluation::can_plot()) GTEST_SKIP() << "gnuplot is not installed";
  const std::string file = folder_.file("a.apng");
  const CommandResult result = run_weft({"heatmap", run_, "moving", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const int windows = Profile::load(run_).windows;
  ASSERT_GT(windows, 1);
  int frames = 0;
  std::uint32_t next = 0;  // frames and their data are numbered in order
  for (const auto& [type, data] : chunks_of(text_of(file))) {
    if (type == "acTL") {
      const std::string frames_then_plays =
          std::string(3, '\0') + static_cast<char>(windows) + std::string(4, '\0');
      EXPECT_EQ(data, frames_then_plays);
    }
    if (type == "fcTL") ++frames;
    if (type != "fcTL" && type != "fdAT") continue;
    EXPECT_EQ(static_cast<unsigned char>(data.at(3)), next++ & 0xffU) << type;
  }
  EXPECT_EQ(frames, windows);
  const CommandResult refused = run_weft({"heatmap", run_, "moving", file, "--window", "0"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("it shows all windows"), std::string::npos) << refused.err;
}

TEST_F(Heatmap, DrawsEachPeAlsoOfThinMeshes) {
  if (!evaluation::can_plot()) GTEST_SKIP() << "gnuplot is not installed";
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 1}, {1, 3}, {40, 1}, {1, 600}, {4, 4}}) {
    SCOPED_TRACE(testing::Message() << width << " x " << height);
    const std::size_t pes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    Profile p{.width = width, .height = height, .cycles = 9};
    p.totals.fill(std::vector<std::uint64_t>(pes));
    std::vector<std::uint64_t>& moving = p.totals[static_cast<std::size_t>(Count::moving)];
    moving.front() = 9;
    for (std::size_t pe = 1; pe < pes; ++pe) moving[pe] = 2 * pe < pes ? 9 : 0;
    p.save(run_);
    const CommandResult result = run_weft({"heatmap", run_, "moving", picture_});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Place full = place_of(0x4d004b, picture_), none = place_of(0xf2f0f7, picture_);
    EXPECT_GT(full.pixels, 30000U);
    if (pes == 1) continue;
    EXPECT_GT(none.pixels, 30000U);
    if (height == 1) {
      EXPECT_LT(full.x, none.x);
    } else {
      EXPECT_LT(full.y, none.y);
    }
  }
}

TEST_F(Heatmap, TitlesTellTheLengthOfTheirWindow) {
  Profile p{.width = 2, .height = 1, .cycles = 19, .windows = 3, .window_cycles = 8};
  p.totals.fill({5, 7});
  p.windowed.fill({1, 2, 3, 4, 5, 6});
  const auto title = [&](std::optional<int> window) { return heat_map(p, "moving", window).title; };
  EXPECT_EQ(title({}), "moving (cycles), 19 cycles");
  EXPECT_EQ(title(1), "moving (cycles), 19 cycles, of which 8 from 8 on");
  EXPECT_EQ(title(2), "moving (cycles), 19 cycles, of which 3 from 16 on");
  EXPECT_EQ(heat_map(p, "busiest link", 2).values, (std::vector<std::uint64_t>{5, 6}));
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
