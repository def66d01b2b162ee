// The page of a run: what is written into the viewer, decoded as the viewer does.
#include "weft/page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "page/planes.hpp"
#include "page/viewer.hpp"
#include "paths.hpp"
#include "support/generated_text.hpp"
#include "support/temporary_folder.hpp"
#include "weft/error.hpp"

namespace weft::test::page_test {
namespace {

using Json = nlohmann::json;
using Values = std::vector<std::uint64_t>;

/// Nothing is deflated: planes are read as they are.
std::string same(std::string_view bytes) { return std::string(bytes); }

/// 3 x 2 PEs, two windows of 300 cycles and one of 200.
Profile run() {
  Profile p{.width = 3, .height = 2, .cycles = 800, .windows = 3, .window_cycles = 300};
  for (std::size_t count = 0; count < kCounts; ++count) {
    const bool windowed = count_infos()[count].windowed;
    p.totals[count] = {0, count, 2 * count, 300, 70000, 800};
    if (!windowed) continue;
    for (unsigned w = 0; w < static_cast<unsigned>(p.windows); ++w)
      p.windowed[count].append(std::vector{0U, 1U, 2U, 100U, 150U, 300U - w});
  }
  ColorCounts color{.color = 5, .name = "halo"};
  color.wavelets.fill({1, 2, 3, 4, 5, 6});
  color.wavelets[1] = {0, 0, 0, 0, 800, 0};
  color.held = {9, 9, 9, 9, 9, 9};
  p.colors.push_back(std::move(color));
  p.programs.push_back({"heat", {{.first = 2, .what = "wait", .where = "heat.py:3", .cycles = 7}}});
  return p;
}

std::string element(const std::string& page, const std::string& id) {
  const std::string tag = fmt::format("id=\"{}\">", id);
  const std::size_t at = page.find(tag);
  EXPECT_NE(at, std::string::npos) << id;
  if (at == std::string::npos) return {};
  const std::size_t from = at + tag.size();
  return page.substr(from, page.find("</script>", from) - from);
}

Json header_of(const std::string& page) { return Json::parse(element(page, "run")); }

std::string from_base64(const std::string& text) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    word = word << 6 | static_cast<std::uint32_t>(kDigits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(word >> bits & 0xff));
  }
  return bytes;
}

/// A plane as numbers, the lowest bytes first.
Values plane(const std::string& page, const std::string& id, const Profile& p) {
  std::string bytes = from_base64(element(page, id));
  const auto width = static_cast<std::size_t>(p.width);
  const std::size_t pes = width * static_cast<std::size_t>(p.height);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    if (n % width != 0) bytes[n] = static_cast<char>(bytes[n] + bytes[n - 1]);
  Values values(pes);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    values[n % pes] += std::uint64_t{static_cast<unsigned char>(bytes[n])} << 8 * (n / pes);
  return values;
}

TEST(Page, IsTheViewerWithARun) {
  const std::string page = page_text(run(), {.name = "a.weft"}, same);
  const std::string_view viewer = page::viewer();
  const std::size_t place = viewer.find("<!--RUN-->");
  ASSERT_NE(place, std::string_view::npos);
  EXPECT_TRUE(page.starts_with(viewer.substr(0, place)));
  EXPECT_TRUE(page.ends_with(viewer.substr(place + 10)));
  EXPECT_EQ(text_of(std::string(WEFT_SOURCE_DIR) + "/viewer/viewer.html"), viewer);
  const Json header = header_of(page);
  const Json& facts = header.at("runs").at(0);
  EXPECT_EQ(facts.at("name"), "a.weft");
  EXPECT_EQ(facts.at("windows"), 3);
  EXPECT_EQ(facts.at("colors").at(0).at("wavelets"), Json({21, 800, 21, 21, 21}));
  EXPECT_EQ(facts.at("programs").at(0).at("lines").at(0).at("where"), "heat.py:3");
  EXPECT_EQ(header.at("note"), "");
}

TEST(Page, HasExactTotals) {
  const Profile p = run();
  const std::string page = page_text(p, {}, same);
  for (const CountInfo& info : count_infos())
    EXPECT_EQ(plane(page, fmt::format("0.{}", info.name), p), p.counts(info.count)) << info.name;
  EXPECT_EQ(plane(page, "0.color.5.east", p), p.links(Port::east, 5));
  EXPECT_EQ(plane(page, "0.color.5.held", p), p.colors[0].held);
  EXPECT_EQ(plane(page, "0.color.5.ramp", p), p.links(Port::ramp, 5));
}

