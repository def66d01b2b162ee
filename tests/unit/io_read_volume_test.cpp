#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_read_volume_test {
namespace {

using test::expect_error;

TEST(ReadVolume, RefusesWhatIsNoReadableFile) {
  const test::TemporaryFolder folder;
  const auto expect_refused = [](const std::string& path, std::string_view why) {
    expect_error(
        ErrorCategory::input, [&] { read_volume(path); }, path, why);
  };
  expect_refused(folder.file("missing.npy"), "No such file");
  expect_refused(folder.file("missing.nii.gz"), "No such file");
  expect_refused(folder.file("no/folder.npy"), "No such file");
  ASSERT_EQ(::mkdir(folder.file("folder.npy").c_str(), 0700), 0);
  expect_refused(folder.file("folder.npy"), "it is a folder");
  ASSERT_EQ(::mkfifo(folder.file("pipe.npy").c_str(), 0600), 0);
  expect_refused(folder.file("pipe.npy"), "no regular file");
}

TEST(ReadVolume, RefusesAFileWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const test::TemporaryFolder folder;
  const std::string path = folder.write("secret.npy", "x");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  expect_error(
      ErrorCategory::input, [&] { read_volume(path); }, "Permission denied", "permissions");
}

TEST(ReadVolume, RefusesOtherSuffixes) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a.txt", "a.npz", "a.nii.bz2", "npy", "a.gz"}) {
    const std::string path = folder.write(name, "x");
    expect_error(
        ErrorCategory::input, [&] { read_volume(path); }, name, ".npy, .nii and .nii.gz");
  }
}

}  // namespace
}  // namespace weft::io::io_read_volume_test
