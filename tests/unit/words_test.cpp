// Words of enumerations: what to_string writes, from_word reads.
#include "base/words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/expect_error.hpp"
#include "weft/words.hpp"

namespace weft::test::words_test {
namespace {

template <class Enum>
class Words : public testing::Test {};

using Enumerations = testing::Types<Engine, FftAlgorithm, S3dftForm, FftPrecision, FftDirection,
                                    FftKind, FftNorm, FftTranspose, FftPencil>;
TYPED_TEST_SUITE(Words, Enumerations);

TYPED_TEST(Words, AreReadAsTheyAreWritten) {
  std::set<std::string_view> words, commands;
  for (const base::Word<TypeParam>& row : base::kWords<TypeParam>) {
    EXPECT_EQ(to_string(row.value), row.word);
    EXPECT_EQ(from_word<TypeParam>("option", row.word), row.value);
    words.insert(row.word);
    commands.insert(row.in_command);
  }
  EXPECT_EQ(words.size(), std::size(base::kWords<TypeParam>));
  EXPECT_EQ(commands.size(), words.size());
}

TEST(Word, OfNoValueIsRefusedWithTheNearest) {
  expect_error(
      ErrorCategory::usage, [] { (void)from_word<FftNorm>("norm", "ortha"); },
      "invalid norm: ortha (known: backward, ortho, forward); the nearest is ortho");
  expect_error(
      ErrorCategory::usage, [] { (void)from_word<Engine>("engine", "tpu"); },
      "invalid engine: tpu (known: auto, host, cuda, reference); use one of these");
}

}  // namespace
}  // namespace weft::test::words_test
