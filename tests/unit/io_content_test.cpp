// Files that are not what their name says.
#include <gtest/gtest.h>
#include <nifti1.h>
#include <unistd.h>

#include <cstdint>

#include "io/array_file.hpp"
#include "io/volume_file.hpp"
#include "support/array_files.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_content_test {
namespace {

using namespace std::string_literals;

using test::bytes_of;
using test::expect_error;

constexpr const char* kNames[] = {"a.npy", "a.nii", "a.nii.gz", "a.NPY", "a"};

TEST(Content, OtherKindsOfFilesAreNamedWithTheRemedy) {
  struct Case {
    std::string bytes;
    const char *is, *remedy;
  };
  const Case cases[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n",
       "it is a git-lfs pointer", "git lfs pull"},
      {"/annex/objects/SHA256E-s20--af6f.npy\n", "git-annex pointer", "git annex get"},
      {"../.git/annex/objects/Wz/1x/SHA256E-s20--af6f.npy", "git-annex pointer", "git annex get"},
      {"", "it is empty", "again"},
      {"<!DOCTYPE html><html><body>Sign in</body></html>", "web page", "download"},
      {"\xef\xbb\xbf\n  <HTML>", "web page", "download"},
      {"PK\x03\x04\x14\0\0\0"s, "zip", "numpy.save"},
      {"\xfd"
       "7zXZ\0\0"s,
       "xz", "xz -d"},
      {"BZh91AY&SY", "bzip2", "bzip2 -d"},
      {"\x28\xb5\x2f\xfd\x04", "Zstandard", "zstd -d"},
      {"\x89HDF\r\n", "HDF5", "numpy.save"},
      {"\x89PNG\r\n", "picture", "numpy.save"},
      {std::string(257, 'x') + "ustar", "tar", "tar -x"},
      {std::string(128, '\0') + "DICM", "DICOM", "dcm2niix"},
      {test::gzip(test::gzip("x")), "gzip twice", "gzip -d"},
      {test::gzip("version https://git-lfs.github.com/spec/v1\n"), "git-lfs", "git lfs pull"},
  };
  const test::TemporaryFolder folder;
  for (const auto& [bytes, is, remedy] : cases) {
    for (const char* name : kNames) {
      SCOPED_TRACE(std::string(is) + " as " + name);
      const std::string path = folder.write(name, bytes);
      expect_error(
          ErrorCategory::input, [&] { read_volume(path); }, name, is, remedy);
    }
  }
}

TEST(Content, ALinkOfGitAnnexWhoseFileIsNotHere) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.npy");
  ASSERT_EQ(::symlink("../.git/annex/objects/Wz/1x/SHA256E-s20/SHA256E-s20", path.c_str()), 0);
  expect_error(
      ErrorCategory::input, [&] { read_volume(path); }, "git-annex", "git annex get");
}

TEST(Content, ArraysAreReadByTheirContentWhateverTheirName) {
  const test::TemporaryFolder folder;
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const std::string npy =
      test::npy_file(test::npy_dictionary("<f4", "(1, 2, 3)"), bytes_of(numbers));
  const std::string nifti =
      test::nifti_file(test::nifti_header({1, 2, 3}, DT_FLOAT32), bytes_of(numbers));
  for (const char* name : kNames) {
    for (const std::string& bytes : {npy, test::gzip(npy), nifti, test::gzip(nifti)})
      EXPECT_EQ(read_volume(folder.write(name, bytes)).shape, (Shape3{1, 2, 3})) << name;
  }
}

TEST(Content, OfAHeaderNoMoreIsReadThanItTakes) {
  const test::TemporaryFolder folder;
  // 16 GiB that are not there: a hole in the file.
  const std::string header =
      test::npy_file(test::npy_dictionary("<f4", "(4, 1024, 1024, 1024)"), "");
  const std::string path = folder.write("large.npy", header);
  const auto end = static_cast<std::int64_t>(header.size()) + (std::int64_t{1} << 34);
  ASSERT_EQ(::truncate(path.c_str(), end), 0);
  EXPECT_EQ(ArrayFile(path).sides(), (Sides{4, 1024, 1024, 1024}));

  // Compressed data that is corrupt behind the header.
  std::vector<std::int32_t> noise(1 << 20);
  std::uint32_t state = 1;
  for (std::int32_t& number : noise)
    number = static_cast<std::int32_t>(state = state * 1664525U + 1);
  std::string compressed =
      test::gzip(test::nifti_file(test::nifti_header({128, 128, 64}, DT_INT32), bytes_of(noise)));
  compressed.resize(compressed.size() / 2);
  ArrayFile half(folder.write("half.nii.gz", compressed));
  EXPECT_EQ(half.sides(), (Sides{128, 128, 64}));
  expect_error(
      ErrorCategory::input, [&] { half.read(); }, "breaks off");
}

}  // namespace
}  // namespace weft::io::io_content_test
