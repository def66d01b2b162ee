#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "io/array_file.hpp"
#include "io/sides.hpp"
#include "support/array_files.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_array_parts_test {
namespace {

using test::bytes_of;
using test::expect_error;
using test::gzip;
using test::npy_dictionary;
using test::npy_file;
using Complex = std::complex<float>;

/// More numbers than are read at once, and few.
const Sides kMany = {130, 65, 131}, kFew = {6, 5, 7};

/// Each number is its place in C order, but the last one.
std::string npy_of_places(const Sides& sides, bool fortran, float last) {
  const std::size_t plane = sides[1] * sides[2];
  std::vector<float> stored(sides[0] * plane);
  for (std::size_t n = 0; n < stored.size(); ++n) {
    const std::size_t i0 = n / plane, i1 = n % plane / sides[2], i2 = n % sides[2];
    stored[fortran ? (i2 * sides[1] + i1) * sides[0] + i0 : n] = static_cast<float>(n);
  }
  stored.back() = last;
  return npy_file(npy_dictionary("<f4", tuple_text(sides), fortran), bytes_of(stored));
}
std::string npy_of_places(const Sides& sides, bool fortran) {
  return npy_of_places(sides, fortran, static_cast<float>(sides[0] * sides[1] * sides[2] - 1));
}

/// Of ranges along the first axis, the second, and of single numbers.
std::vector<std::vector<NumberRun>> all_parts() {
  std::vector<std::vector<NumberRun>> parts(4);
  const std::size_t row = kMany[2], plane = kMany[1] * row, size = kMany[0] * plane;
  parts[0] = {{3 * plane, 4 * plane}, {100 * plane, 30 * plane}};
  for (std::size_t i0 = 0; i0 < kMany[0]; ++i0) {
    parts[1].push_back({i0 * plane + 2 * row, 5 * row});
    parts[1].push_back({i0 * plane + 64 * row, row});
  }
  for (std::size_t n = 7; n < size; n += 1009) parts[2].push_back({n, 1 + n % 3});
  parts[3] = {{0, size}};
  return parts;
}

class ArrayParts : public testing::TestWithParam<bool> {
 protected:
  test::TemporaryFolder folder_;
};

TEST_P(ArrayParts, HaveTheirNumbersInEachOrderCompressedOrNot) {
  for (const bool compressed : {false, true}) {
    const std::string bytes = npy_of_places(kMany, GetParam());
    const std::string path = folder_.write("a.npy", compressed ? gzip(bytes) : bytes);
    for (const std::vector<NumberRun>& runs : all_parts()) {
      std::vector<Complex> expected;
      for (const NumberRun& run : runs)
        for (std::size_t n = run.first; n < run.first + run.count; ++n)
          expected.emplace_back(static_cast<float>(n));
      EXPECT_TRUE(ArrayFile(path).read_part(runs) == expected)
          << runs.size() << " runs" << (compressed ? ", compressed" : "");
    }
    EXPECT_EQ(ArrayFile(path).read().at(77), Complex(77));
  }
}

TEST_P(ArrayParts, LookAtTheirOwnNumbersOnly) {
  const std::string bytes = npy_of_places(kFew, GetParam(), INFINITY);
  const std::string path = folder_.write("a.npy", bytes);
  const std::vector<NumberRun> first = {{0, 10}}, last = {{200, 10}};
  EXPECT_EQ(ArrayFile(path).read_part(first).back(), Complex(9));
  expect_error(
      ErrorCategory::input, [&] { ArrayFile(path).read_part(last); }, "(5, 4, 6) is inf");
}

TEST_P(ArrayParts, LeaveCountingToOthersWhereTheyAreToldTo) {
  const std::vector<double> stored(kFew[0] * kFew[1] * kFew[2], 0.1);  // no float32
  const std::string bytes =
      npy_file(npy_dictionary("<f8", tuple_text(kFew), GetParam()), bytes_of(stored));
  const std::vector<NumberRun> runs = {{3, 10}, {13, 50, false}, {63, 4}, {80, 9, false}};
  for (const bool compressed : {false, true}) {
    Conversion conversion;
    const std::string path = folder_.write("a.npy", compressed ? gzip(bytes) : bytes);
    EXPECT_EQ(ArrayFile(path).read_part(runs, &conversion), std::vector<Complex>(73, 0.1F));
    EXPECT_EQ(conversion.rounded, 14U);
  }
}

TEST_P(ArrayParts, AreRefusedWhereTheFileIsTruncatedOrGoesOn) {
  const std::string bytes = npy_of_places(kFew, GetParam());
  const std::vector<NumberRun> runs = {{5, 20}};
  const std::string cut = folder_.write("cut.npy", gzip(bytes.substr(0, bytes.size() - 4)));
  const std::string more = folder_.write("more.npy", gzip(bytes + "more"));
  const std::string plain = folder_.write("plain.npy", bytes + "more");
  expect_error(
      ErrorCategory::input, [&] { ArrayFile(cut).read_part(runs); }, "truncated");
  for (const std::string& path : {more, plain})
    expect_error(
        ErrorCategory::input, [&] { ArrayFile(path).read_part(runs); }, "too long");
}

INSTANTIATE_TEST_SUITE_P(Orders, ArrayParts, testing::Bool(),
                         [](const auto& fortran) { return fortran.param ? "Fortran" : "C"; });

}  // namespace
}  // namespace weft::io::io_array_parts_test
