#pragma once

#include <cstddef>
#include <functional>

#include "weft/fabric.hpp"

namespace weft::fabric {

/// Of a fabric that may be stepped by line, beside FabricOptions.
struct ByLineOptions {
  /// Bytes of what is written before the first run that are kept, so that it can start over. If
  /// that is more, it is not tried. Chosen: more is too much to ask of a host for a run that
  /// perhaps needs none.
  std::size_t most_kept = std::size_t{1} << 30U;
  /// Nothing is kept: this writes all of it once more, to the fabric that it is given. It is called
  /// in the first run, or in the next use of the fabric after an exception of `progress`. Its
  /// exceptions are passed on.
  std::function<void(Fabric& anew)> write_again{};
  /// With `write_again`: the same, in the first run, of a fabric that is stepped beside this one to
  /// find the critical path. None: the path is found without lines.
  std::function<void(Fabric& beside)> write_beside{};
  /// Wherever the engine can do so, even if it is not asked to or does not pay. For tests.
  bool always = false;
  /// Of a fabric that processes share: each has the rows that it would have by line, even where
  /// that is not tried, so that they are known before the fabric is made.
  bool rows_of_lines = false;
  /// A fabric that counts and is not stepped by line runs ahead of its clock in its first run.
  bool counting_ahead = true;
};

}  // namespace weft::fabric
