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

constexpr std::size_t kLeastSide = 512;   ///< of a panel: small ones are enlarged to be seen at all
constexpr std::size_t kMostSide = 16384;  ///< of the picture: what viewers open
/// The weakest numbers, taken as black: a single zero must not set the scale for all greys.
constexpr double kBlackFraction = 0.03;
constexpr std::uint8_t kWhite = 255;

struct Picture {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint8_t> grey;
};

/// Numbers of one plane: axis 0 of the volume to the right, axis 1 upwards.
struct Plane {
  std::size_t width, height;
  std::vector<double> values;

  explicit Plane(const Shape3& n) : width(n.n0), height(n.n1), values(n.n0 * n.n1) {}
  double& at(std::size_t x, std::size_t y) { return values[(height - 1 - y) * width + x]; }
  double row_major(std::size_t row, std::size_t column) const {
    return values[row * width + column];
  }
};

/// Numbers of the other axes, for one of the plane's.
std::size_t behind(const Shape3& n) { return n.n2 * n.n3; }

/// log(1 + |F|) of the plane of zero third and fourth frequency, frequency 0 of both axes at n / 2.
Plane centred_log_magnitude(const Volume& spectrum) {
  const Shape3 n = spectrum.shape;
  Plane plane(n);
  for (std::size_t i = 0; i < n.n0; ++i)
    for (std::size_t j = 0; j < n.n1; ++j) {
      const std::complex<double> value(
          spectrum.data[(i * n.n1 + j) * behind(n) + pictured_plane(n, true)]);
      plane.at((i + n.n0 / 2) % n.n0, (j + n.n1 / 2) % n.n1) = std::log1p(std::abs(value));
    }
  return plane;
}

/// |f| of the plane in the middle of the third and fourth axis.
Plane middle_magnitude(const Volume& field) {
  const Shape3 n = field.shape;
  Plane plane(n);
  const std::size_t middle = pictured_plane(n, false);
  for (std::size_t i = 0; i < n.n0; ++i)
    for (std::size_t j = 0; j < n.n1; ++j)
      plane.at(i, j) =
          std::abs(std::complex<double>(field.data[(i * n.n1 + j) * behind(n) + middle]));
  return plane;
}

/// The values that become black and white.
struct Range {
  double black = 0, white = 0;
};

Range find_range(const std::vector<double>& values) {
  std::vector<double> sorted;
  std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
               [](double value) { return std::isfinite(value); });
  if (sorted.empty()) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto black =
      static_cast<std::size_t>(kBlackFraction * static_cast<double>(sorted.size() - 1));
  return {sorted[black], sorted.back()};
}

std::uint8_t grey_level(double value, Range range) {
  if (!std::isfinite(value)) return kWhite;
  if (range.white <= range.black) return 0;
  const double level = (value - range.black) / (range.white - range.black);
  return static_cast<std::uint8_t>(std::lround(kWhite * std::clamp(level, 0.0, 1.0)));
}

/// Draws a plane from a column of the picture on, each number as a square.
void draw(Picture& picture, std::size_t first_column, const Plane& plane, std::size_t scale) {
  const Range range = find_range(plane.values);
  for (std::size_t row = 0; row < plane.height * scale; ++row)
    for (std::size_t column = 0; column < plane.width * scale; ++column)
      picture.grey[row * picture.columns + first_column + column] =
          grey_level(plane.row_major(row / scale, column / scale), range);
}

/// Side by side, a white gap between them.
Picture draw(const Plane& left, const Plane& right) {
  const std::size_t shorter = std::min(left.width, left.height);
  const std::size_t longer = std::max(2 * left.width, left.height);
  const std::size_t wanted = (kLeastSide + shorter - 1) / shorter;
  const std::size_t scale = std::max<std::size_t>(1, std::min(wanted, kMostSide / longer));
  const std::size_t panel = left.width * scale, gap = std::max<std::size_t>(1, panel / 64);
  Picture picture{left.height * scale, 2 * panel + gap, {}};
  picture.grey.assign(picture.rows * picture.columns, kWhite);
  draw(picture, 0, left, scale);
  draw(picture, panel + gap, right, scale);
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
    throw Error(ErrorCategory::environment, fmt::format("cannot write '{}'", path), image.message,
                "save the result as .npy instead");
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::size_t pictured_plane(const Shape3& shape, bool spectrum) {
  return spectrum ? 0 : shape.n2 / 2 * shape.n3 + shape.n3 / 2;
}

void write_picture_png(const std::string& path, const Volume& field, const Volume& spectrum) {
  for (const Volume* volume : {&field, &spectrum})
    if (volume->shape.size() == 0 || volume->data.size() != volume->shape.size() ||
        volume->shape != field.shape)
      throw Error(ErrorCategory::usage, fmt::format("cannot draw '{}'", path),
                  "a volume is empty, or its shape is not that of its data or of the other volume",
                  "give it a whole field and its whole spectrum");
  write_file(path, encode(draw(middle_magnitude(field), centred_log_magnitude(spectrum)), path));
}

}  // namespace weft::io
