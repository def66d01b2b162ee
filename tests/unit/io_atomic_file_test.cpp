#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <utility>

#include "io/atomic_file.hpp"
#include "support/expect_error.hpp"
#include "support/resource_limit.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_atomic_file_test {
namespace {

using test::expect_error;
using test::read_bytes;
using test::ResourceLimit;
using test::TemporaryFolder;

mode_t permissions(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out.bin");
  write_file(path, std::string_view("one\0two", 7));
  EXPECT_EQ(read_bytes(path), std::string("one\0two", 7));
  write_file(path, "");
  EXPECT_EQ(read_bytes(path), "");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, WritesInTheCurrentFolder) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.file(""));
  write_file("plain", "x");
  check_writable("plain");
  std::filesystem::current_path(before);
  EXPECT_EQ(read_bytes(folder.file("plain")), "x");
}

TEST(AtomicFile, KeepsTheOldFileAndLeavesNothingElseWhenWritingFails) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.bin", "old");
  {
    const ResourceLimit limit(RLIMIT_FSIZE, 4096);
    expect_error(
        ErrorCategory::environment, [&] { write_file(path, std::string(100000, 'x')); }, path,
        "File too large", "ulimit -f");
  }
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, LeavesTheSignalOfTheFileSizeLimitToItsProcess) {
  const TemporaryFolder folder;
  const auto signals = [] {
    sigset_t blocked, pending;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    ::sigpending(&pending);
    return std::pair(sigismember(&blocked, SIGXFSZ), sigismember(&pending, SIGXFSZ));
  };
  const auto write_too_much = [&] {
    const ResourceLimit limit(RLIMIT_FSIZE, 4096);
    EXPECT_THROW(write_file(folder.file("out.bin"), std::string(100000, 'x')), Error);
  };
  write_too_much();
  EXPECT_EQ(signals(), std::pair(0, 0));
  struct sigaction action {};
  ASSERT_EQ(::sigaction(SIGXFSZ, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_DFL);

  // A process that waits for one with sigwait finds it again.
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, SIGXFSZ);
  ::pthread_sigmask(SIG_BLOCK, &one, &before);
  std::raise(SIGXFSZ);
  write_too_much();
  EXPECT_EQ(signals(), std::pair(1, 1));
  int taken = 0;
  ::sigwait(&one, &taken);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(taken, SIGXFSZ);
}

TEST(AtomicFile, GivesTheUsualPermissionsAndKeepsOldOnes) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(022);
  write_file(folder.file("new"), "x");
  const std::string old = folder.write("old", "y");
  ASSERT_EQ(::chmod(old.c_str(), 0640), 0);
  write_file(old, "z");
  ::umask(mask);
  EXPECT_EQ(permissions(folder.file("new")), 0644u);
  EXPECT_EQ(permissions(old), 0640u);
}

TEST(AtomicFile, WritesThroughALink) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "old");
  ASSERT_EQ(::symlink("target", folder.file("link").c_str()), 0);
  write_file(folder.file("link"), "new");
  EXPECT_EQ(read_bytes(target), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
}

TEST(AtomicFile, RefusesPlacesForNoFileBothWays) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  ASSERT_EQ(::symlink("loop", folder.file("loop").c_str()), 0);
  const std::vector<std::pair<std::string, std::string>> places = {
      {folder.file(""), "it is a folder"},
      {folder.file("pipe"), "no regular file"},
      {folder.file("missing/out"), "No such file"},
      {folder.file("missing/"), "does not exist"},
      {folder.file("pipe/out"), "Not a directory"},
      {folder.file("loop"), "Too many levels"},
      {"", "no file name"},
  };
  for (const auto& [path, why] : places) {
    expect_error(
        ErrorCategory::environment, [&] { check_writable(path); }, why);
    expect_error(
        ErrorCategory::environment, [&] { write_file(path, "x"); }, why);
  }
  EXPECT_EQ(folder.count(), 2u);
}

TEST(AtomicFile, CheckingLeavesEverythingAsItWas) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out", "old");
  check_writable(path);
  check_writable(folder.file("new"));
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, RefusesFoldersAndFilesThatAreReadOnly) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  const std::string kept = folder.write("kept", "x");
  ASSERT_EQ(::chmod(kept.c_str(), 0400), 0);
  expect_error(
      ErrorCategory::environment, [&] { write_file(kept, "y"); }, "Permission denied");
  ASSERT_EQ(::chmod(folder.file("").c_str(), 0500), 0);
  expect_error(
      ErrorCategory::environment, [&] { check_writable(folder.file("new")); }, "Permission denied");
  ASSERT_EQ(::chmod(folder.file("").c_str(), 0700), 0);
}

}  // namespace
}  // namespace weft::io::io_atomic_file_test
