#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/volume_file.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

constexpr std::size_t kLeastSide = 512;   ///< small spectra are enlarged to be seen at all
constexpr std::size_t kMostSide = 16384;  ///< but never beyond what viewers open
/// The weakest frequencies, taken as black: a single zero must not set the scale for all greys.
constexpr double kBlackFraction = 0.03;

struct Picture {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint8_t> grey;
};

/// log(1 + |F|) of the plane, frequency 0 of both axes at n / 2.
std::vector<double> centred_log_magnitude(const Volume& spectrum) {
  const Shape3 n = spectrum.shape;
  std::vector<double> plane(n.n0 * n.n1);
  for (std::size_t i = 0; i < n.n0; ++i) {
    for (std::size_t j = 0; j < n.n1; ++j) {
      const std::size_t row = (i + n.n0 / 2) % n.n0, column = (j + n.n1 / 2) % n.n1;
      const std::complex<double> value(spectrum.data[(i * n.n1 + j) * n.n2]);
      plane[row * n.n1 + column] = std::log1p(std::abs(value));
    }
  }
  return plane;
}

/// The values that become black and white.
struct Range {
  double black = 0, white = 0;
};

Range find_range(const std::vector<double>& plane) {
  std::vector<double> sorted;
  std::copy_if(plane.begin(), plane.end(), std::back_inserter(sorted),
               [](double value) { return std::isfinite(value); });
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto black =
      static_cast<std::size_t>(kBlackFraction * static_cast<double>(sorted.size() - 1));
  return {sorted[black], sorted.back()};
}

std::uint8_t grey_level(double value, Range range) {
  if (!std::isfinite(value)) return 255;
  if (range.white <= range.black) return 0;
  const double level = (value - range.black) / (range.white - range.black);
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(level, 0.0, 1.0)));
}

Picture draw(const Volume& spectrum) {
  const std::size_t rows = spectrum.shape.n0, columns = spectrum.shape.n1;
  const std::vector<double> plane = centred_log_magnitude(spectrum);
  const Range range = find_range(plane);
  const std::size_t shorter = std::min(rows, columns), longer = std::max(rows, columns);
  const std::size_t wanted = (kLeastSide + shorter - 1) / shorter;
  const std::size_t scale = std::max<std::size_t>(1, std::min(wanted, kMostSide / longer));
  Picture picture{rows * scale, columns * scale, {}};
  picture.grey.resize(picture.rows * picture.columns);
  for (std::size_t row = 0; row < picture.rows; ++row) {
    for (std::size_t column = 0; column < picture.columns; ++column) {
      const double value = plane[row / scale * columns + column / scale];
      picture.grey[row * picture.columns + column] = grey_level(value, range);
    }
  }
  return picture;
}

std::string encode(const Picture& picture, const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.columns);
  image.height = static_cast<png_uint_32>(picture.rows);
  image.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.grey.data(), 0, nullptr) ==
      0) {
    throw Error(Category::environment, fmt::format("cannot write '{}'", path), image.message,
                "save the spectrum as .npy instead");
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

void write_spectrum_png(const std::string& path, const Volume& spectrum) {
  if (spectrum.shape.size() == 0 || spectrum.data.size() != spectrum.shape.size()) {
    throw Error(Category::usage, fmt::format("cannot draw '{}'", path),
                "the spectrum is empty or its shape is not that of its data",
                "give it a whole volume");
  }
  write_file(path, encode(draw(spectrum), path));
}

}  // namespace weft::io