TEST(Page, HasWindowsInBytes) {
  const Profile p = run();
  const std::string page = page_text(p, {}, same);
  EXPECT_EQ(plane(page, "0.moving.0", p), (Values{0, 1, 2, 85, 128, 255}));
  EXPECT_EQ(plane(page, "0.moving.1", p), (Values{0, 1, 2, 85, 128, 254}));  // not full
  const Json counts = header_of(page).at("runs").at(0).at("counts");
  EXPECT_EQ(counts.at(1).at("name"), "moving");
  EXPECT_EQ(counts.at(1).at("full"), 300);
  EXPECT_EQ(counts.at(1).at("peak"), 300);
  EXPECT_EQ(counts.at(1).at("series"), Json({553, 552, 551}));
}

TEST(Page, NamesTheFullestLinksAndTheirColor) {
  const Json links = header_of(page_text(run(), {}, same)).at("runs").at(0).at("links");
  ASSERT_FALSE(links.empty());
  EXPECT_EQ(links.at(0), Json({{"x", 1}, {"y", 1}, {"to", 0}, {"wavelets", 70000}, {"color", 5}}));
  for (std::size_t n = 1; n < links.size(); ++n)
    EXPECT_LE(links[n].at("wavelets"), links[n - 1].at("wavelets"));
}

// A long path has more ways than the map can show.
TEST(Page, MarksTheLongestWaysOfThePath) {
  constexpr int kSide = 100;
  Profile p{.width = kSide, .height = kSide, .cycles = 0};
  for (auto& total : p.totals) total.resize(kSide * kSide);
  for (int pe = 0; pe + 1 < kSide * kSide; ++pe) {
    const std::uint64_t cycles = pe + 2 == kSide * kSide ? 9 : 1;  // the last way
    PathPiece way{.from = p.cycles, .to = p.cycles + cycles, .kind = PathKind::on_the_way};
    way.x = pe % kSide;
    way.y = pe / kSide;
    way.to_x = (pe + 1) % kSide;
    way.to_y = (pe + 1) / kSide;
    p.path.push_back(way);
    p.cycles = way.to;
  }
  const Json arrows = header_of(page_text(p, {}, same)).at("runs").at(0).at("path").at("arrows");
  EXPECT_EQ(arrows.size(), 4096U);
  EXPECT_EQ(arrows.at(0).at("to"), (Json{{"x", kSide - 1}, {"y", kSide - 1}}));
}

