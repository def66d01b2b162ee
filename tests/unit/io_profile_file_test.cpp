// Files of counted runs: whole again, as NumPy has them, and refused where they are none.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/generated_text.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::io_profile_file_test {
namespace {

/// A short stream along a row, with a name that is no name of HTML.
Profile counted(int windows, int words = 7, int width = 3, int height = 2) {
  Mesh mesh(width, height);
  mesh.line(5);
  mesh.pe(0).send(0, 5, counting(words));
  for (int x = 1; x < width; ++x) mesh.pe(x).receive(0, words);
  FabricOptions options;
  options.engine = Engine::reference;
  options.observe = {true, windows};
  Layout layout = mesh.layout();
  layout.name_color(5, "rows </script> \"\xC3\xA9\"");
  Fabric fabric(layout, mesh.machine(), options);
  mesh.fill(fabric);
  fabric.run_until_idle(10000);
  return fabric.profile();
}

class ProfileFile : public testing::Test {
 protected:
  std::string path() const { return folder_.file("run.weft"); }
  void write(const std::string& bytes) const { folder_.write("run.weft", bytes); }

  TemporaryFolder folder_;
};

TEST_F(ProfileFile, IsWholeAgain) {
  for (const int windows : {0, 16, 256}) {
    const Profile p = counted(windows);
    p.save(path());
    EXPECT_EQ(Profile::load(path()), p);
  }
}

TEST_F(ProfileFile, LargeNumbersToo) {
  Profile p = counted(16);
  p.totals[3][2] = ~std::uint64_t{0} - 5;
  std::vector<std::uint32_t> numbers = p.windowed[0].numbers();
  numbers[1] = 1'000'000;
  p.windowed[0] = PackedCounts(numbers);
  p.colors.front().held[4] = std::uint64_t{1} << 40;
  p.save(path());
  EXPECT_EQ(Profile::load(path()), p);
}

TEST_F(ProfileFile, OfManyPesToo) {
  const Profile p = counted(16, 20, 90, 70);
  std::size_t pieces = 0, bytes = 0;
  p.write_entry("pes.npy", [&](std::string_view piece) {
    ++pieces;
    bytes += piece.size();
  });
  EXPECT_GT(pieces, 10U);
  EXPECT_EQ(bytes, p.entry("pes.npy").bytes.size());
  p.save(path());
  EXPECT_EQ(Profile::load(path()), p);
}

TEST_F(ProfileFile, HasFilesByName) {
  const Profile p = counted(16);
  for (const ProfileEntry& entry : p.entries()) EXPECT_EQ(p.entry(entry.name).bytes, entry.bytes);
  expect_error(
      ErrorCategory::usage, [&] { p.entry("pes"); }, "a profile has no file 'pes'", "pes.npy");
}

TEST_F(ProfileFile, EqualRunsAreEqualFiles) {
  counted(16).save(path());
  const std::string first = text_of(path());
  counted(16).save(path());
  EXPECT_EQ(text_of(path()), first);
}

TEST_F(ProfileFile, ThatIsCutIsRefused) {
  counted(16).save(path());
  const std::string whole = text_of(path());
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{40}}) {
    write(whole.substr(0, size));
    expect_error(
        ErrorCategory::input, [&] { Profile::load(path()); }, "cannot use '", "as a run");
  }
}

TEST_F(ProfileFile, OfSomethingElseIsRefused) {
  write("\x93NUMPY is no archive");
  expect_error(
      ErrorCategory::input, [&] { Profile::load(path()); }, "as a run");
  expect_error(
      ErrorCategory::input, [&] { Profile::load(folder_.file("none.weft")); }, "none.weft");
}

TEST_F(ProfileFile, AFolderOrAMissingOneIsNoPlaceForIt) {
  const Profile p = counted(0);
  expect_error(
      ErrorCategory::environment, [&] { p.save(folder_.file("")); }, "folder");
  expect_error(
      ErrorCategory::environment, [&] { p.save(folder_.file("no/a")); }, "cannot write");
}

TEST(ProfileEntries, TellTheMachineTheRoutesAndTheCode) {
  const Profile p = counted(0);
  EXPECT_EQ(p.machine, test_machine());
  ASSERT_EQ(p.colors.size(), 1U);
  const ColorCounts& color = p.colors.front();
  ASSERT_EQ(color.route_of.size(), 6U);
  const auto route = [&](std::size_t pe) -> const Route& {
    return color.routes.at(static_cast<std::size_t>(color.route_of[pe])).route;
  };
  EXPECT_TRUE(route(0).rx.has(Port::ramp));
  EXPECT_TRUE(route(2).tx.has(Port::ramp));
  EXPECT_FALSE(route(2).tx.has(Port::east));
  ASSERT_EQ(p.program_of.size(), 6U);
  std::uint64_t of_code = 0, of_lines = 0;
  for (const ProgramCounts& program : p.programs) {
    ASSERT_FALSE(program.tasks.empty());
    for (const CodeCounts& code : program.code) {
      EXPECT_NE(code.text, "");
      of_code += code.cycles;
    }
    for (const LineCounts& line : program.lines) of_lines += line.cycles;
  }
  EXPECT_EQ(of_code, of_lines);
  EXPECT_GT(of_code, 0U);
}

