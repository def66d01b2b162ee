// Reading a file of any bytes gives a volume or a weft::Error: no crash, no other exception, no
// memory beyond what the file itself justifies.
#include <gtest/gtest.h>
#include <nifti1_io.h>

#include <cstdlib>
#include <random>
#include <stdexcept>

#include "io/volume_file.hpp"
#include "support/array_files.hpp"
#include "support/temporary_folder.hpp"
#include "weft/error.hpp"

namespace weft::io::io_read_volume_test {
namespace {

using Engine = std::mt19937_64;

constexpr int kRounds = 4000, kRoundsOfAType = 500;

std::size_t below(Engine& engine, std::size_t limit) { return engine() % limit; }

char random_byte(Engine& engine) {
  // Values at the ends of ranges and characters of the header reach more than any byte would.
  constexpr std::string_view kCharacters("\x00\x01\x7f\x80\xff(){}[],:'\"0189<>=|bcfiu24 -L", 33);
  return below(engine, 2) == 0 ? static_cast<char>(engine() & 0xff)
                               : kCharacters[below(engine, kCharacters.size())];
}

std::string mutate(std::string bytes, Engine& engine) {
  const std::size_t edits = 1 + below(engine, 4);
  for (std::size_t edit = 0; edit < edits && !bytes.empty(); ++edit) {
    // Headers decide; half of all edits go to the first bytes.
    const std::size_t range =
        below(engine, 2) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 130);
    const std::size_t at = below(engine, range);
    switch (below(engine, 6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(engine, 8)));
        break;
      case 1:
        bytes[at] = random_byte(engine);
        break;
      case 2:
        bytes.insert(at, 1 + below(engine, 8), random_byte(engine));
        break;
      case 3:
        bytes.erase(at, 1 + below(engine, 8));
        break;
      case 4:
        bytes.resize(at);
        break;
      default:
        bytes.insert(at, bytes.substr(below(engine, bytes.size()), 16));
        break;
    }
  }
  return bytes;
}

class ReadVolumeFuzz : public testing::Test {
 protected:
  /// Reads `bytes` as a file of this name; counts how it ended.
  void read(std::string_view name, std::string_view bytes) {
    const std::string path = folder_.write(name, bytes);
    try {
      const Volume volume = read_volume(path);
      ++volumes_;
      EXPECT_EQ(volume.data.size(), volume.shape.size());
      EXPECT_LE(volume.data.size(), 1032 * bytes.size());
    } catch (const Error& error) {
      ++errors_;
      EXPECT_EQ(error.category(), ErrorCategory::input) << error.what();
    }
  }

  void mutate_and_read(std::string_view name, const std::string& valid, std::uint64_t seed,
                       int rounds = kRounds) {
    read(name, valid);
    ASSERT_EQ(volumes_, 1) << "the file to begin with is not valid";
    Engine engine(seed);
    for (int round = 0; round < rounds && !HasFailure(); ++round) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round);
      read(name, mutate(valid, engine));
    }
    EXPECT_GT(errors_, rounds / 4);
  }

  test::TemporaryFolder folder_;
  int volumes_ = 0;
  int errors_ = 0;
};

std::string floats(std::size_t count) { return test::bytes_of(std::vector<float>(count, 1.5F)); }

std::string valid_nifti() {
  return test::nifti_file(test::nifti_header({3, 4, 5}, DT_FLOAT32), floats(60));
}

TEST_F(ReadVolumeFuzz, MutatedNpy) {
  mutate_and_read("a.npy", test::npy_file(test::npy_dictionary("<f4", "(3, 4, 5)"), floats(60)), 1);
}

TEST_F(ReadVolumeFuzz, MutatedNpyOfFormat2InFortranOrder) {
  mutate_and_read("a.npy",
                  test::npy_file(test::npy_dictionary("<c8", "(3, 2, 5)", true), floats(60), 2), 2);
}

/// Any bytes are numbers of such a type, or refused as not finite.
TEST_F(ReadVolumeFuzz, MutatedNpyOfEveryType) {
  std::uint64_t seed = 10;
  for (const char* type : {"|b1", "|i1", "<i2", ">i4", "<i8", "|u1", ">u2", "<u4", ">u8", "<f2",
                           ">f2", ">f4", "<f8", ">c16"}) {
    SCOPED_TRACE(type);
    volumes_ = errors_ = 0;
    const std::size_t bytes = 60 * static_cast<std::size_t>(std::atoi(type + 2));
    mutate_and_read("a.npy",
                    test::npy_file(test::npy_dictionary(type, "(3, 4, 5)"), floats(bytes / 4)),
                    seed++, kRoundsOfAType);
  }
}

TEST_F(ReadVolumeFuzz, MutatedNiftiOfEveryType) {
  std::uint64_t seed = 30;
  for (const int type : {DT_INT8, DT_UINT8, DT_INT16, DT_UINT16, DT_INT32, DT_UINT32, DT_INT64,
                         DT_UINT64, DT_FLOAT64, DT_COMPLEX64, DT_COMPLEX128}) {
    SCOPED_TRACE(type);
    volumes_ = errors_ = 0;
    int bytes = 0, swapped = 0;
    nifti_datatype_sizes(type, &bytes, &swapped);
    nifti_1_header header = test::nifti_header({3, 4, 5}, static_cast<short>(type));
    header.scl_slope = 0.25F;
    header.scl_inter = -1;
    mutate_and_read("a.nii",
                    test::nifti_file(header, floats(static_cast<std::size_t>(bytes) * 60 / 4)),
                    seed++, kRoundsOfAType);
  }
}

TEST_F(ReadVolumeFuzz, MutatedNifti) { mutate_and_read("a.nii", valid_nifti(), 3); }

TEST_F(ReadVolumeFuzz, MutatedGzip) { mutate_and_read("a.nii.gz", test::gzip(valid_nifti()), 4); }

TEST_F(ReadVolumeFuzz, GzipOfMutatedNifti) {
  Engine engine(5);
  const std::string valid = valid_nifti();
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    read("a.nii.gz", test::gzip(mutate(valid, engine)));
  }
  EXPECT_GT(volumes_, 0);
  EXPECT_GT(errors_, 0);
}

TEST_F(ReadVolumeFuzz, RandomBytes) {
  Engine engine(6);
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    SCOPED_TRACE(round);
    // Some begin as the format does, so that not all are refused at the first byte.
    std::string bytes = below(engine, 2) == 0 ? "" : std::string("\x93NUMPY\x01\x00\x20\x00", 10);
    const std::size_t size = below(engine, 600);
    for (std::size_t i = 0; i < size; ++i) bytes += random_byte(engine);
    for (const char* name : {"a.npy", "a.nii", "a.nii.gz"}) read(name, bytes);
  }
  EXPECT_EQ(volumes_, 0);
}

}  // namespace
}  // namespace weft::io::io_read_volume_test
