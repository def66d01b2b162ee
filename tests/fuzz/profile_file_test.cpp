// Reading a run of any bytes gives a profile or a weft::Error: no crash, no other exception.
#include <gtest/gtest.h>

#include <random>

#include "support/effort.hpp"
#include "support/generated_text.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::profile_file_test {
namespace {

using Dice = std::mt19937_64;

constexpr std::size_t kOthers = 8;  ///< run.json and the arrays beside windows, which come first

Profile counted() {
  Mesh mesh(2);
  mesh.line(5);
  mesh.pe(0).send(0, 5, counting(3));
  mesh.pe(1).run([](ProgramBuilder& p) { p.phase("first"); }).receive(0, 3);
  FabricOptions options;
  options.engine = Engine::reference;
  options.observe = {true, 16};
  Fabric fabric(mesh.layout(), mesh.machine(), options);
  mesh.fill(fabric);
  fabric.run_until_idle(10000);
  return fabric.profile();
}

void mutate(std::string& bytes, Dice& engine) {
  for (std::size_t edits = 1 + engine() % 3; edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = engine() % bytes.size();
    const auto byte = static_cast<char>(engine() & 0xffU);
    switch (engine() % 4) {
      case 0:
        bytes[at] = byte;
        break;
      case 1:
        bytes.insert(at, 1, byte);
        break;
      case 2:
        bytes.erase(at, 1 + engine() % 4);
        break;
      default:
        bytes[at] = "0123456789{}[]\",:-e."[engine() % 20];
    }
  }
}

struct Ends {
  int read = 0, refused = 0;

  template <class F>
  void note(F reads) {
    try {
      const Profile p = reads();
      ++read;
      EXPECT_EQ(p.totals.front().size(), static_cast<std::size_t>(p.width * p.height));
      EXPECT_FALSE(explanation_text(p).empty());
      EXPECT_FALSE(
          page_text(p, {}, [](std::string_view bytes) { return std::string(bytes); }).empty());
      for (const ProgramCounts& program : p.programs)
        for (const auto& [name, span] : program.arrays) EXPECT_FALSE(to_string(span.type).empty());
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.category(), ErrorCategory::input) << error.what();
    }
  }
};

TEST(ProfileFuzz, MutatedEntries) {
  Dice engine(seed_from(1));
  const std::vector<ProfileEntry> valid = counted().entries();
  Ends ends;
  for (int round = 0; round < by_effort(300, 2000, 4000) && !HasFailure(); ++round) {
    std::vector<ProfileEntry> entries = valid;
    mutate(entries[engine() % kOthers].bytes, engine);
    ends.note([&] { return Profile::of_entries(entries, "a.weft"); });
  }
  EXPECT_GT(ends.read, 0);
  EXPECT_GT(ends.refused, 0);
}

TEST(ProfileFuzz, MutatedFiles) {
  Dice engine(seed_from(2));
  const TemporaryFolder folder;
  const std::string path = folder.file("run.weft");
  counted().save(path);
  const std::string valid = text_of(path);
  Ends ends;
  for (int round = 0; round < by_effort(200, 1000, 2000) && !HasFailure(); ++round) {
    std::string bytes = valid;
    mutate(bytes, engine);
    folder.write("b.weft", bytes);
    ends.note([&] { return Profile::load(folder.file("b.weft")); });
  }
  EXPECT_GT(ends.refused, 0);
}

}  // namespace
}  // namespace weft::test::profile_file_test
