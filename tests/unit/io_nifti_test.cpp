#include <gtest/gtest.h>
#include <nifti1_io.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>

#include "io/volume_file.hpp"
#include "support/array_files.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_nifti_test {
namespace {

using test::bytes_of;
using test::expect_error;
using test::gzip;
using test::nifti_file;
using test::nifti_header;
using Complex = std::complex<float>;

class Nifti : public testing::Test {
 protected:
  Volume read(std::string_view bytes) const { return read_volume(folder_.write("a.nii", bytes)); }
  Volume read_gzip(std::string_view bytes) const {
    return read_volume(folder_.write("a.nii.gz", bytes));
  }

  template <typename... Parts>
  void expect_refused(std::string_view bytes, Parts... parts) const {
    expect_error(
        ErrorCategory::input, [&] { read(bytes); }, "a.nii", parts...);
  }

  test::TemporaryFolder folder_;
};

const std::vector<float> kSix = {1, -2, 3.5F, 4, 5, 6};

std::string six_floats() { return nifti_file(nifti_header({1, 2, 3}, DT_FLOAT32), bytes_of(kSix)); }

TEST_F(Nifti, ReadsAxesInFileOrderXFirst) {
  std::vector<std::int16_t> numbers(2 * 3 * 4);
  std::iota(numbers.begin(), numbers.end(), std::int16_t{0});
  const Volume volume = read(nifti_file(nifti_header({2, 3, 4}, DT_INT16), bytes_of(numbers)));
  ASSERT_EQ(volume.shape, (Shape3{2, 3, 4}));
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t y = 0; y < 3; ++y) {
      for (std::size_t z = 0; z < 4; ++z) {
        EXPECT_EQ(volume.data[(x * 3 + y) * 4 + z],
                  Complex(static_cast<float>(numbers[x + 2 * (y + 3 * z)])));
      }
    }
  }
}

template <typename T>
void expect_type(const test::TemporaryFolder& folder, short datatype) {
  const std::vector<T> numbers = {static_cast<T>(0), static_cast<T>(77), static_cast<T>(-3)};
  const auto file = nifti_file(nifti_header({3, 1, 1}, datatype), bytes_of(numbers));
  const Volume volume = read_volume(folder.write("type.nii", file));
  const std::vector<Complex> expected = {static_cast<float>(numbers[0]),
                                         static_cast<float>(numbers[1]),
                                         static_cast<float>(numbers[2])};
  EXPECT_EQ(volume.data, expected) << nifti_datatype_string(datatype);
}

TEST_F(Nifti, ReadsEveryRealType) {
  expect_type<std::int8_t>(folder_, DT_INT8);
  expect_type<std::uint8_t>(folder_, DT_UINT8);
  expect_type<std::int16_t>(folder_, DT_INT16);
  expect_type<std::uint16_t>(folder_, DT_UINT16);
  expect_type<std::int32_t>(folder_, DT_INT32);
  expect_type<std::uint32_t>(folder_, DT_UINT32);
  expect_type<std::int64_t>(folder_, DT_INT64);
  expect_type<std::uint64_t>(folder_, DT_UINT64);
  expect_type<float>(folder_, DT_FLOAT32);
  expect_type<double>(folder_, DT_FLOAT64);
}

TEST_F(Nifti, ReadsComplexTypes) {
  const std::vector<Complex> expected = {{1, -2}, {3.5F, 4}, {5, 6}};
  EXPECT_EQ(read(nifti_file(nifti_header({1, 1, 3}, DT_COMPLEX64), bytes_of(kSix))).data, expected);
  const std::vector<double> wide(kSix.begin(), kSix.end());
  EXPECT_EQ(read(nifti_file(nifti_header({1, 1, 3}, DT_COMPLEX128), bytes_of(wide))).data,
            expected);
}

TEST_F(Nifti, ReadsTheOtherByteOrder) {
  nifti_1_header header = nifti_header({1, 2, 3}, DT_FLOAT32);
  header.scl_slope = 2;
  swap_nifti_header(&header, 1);
  const Volume volume = read(nifti_file(header, bytes_of(kSix, true)));
  EXPECT_EQ(volume.shape, (Shape3{1, 2, 3}));
  EXPECT_EQ(volume.data[0], Complex(2));
}

TEST_F(Nifti, AppliesSlopeAndInterceptUnlessTheSlopeIsZero) {
  nifti_1_header header = nifti_header({1, 1, 2}, DT_INT16);
  const std::string data = bytes_of(std::vector<std::int16_t>{-4, 10});
  header.scl_slope = 0.5F;
  header.scl_inter = 3;
  EXPECT_EQ(read(nifti_file(header, data)).data, (std::vector<Complex>{1, 8}));
  header.scl_slope = 0;
  EXPECT_EQ(read(nifti_file(header, data)).data, (std::vector<Complex>{-4, 10}));
}

