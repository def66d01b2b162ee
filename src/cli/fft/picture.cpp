#include "cli/fft/picture.hpp"

#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "cli/fft/run_parts.hpp"
#include "io/volume_file.hpp"
#include "weft/processes.hpp"

namespace weft::cli {
namespace {

/// The numbers of a part that are in the plane, and their places there.
struct PartOfPlane {
  std::vector<std::size_t> places;
  std::vector<std::complex<float>> numbers;
};

/// The plane has number `at` of each `behind`. `mine`: null, another process has the part.
PartOfPlane part_of_plane(const FftPart& part, std::size_t at, std::size_t behind,
                          const std::vector<std::complex<float>>* mine) {
  PartOfPlane plane;
  std::size_t before = 0;  // numbers of the part
  for (const io::NumberRun& run : runs_of_part(part)) {
    for (std::size_t k = (at + behind - run.first % behind) % behind; k < run.count; k += behind) {
      plane.places.push_back((run.first + k) / behind);
      plane.numbers.push_back(mine != nullptr ? (*mine)[before + k] : std::complex<float>());
    }
    before += run.count;
  }
  return plane;
}

/// The plane of one array, of its number `at` behind axis 1. `part`: of a process, by its rank.
Volume plane_of(const FftPlan& plan, const Volume& mine, std::size_t at,
                const std::function<FftPart(int)>& part) {
  const std::size_t behind = mine.shape.n2 * mine.shape.n3;
  Processes* const processes = plan.options().parts ? plan.options().processes.get() : nullptr;
  Volume whole{{mine.shape.n0, mine.shape.n1, 1}, {}};
  std::vector<PartOfPlane> parts(static_cast<std::size_t>(base::process_count(processes)));
  base::in_all(processes, [&] {
    whole.data.resize(whole.shape.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const int rank = static_cast<int>(k);
      const bool own = processes == nullptr || rank == processes->rank();
      parts[k] = part_of_plane(part(rank), at, behind, own ? &mine.data : nullptr);
    }
  });
  for (std::size_t k = 0; k < parts.size(); ++k) {
    auto& [places, numbers] = parts[k];
    if (processes != nullptr)
      processes->broadcast(static_cast<int>(k), std::as_writable_bytes(std::span(numbers)));
    for (std::size_t n = 0; n < places.size(); ++n) whole.data[places[n]] = numbers[n];
  }
  return whole;
}

}  // namespace

Volume input_plane(const FftPlan& plan, const Arrays& arrays, const Volume& input) {
  const bool spectrum = arrays.direction == FftDirection::inverse;
  return plane_of(plan, input, io::pictured_plane(input.shape, spectrum),
                  [&](int rank) { return plan.input_part(arrays.direction, rank); });
}

Volume output_plane(const FftPlan& plan, const Arrays& arrays, const Volume& output) {
  const bool spectrum = arrays.direction == FftDirection::forward;
  return plane_of(plan, output, io::pictured_plane(output.shape, spectrum),
                  [&](int rank) { return plan.output_part(arrays.direction, rank); });
}

void write_picture(const std::string& path, const PicturePlanes& planes, FftDirection direction) {
  const bool forward = direction == FftDirection::forward;
  io::write_picture_png(path, forward ? planes.input : planes.output,
                        forward ? planes.output : planes.input);
}

}  // namespace weft::cli