TEST(ProfileEntries, KeepWhoWaitsForWhom) {
  Profile p = counted(0);
  p.stuck = Stuck{.error = "a deadlock",
                  .causes = {"nobody sends"},
                  .waits = {{.what = "a",
                             .line = "b",
                             .x = 1,
                             .color = 5,
                             .cause = 0,
                             .waits_for = 0,
                             .first = true}}};
  EXPECT_EQ(Profile::of_entries(p.entries(), "a.weft"), p);
  p.stuck->waits.front().waits_for = 1;
  expect_error(
      ErrorCategory::input, [&] { Profile::of_entries(p.entries(), "a.weft"); }, "cannot use",
      "stuck");
}

TEST(ProfileEntries, KeepTheCriticalPath) {
  Profile p = counted(0);
  const std::size_t without = p.entries().size();
  p.path = {{.to = 5, .kind = PathKind::host, .x = 1},
            {.from = 5,
             .to = p.cycles,
             .kind = PathKind::on_the_way,
             .y = 1,
             .to_x = 2,
             .to_y = 1,
             .color = 5,
             .instruction = -1,
             .phase = -1}};
  EXPECT_EQ(p.entries().size(), without + 1);
  EXPECT_EQ(Profile::of_entries(p.entries(), "a.weft"), p);
  const auto refused = [&](auto change) {
    Profile other = p;
    change(other.path.back());
    expect_error(
        ErrorCategory::input, [&] { Profile::of_entries(other.entries(), "a.weft"); }, "cannot use",
        "path.npy");
  };
  refused([](PathPiece& piece) { ++piece.from; });
  refused([](PathPiece& piece) { --piece.to; });
  refused([](PathPiece& piece) { piece.to_x = 3; });
  refused([](PathPiece& piece) { piece.color = kColors; });
  refused([](PathPiece& piece) { piece.instruction = 1 << 20; });
  refused([](PathPiece& piece) { piece.phase = 0; });
}

/// The entries with something else for a text in one of them.
std::vector<ProfileEntry> changed(const std::string& name, const std::string& from,
                                  const std::string& to) {
  std::vector<ProfileEntry> entries = counted(16).entries();
  for (ProfileEntry& entry : entries) {
    if (entry.name != name) continue;
    const std::size_t at = entry.bytes.find(from);
    EXPECT_NE(at, std::string::npos) << entry.bytes;
    entry.bytes.replace(at, from.size(), to);
  }
  return entries;
}

TEST(ProfileEntries, OfALaterFormatSayWhichOne) {
  expect_error(
      ErrorCategory::input,
      [] { Profile::of_entries(changed("run.json", "\"format\": 2", "\"format\": 7"), "a.weft"); },
      "cannot read 'a.weft'", "format 7", "later version");
}

TEST(ProfileEntries, OfAnEarlierFormatSayWhatToDo) {
  expect_error(
      ErrorCategory::input,
      [] { Profile::of_entries(changed("run.json", "\"format\": 2", "\"format\": 1"), "a.weft"); },
      "cannot read 'a.weft'", "format 1", "run the program once more");
}

TEST(ProfileEntries, ThatDoNotFitTogetherAreRefused) {
  const auto refuses = [](const std::string& name, const std::string& from, const std::string& to,
                          const std::string& why) {
    expect_error(
        ErrorCategory::input, [&] { Profile::of_entries(changed(name, from, to), "a.weft"); },
        "cannot use 'a.weft'", why);
  };
  refuses("run.json", "\"width\": 3", "\"width\": 4", "its pes.npy is not the array");
  refuses("run.json", "\"width\": 3", "\"width\": -3", "its mesh has an invalid size");
  refuses("run.json", "\"width\": 3", "\"width\": 99999999", "its mesh has an invalid size");
  refuses("run.json", "\"width\": 3", "\"width\": \"3\"", "its run.json cannot be read");
  refuses("run.json", "\"weft run\"", "\"other\"", "another kind");
  refuses("run.json", "{", "[", "its run.json cannot be read");
  refuses("run.json", "\"color\": 5", "\"color\": 24", "its colors are not in order from 0 to 23");
  refuses("colors.npy", "'held', '<u8'", "'held', '<i8'", "its colors.npy is not the array");
  refuses("pes.npy", "NUMPY", "numpy", "its pes.npy is not the array");
  refuses("run.json", "\"input_queue_4_7_depth\": ", "\"input_queue_4_7_depth\": -", "machine");
  refuses("run.json", "\"input_queue_4_7_depth\": ", "\"input_queue_4_7_depth\": 0, \"old\": ",
          "input_queue_4_7_depth");
  refuses("run.json", "\"arrays\": {",
          R"("arrays": {"w": {"address": 0, "bytes": 4, "extents": [1], "type": 99})",
          "its run.json cannot be read");
  refuses("run.json", "\"tasks\": [",
          R"("tasks": [{"entry": 0, "kind": 3, "name": "", "number": 0},)",
          "its run.json cannot be read");
  refuses("run.json", "\"pop\": 0", "\"pop\": 9", "its run.json cannot be read");
  refuses("run.json", "\"ramp_cycles\"", "\"ramp_circles\"", "its run.json cannot be read");
  refuses("run.json", "\"phases\": [", "\"phases\": [\"a\",", "its run.json cannot be read");
  refuses("programs.npy", std::string(4, '\0'), "\x7f", "its programs.npy is not the array");
  refuses("routes.npy", "<i4", "<u4", "its routes.npy is not the array");
  refuses("code.npy", "<i4", "<i8", "its code.npy is not the array");
  refuses("phases.npy", "'last'", "'lost'", "its phases.npy is not the array");
  expect_error(
      ErrorCategory::input, [] { Profile::of_entries({}, "a.weft"); }, "it has no run.json");
}

}  // namespace
}  // namespace weft::test::io_profile_file_test
