#include <gtest/gtest.h>
#include <png.h>

#include <limits>
#include <vector>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io {
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

Picture draw(const Volume& spectrum) {
  const test::TemporaryFolder folder;
  write_spectrum_png(folder.file("s.png"), spectrum);
  EXPECT_EQ(folder.count(), 1u);
  return read_png(folder.file("s.png"));
}

Volume zeros(Shape3 shape) { return {shape, std::vector<std::complex<float>>(shape.size())}; }

TEST(SpectrumPng, PutsFrequencyZeroInTheMiddleAndEnlargesByAnInteger) {
  Volume spectrum = zeros({8, 8, 4});
  spectrum.data[0] = {3, 4};
  spectrum.data[(1 * 8 + 7) * 4] = 1;  // frequency (1, -1, 0)
  spectrum.data[1] = 1e6F;             // frequency (0, 0, 1): another plane
  const Picture picture = draw(spectrum);
  ASSERT_EQ(picture.rows, 512u);
  ASSERT_EQ(picture.columns, 512u);
  for (std::size_t row = 0; row < 512; ++row) {
    for (std::size_t column = 0; column < 512; ++column) {
      int expected = 0;
      if (row / 64 == 4 && column / 64 == 4) expected = 255;
      if (row / 64 == 5 && column / 64 == 3) expected = 99;  // 255 log 2 / log 6
      ASSERT_EQ(picture.at(row, column), expected) << row << " " << column;
    }
  }
}

TEST(SpectrumPng, KeepsUnequalSidesAndLargePictures) {
  const Picture unequal = draw(zeros({4, 200, 1}));
  EXPECT_EQ(unequal.rows, 4 * 81u);  // 16384 / 200
  EXPECT_EQ(unequal.columns, 200 * 81u);
  const Picture large = draw(zeros({600, 513, 1}));
  EXPECT_EQ(large.rows, 600u);
  EXPECT_EQ(large.columns, 513u);
}

TEST(SpectrumPng, DrawsASpectrumThatIsNotFinite) {
  Volume spectrum = zeros({4, 4, 4});
  for (auto& value : spectrum.data) value = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(draw(spectrum).at(0, 0), 255);
}

TEST(SpectrumPng, RefusesWhatCannotBeDrawnOrWritten) {
  const test::TemporaryFolder folder;
  test::expect_error(Category::usage, [&] { write_spectrum_png(folder.file("s.png"), {}); });
  test::expect_error(Category::environment, [&] {
    write_spectrum_png(folder.file("no/s.png"), zeros({4, 4, 4}));
  });
  EXPECT_EQ(folder.count(), 0u);
}

}  // namespace
}  // namespace weft::io