TEST_F(Nifti, DescribesScalingAndWhatItRounds) {
  nifti_1_header header = nifti_header({1, 1, 3}, DT_INT16);
  header.scl_slope = 0.5F;
  header.scl_inter = 0x1p-20F;
  const auto file = nifti_file(header, bytes_of(std::vector<std::int16_t>{0, 1, 32767}));
  Conversion conversion;
  const Volume volume = read_volume(folder_.write("a.nii", file), &conversion);
  EXPECT_EQ(volume.data, (std::vector<Complex>{0x1p-20F, 0.5F + 0x1p-20F, 16383.5F}));
  EXPECT_EQ(conversion.type, "int16");
  EXPECT_EQ(conversion.slope, 0.5);
  EXPECT_EQ(conversion.intercept, 0x1p-20);
  EXPECT_EQ(conversion.rounded, 1u);
  EXPECT_EQ(conversion.underflows, 0u);
}

TEST_F(Nifti, IgnoresTrailingAxesOfOne) {
  const auto file = nifti_file(nifti_header({1, 2, 3, 1, 1}, DT_FLOAT32), bytes_of(kSix));
  EXPECT_EQ(read(file).shape, (Shape3{1, 2, 3}));
}

TEST_F(Nifti, RefusesBytesAfterTheData) {
  const std::string whole = six_floats();
  const auto expect_too_long = [](const auto& read_it, const char* why) {
    expect_error(ErrorCategory::input, read_it, "too long", why);
  };
  expect_too_long([&] { read(whole + "x"); }, "ends at byte 376, and more bytes follow");
  expect_too_long([&] { read(whole + std::string(5'000'000, '\0') + "x"); }, "more bytes follow");
  expect_too_long([&] { read_gzip(gzip(whole + "tail")); }, "ends at byte 376, and more bytes");
  expect_too_long([&] { read_gzip(gzip(whole) + gzip("tail")); }, "more bytes follow");
  for (const std::string& rest :
       {std::string("x"), std::string("\x1f"), std::string("PK\x03\x04"),
        std::string(1000, '\0') + "x", std::string(600'000, '\0') + gzip("tail")}) {
    expect_too_long([&] { read_gzip(gzip(whole) + rest); }, "other bytes follow its gzip data");
  }
}

TEST_F(Nifti, PassesOverZeroBytesAsTapesLeave) {
  const std::string whole = six_floats();
  const std::vector<Complex> numbers = read(whole).data;
  for (const std::size_t count : {1, 7, 512, 10240, 5'000'000}) {
    const std::string zeros(count, '\0');
    EXPECT_EQ(read(whole + zeros).data, numbers) << count;
    EXPECT_EQ(read_gzip(gzip(whole) + zeros).data, numbers) << count;
    EXPECT_EQ(read_gzip(gzip(whole + zeros)).data, numbers) << count;
    EXPECT_EQ(read_gzip(gzip(whole) + gzip("") + zeros).data, numbers) << count;
  }
}

TEST_F(Nifti, ReadsCompressedFilesUnderAPlainName) {
  EXPECT_EQ(read(gzip(six_floats())).data, read(six_floats()).data);
}

TEST_F(Nifti, ReadsGzipOfSeveralMembers) {
  const std::string whole = six_floats();
  for (std::size_t at = 0; at <= whole.size(); at += 47) {
    EXPECT_EQ(read_gzip(gzip(whole.substr(0, at)) + gzip(whole.substr(at)) + gzip("")).data,
              read(whole).data);
  }
}

TEST_F(Nifti, ReadsAPlainFileUnderACompressedName) {
  EXPECT_EQ(read_gzip(six_floats()).data, read(six_floats()).data);
}

TEST_F(Nifti, ReadsGzipOfManyChunks) {
  std::vector<std::int32_t> numbers(128 * 128 * 128);
  std::uint32_t state = 1;  // numbers that do not shrink: 8 MiB, in many pieces
  for (std::int32_t& number : numbers) {
    state = state * 1664525U + 1013904223U;
    number = static_cast<std::int32_t>(state);
  }
  const auto file = nifti_file(nifti_header({128, 128, 128}, DT_INT32), bytes_of(numbers));
  const Volume volume = read_gzip(gzip(file));
  EXPECT_EQ(volume.data, read(file).data);
  EXPECT_EQ(volume.data.back(), Complex(static_cast<float>(numbers.back())));
}

TEST_F(Nifti, SkipsExtensionsBeforeTheData) {
  nifti_1_header header = nifti_header({1, 2, 3}, DT_FLOAT32);
  header.vox_offset = 352 + 32;
  const Volume volume = read(nifti_file(header, std::string(32, 'x') + bytes_of(kSix)));
  EXPECT_EQ(volume.data[0], Complex(1));
}

TEST_F(Nifti, ReadsGzip) {
  EXPECT_EQ(read_gzip(gzip(six_floats())).data, read(six_floats()).data);
  EXPECT_EQ(read_volume(folder_.write("UPPER.NII.GZ", gzip(six_floats()))).data,
            read(six_floats()).data);
}

TEST_F(Nifti, RefusesBrokenGzip) {
  const std::string whole = gzip(six_floats());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    expect_error(
        ErrorCategory::input, [&] { read_gzip(whole.substr(0, size)); }, "a.nii.gz");
  }
  std::string wrong_checksum = whole;
  wrong_checksum[whole.size() - 8] ^= 1;
  expect_error(
      ErrorCategory::input, [&] { read_gzip(wrong_checksum); }, "gzip data is corrupt");
}

TEST_F(Nifti, RefusesSizesThatTheFileDoesNotHave) {
  const std::string whole = six_floats();
  for (std::size_t size = 0; size < whole.size(); ++size) expect_refused(whole.substr(0, size));
  const auto huge = nifti_file(nifti_header({32767, 32767, 32767}, DT_COMPLEX128), bytes_of(kSix));
  expect_refused(huge, "truncated", "32767 x 32767 x 32767");
  expect_error(
      ErrorCategory::input, [&] { read_gzip(gzip(huge)); }, "truncated");
  // A bound from the compressed size does not catch this one; what it inflates to does.
  const auto large = nifti_file(nifti_header({16, 32, 32}, DT_UINT8), bytes_of(kSix));
  expect_error(
      ErrorCategory::input, [&] { read_gzip(gzip(large)); }, "truncated", "16384 bytes");
}

TEST_F(Nifti, RefusesWhatIsNo3DArrayOfNumbers) {
  const std::string data(4096, '\0');
  const auto with = [&](const std::vector<short>& sides, short datatype) {
    return nifti_file(nifti_header(sides, datatype), data);
  };
  expect_refused(with({4, 4}, DT_FLOAT32), "not 3-D", "(4, 4)", ".npy");
  expect_refused(with({4, 4, 4, 2}, DT_FLOAT32), "not 3-D", "(4, 4, 4, 2)", "one volume");
  expect_refused(with({4, 0, 4}, DT_FLOAT32), "empty", "(4, 0, 4)");
  expect_refused(with({4, -4, 4}, DT_FLOAT32), "empty");
  expect_refused(with({4, 4, 4}, DT_RGB24), "RGB24", "convert");
  expect_refused(with({4, 4, 4}, DT_FLOAT128), "FLOAT128");
  expect_refused(with({4, 4, 4}, 12345), "12345");

  nifti_1_header header = nifti_header({4, 4, 4}, DT_FLOAT32);
  for (const float offset : {0.0F, -1.0F, 352.5F, 1e30F, std::nanf(""), HUGE_VALF}) {
    header.vox_offset = offset;
    expect_refused(nifti_file(header, data), "data begins at byte");
  }
  header = nifti_header({4, 4, 4}, DT_FLOAT32);
  header.dim[0] = 8;
  expect_refused(nifti_file(header, data), "8 axes");
  header.dim[0] = 3;
  header.magic[1] = 'i';
  expect_refused(nifti_file(header, data), "single-file");
  header.sizeof_hdr = 540;
  expect_refused(nifti_file(header, data), "NIfTI-2");
  header.sizeof_hdr = 100;
  expect_refused(nifti_file(header, data), "does not begin as a NIfTI file");
}

TEST_F(Nifti, NamesTheFirstElementThatIsNotFinite) {
  std::vector<float> numbers = kSix;
  numbers[3] = std::numeric_limits<float>::quiet_NaN();  // x + 1 * (y + 2 * z)
  expect_refused(nifti_file(nifti_header({1, 2, 3}, DT_FLOAT32), bytes_of(numbers)),
                 "element (0, 1, 1) is nan");
  nifti_1_header header = nifti_header({1, 2, 3}, DT_FLOAT32);
  header.scl_slope = 3e38F;
  expect_refused(nifti_file(header, bytes_of(kSix)), "element (0, 1, 0)", "too large for float32");
}

TEST_F(Nifti, ReadsABrainScanAsTheLibraryDoes) {
  const std::string path = "/usr/share/mricron/templates/ch2.nii.gz";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " (package mricron-data) is absent";
  const Volume volume = read_volume(path);
  ASSERT_EQ(volume.shape, (Shape3{181, 217, 181}));

  const std::unique_ptr<nifti_image, decltype(&nifti_image_free)> image(
      nifti_image_read(path.c_str(), 1), nifti_image_free);
  ASSERT_TRUE(image);
  ASSERT_EQ(image->datatype, DT_UINT8);
  const auto* stored = static_cast<const unsigned char*>(image->data);
  const float slope = image->scl_slope == 0 ? 1 : image->scl_slope;
  std::size_t differing = 0;
  for (std::size_t z = 0; z < 181; ++z)
    for (std::size_t y = 0; y < 217; ++y)
      for (std::size_t x = 0; x < 181; ++x)
        differing += volume.data[(x * 217 + y) * 181 + z] !=
                     Complex(static_cast<float>(*stored++) * slope + image->scl_inter);
  EXPECT_EQ(differing, 0u);
}

}  // namespace
}  // namespace weft::io::io_nifti_test
