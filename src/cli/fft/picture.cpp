#include "cli/fft/picture.hpp"

#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "cli/fft/run_parts.hpp"
#include "io/volume_file.hpp"
#include "weft/processes.hpp"

namespace weft::cli {
namespace {

/// The plane of one array, of its number `at` behind axis 1. `part`: of a process, by its rank.
Volume plane_of(const FftPlan& plan, const Volume& mine, std::size_t at,
                const std::function<FftPart(int)>& part) {
  const std::size_t behind = mine.shape.n2 * mine.shape.n3;
  Volume plane{{mine.shape.n0, mine.shape.n1, 1},
               std::vector<std::complex<float>>(mine.shape.n0 * mine.shape.n1)};
  Processes* const processes = plan.options().parts ? plan.options().processes.get() : nullptr;
  const int ranks = processes == nullptr ? 1 : processes->size();
  for (int rank = 0; rank < ranks; ++rank) {
    const bool own = processes == nullptr || rank == processes->rank();
    std::vector<std::size_t> places;
    std::vector<std::complex<float>> numbers;
    std::size_t before = 0;  // numbers of the part
    for (const auto& [first, count] : runs_of_part(part(rank))) {
      const std::size_t further = (at + behind - first % behind) % behind;
      for (std::size_t k = further; k < count; k += behind) {
        places.push_back((first + k) / behind);
        numbers.push_back(own ? mine.data[before + k] : std::complex<float>());
      }
      before += count;
    }
    if (processes != nullptr)
      processes->broadcast(rank, std::as_writable_bytes(std::span(numbers)));
    for (std::size_t k = 0; k < places.size(); ++k) plane.data[places[k]] = numbers[k];
  }
  return plane;
}

/// The plane that a picture shows: of a spectrum that of frequency 0, of a field the middle one.
std::size_t plane_at(const Shape3& shape, bool spectrum) {
  return spectrum ? 0 : shape.n2 / 2 * shape.n3 + shape.n3 / 2;
}

}  // namespace

Volume input_plane(const FftPlan& plan, const Arrays& arrays, const Volume& input) {
  const bool spectrum = arrays.direction == FftDirection::inverse;
  return plane_of(plan, input, plane_at(input.shape, spectrum),
                  [&](int rank) { return plan.input_part(arrays.direction, rank); });
}

Volume output_plane(const FftPlan& plan, const Arrays& arrays, const Volume& output) {
  const bool spectrum = arrays.direction == FftDirection::forward;
  return plane_of(plan, output, plane_at(output.shape, spectrum),
                  [&](int rank) { return plan.output_part(arrays.direction, rank); });
}

void write_picture(const std::string& path, const PicturePlanes& planes, FftDirection direction) {
  const bool forward = direction == FftDirection::forward;
  io::write_picture_png(path, forward ? planes.input : planes.output,
                        forward ? planes.output : planes.input);
}

}  // namespace weft::cli