TEST(Page, ShowsRoutesProgramsPhasesAndWaits) {
  Profile p = run();
  p.machine.name = "wse2-simfab";
  p.colors[0].routes = {{{.rx = Port::west, .tx = {Port::east, Port::ramp}}, true}};
  p.colors[0].routes[0].route.positions = {SwitchPosition::receive(Port::ramp)};
  p.colors[0].route_of = {-1, 0, 0, 0, 0, -1};
  p.programs[0].code = {{.text = "mov32 r1", .line = 0, .cycles = 7}};
  p.programs[0].arrays = {{"u", {.address = 8, .bytes = 24}}};
  p.program_of = {0, -1, 0, -1, 0, 0};
  PhaseCounts phase{.name = "halo"};
  phase.first = {PhaseCounts::kNever, 7, 8, 9, 10, 11};
  phase.last = {0, 17, 18, 19, 25, 21};
  for (auto& counts : phase.counts) counts.resize(6);
  p.phases = {phase};
  p.stuck = Stuck{"deadlock", {"a cause"}, {{.what = "a wavelet", .x = 2, .cause = 0}}};
  const std::string page = page_text(p, {}, same);
  const Json facts = header_of(page).at("runs").at(0);
  EXPECT_EQ(facts.at("machine"), "wse2-simfab");
  EXPECT_EQ(plane(page, "0.color.5.routes", p), (Values{0, 1, 1, 1, 1, 0}));
  EXPECT_EQ(plane(page, "0.program", p), (Values{1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(facts.at("colors").at(0).at("routes"),
            Json::array({{{"from", 1},
                          {"to", 2 + 16},
                          {"text", "west → east, core; then from core; filtered"}}}));
  EXPECT_EQ(facts.at("programs").at(0).at("code").at(0).at("text"), "mov32 r1");
  EXPECT_EQ(facts.at("programs").at(0).at("arrays").at(0).at("bytes"), 24);
  EXPECT_EQ(facts.at("phases"), Json::array({{{"name", "halo"}, {"first", 7}, {"last", 26}}}));
  EXPECT_EQ(facts.at("stuck").at("waits").at(0).at("x"), 2);
  EXPECT_EQ(facts.at("least").at(0).at("took"), 800);
  EXPECT_FALSE(header_of(page_text(run(), {}, same)).at("runs").at(0).contains("stuck"));
}

TEST(Page, TakesAnyNamesAsText) {
  Profile p = run();
  p.colors[0].name = "</script><script>alert(1)</script>\xff";
  const std::string page = page_text(p, {.name = "<!--<img src=x>"}, same);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("alert(1)</"), std::string::npos);
  const Json facts = header_of(page).at("runs").at(0);
  EXPECT_EQ(facts.at("name"), "<!--<img src=x>");
  EXPECT_EQ(facts.at("colors").at(0).at("name"), "</script><script>alert(1)</script>\xef\xbf\xbd");
}

TEST(Page, HasFewerWindowsWhereItWouldBeTooLong) {
  const Profile p = run();
  const std::string whole = page_text(p, {}, same);
  const std::string less = page_text(p, {.limit = whole.size() - 1}, same);
  EXPECT_LT(less.size(), whole.size());
  const Json header = header_of(less);
  EXPECT_NE(header.at("note"), "");
  EXPECT_EQ(header.at("runs").at(0).at("windows"), 2);
  EXPECT_EQ(header.at("runs").at(0).at("window_cycles"), 600);
  EXPECT_EQ(header.at("runs").at(0).at("counts").at(0).at("series"), Json({1105, 551}));
  EXPECT_EQ(plane(less, "0.computing.0", p), (Values{0, 1, 2, 85, 128, 254}));  // of 2, 4, ... 599
  EXPECT_THROW(page_text(p, {.limit = 1000}, same), Error);
}

TEST(Page, ComparesRunsOfTheSameMesh) {
  Profile p = run(), other = run();
  other.totals[0][2] = 5;
  const std::string page = page_text(p, {.against = &other, .against_name = "old"}, same);
  EXPECT_EQ(plane(page, "1.computing", other), other.totals[0]);
  EXPECT_EQ(header_of(page).at("runs").at(1).at("name"), "old");
  other.width = 2;
  other.height = 3;
  try {
    page_text(p, {.against = &other}, same);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::usage);
    EXPECT_NE(std::string(error.what()).find("3 x 2 and 2 x 3 PEs"), std::string::npos);
  }
}

TEST(Page, ShowsRunsWithoutWindowsOrCycles) {
  Profile p = run();
  p.windows = 0;
  p.cycles = 0;
  p.windowed = {};
  const std::string page = page_text(p, {}, same);
  EXPECT_EQ(page.find("id=\"0.moving.0\""), std::string::npos);
  EXPECT_FALSE(header_of(page).at("runs").at(0).at("counts").at(0).contains("series"));
}

TEST(Page, IsDeflatedInItsFile) {
  TemporaryFolder folder;
  const Profile p = run();
  write_page(folder.file("a.html"), p);
  const std::string packed = from_base64(element(text_of(folder.file("a.html")), "0.moving"));
  std::string bytes(100, '\0');
  z_stream stream{};
  ASSERT_EQ(::inflateInit2(&stream, -15), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  ::inflateEnd(&stream);
  EXPECT_EQ(bytes, page::exact_plane(p.totals[1], 3));
}

TEST(Page, FilesAreWholeOrNotThere) {
  TemporaryFolder folder;
  EXPECT_THROW(write_page(folder.file("none/a.html"), run()), Error);
  const std::string before = folder.write("a.html", "before");
  EXPECT_THROW(write_page(before, run(), {.limit = 1000}), Error);
  EXPECT_EQ(text_of(before), "before");
}

TEST(Base64, IsThatOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"", ""},        {"f", "Zg=="},        {"at", "YXQ="},
      {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xef", "/+8="}};
  for (const auto& [bytes, text] : known) EXPECT_EQ(page::base64(bytes), text);
}

}  // namespace
}  // namespace weft::test::page_test
