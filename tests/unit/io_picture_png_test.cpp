#include <gtest/gtest.h>
#include <png.h>

#include <limits>
#include <vector>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_picture_png_test {
namespace {

struct Picture {
  std::size_t columns = 0, rows = 0;
  std::vector<unsigned char> grey;

  int at(std::size_t row, std::size_t column) const { return grey[row * columns + column]; }
};

Picture read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&image, path.c_str()), 0) << image.message;
  EXPECT_EQ(image.format, static_cast<png_uint_32>(PNG_FORMAT_GRAY));
  Picture picture{image.width, image.height, {}};
  picture.grey.resize(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, picture.grey.data(), 0, nullptr), 0);
  return picture;
}

Volume zeros(Shape3 shape) { return {shape, std::vector<std::complex<float>>(shape.size())}; }

Picture draw(const Volume& field, const Volume& spectrum) {
  const test::TemporaryFolder folder;
  write_picture_png(folder.file("s.png"), field, spectrum);
  EXPECT_EQ(folder.count(), 1u);
  return read_png(folder.file("s.png"));
}

constexpr std::size_t kPanel = 512, kGap = kPanel / 64;

TEST(PicturePng, PutsFrequencyZeroInTheMiddleAndEnlargesByAnInteger) {
  Volume spectrum = zeros({8, 8, 4});
  spectrum.data[0] = {3, 4};
  spectrum.data[(1 * 8 + 6) * 4] = 1;  // frequency (1, -2, 0)
  spectrum.data[1] = 1e6F;             // frequency (0, 0, 1): another plane
  const Picture picture = draw(zeros({8, 8, 4}), spectrum);
  ASSERT_EQ(picture.rows, kPanel);
  ASSERT_EQ(picture.columns, 2 * kPanel + kGap);
  for (std::size_t row = 0; row < kPanel; ++row) {
    for (std::size_t column = 0; column < kPanel; ++column) {
      int expected = 0;
      if (row / 64 == 7 - 4 && column / 64 == 4) expected = 255;
      if (row / 64 == 7 - 2 && column / 64 == 5) expected = 99;  // 255 log 2 / log 6
      ASSERT_EQ(picture.at(row, kPanel + kGap + column), expected) << row << " " << column;
    }
  }
}

TEST(PicturePng, ShowsTheFieldsMiddleSliceOnTheLeft) {
  Volume field = zeros({8, 8, 4});
  field.data[(2 * 8 + 1) * 4 + 2] = {0, 10};
  field.data[(5 * 8 + 6) * 4 + 2] = -5;
  field.data[(3 * 8 + 3) * 4 + 1] = 1e6F;  // another slice
  const Picture picture = draw(field, zeros({8, 8, 4}));
  for (std::size_t row = 0; row < kPanel; ++row) {
    for (std::size_t column = 0; column < kPanel + kGap; ++column) {
      int expected = column < kPanel ? 0 : 255;
      if (row / 64 == 7 - 1 && column / 64 == 2) expected = 255;
      if (row / 64 == 7 - 6 && column / 64 == 5) expected = 128;
      ASSERT_EQ(picture.at(row, column), expected) << row << " " << column;
    }
  }
}

TEST(PicturePng, KeepsUnequalSidesAndLargePictures) {
  const Picture unequal = draw(zeros({200, 4, 1}), zeros({200, 4, 1}));
  EXPECT_EQ(unequal.rows, 4 * 40u);  // 16384 / 400
  EXPECT_EQ(unequal.columns, 2 * 200 * 40u + 200 * 40u / 64);
  const Picture large = draw(zeros({600, 513, 1}), zeros({600, 513, 1}));
  EXPECT_EQ(large.rows, 513u);
  EXPECT_EQ(large.columns, 2 * 600u + 600u / 64);
}

TEST(PicturePng, DrawsASpectrumThatIsNotFinite) {
  Volume spectrum = zeros({4, 4, 4});
  for (auto& value : spectrum.data) value = std::numeric_limits<float>::quiet_NaN();
  const Picture picture = draw(zeros({4, 4, 4}), spectrum);
  EXPECT_EQ(picture.at(0, 0), 0);
  EXPECT_EQ(picture.at(0, kPanel + kGap), 255);
}

TEST(PicturePng, RefusesWhatCannotBeDrawnOrWritten) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("s.png");
  test::expect_error(ErrorCategory::usage, [&] { write_picture_png(path, {}, {}); });
  test::expect_error(ErrorCategory::usage, [&] {
    write_picture_png(path, zeros({4, 4, 4}), zeros({8, 8, 8}));
  });
  test::expect_error(ErrorCategory::environment, [&] {
    write_picture_png(folder.file("no/s.png"), zeros({4, 4, 4}), zeros({4, 4, 4}));
  });
  EXPECT_EQ(folder.count(), 0u);
}

}  // namespace
}  // namespace weft::io::io_picture_png_test
