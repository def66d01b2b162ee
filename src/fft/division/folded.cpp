#include <fmt/format.h>

#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"

namespace weft::fft {
namespace {

bool is_folded(const Shape3& shape, const FftOptions& options, const PeBytes& /*bytes*/) {
  return options.batch == 1 && shape.n0 > 1 && shape.n1 == 1 && options.mesh.y > 1;
}

/// The PEs of both lines together are at most those of a row.
wsfft::Division folded_on(const Shape3& shape, const FftOptions& options) {
  const wsfft::Division division = in_a_pe(shape);
  const int most = most_pes(division)[0];
  const FftMesh& mesh = options.mesh;
  const int most_x = most / line_of(mesh.y, most, 1, "y").one;
  const Line x = line_of(mesh.x != 0 ? mesh.x : most_x, most, 1, "x");
  return on_lines(division, x, line_of(mesh.y, most / x.one, 1, "y"));
}

}  // namespace

const Way kFolded{is_folded, folded_on,
                  [](const wsfft::Division& division, FftDirection direction) {
                    return fmt::format("a line of {} PEs, folded: {}", division.px * division.py,
                                       pencils_text(division, direction));
                  }};

}  // namespace weft::fft
