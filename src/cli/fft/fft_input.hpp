#pragma once

#include <optional>
#include <string>

#include "cli/fft/fft.hpp"
#include "cli/fft/report.hpp"
#include "io/volume_file.hpp"
#include "weft/fft.hpp"

/// The arrays that `weft fft` transforms, and the plan for them.
namespace weft::cli {

/// The meaning of --fit; none if it is not given. Throws Error(usage) for other words.
io::Fit parse_fit(const std::optional<std::string>& word);

/// Throws Error for what cannot be planned.
FftPlan plan_of(const FftReport& report, const FftMesh& mesh, FftOptions options = {});

/// The arrays to transform, of a shape that can be; fills what the report says about them. For a
/// plan they have no numbers, and of a file only the header is read. Throws Error(input) for files
/// that do not fit.
Volume read_input(const FftArguments& arguments, const std::optional<io::Sides>& asked,
                  const FftMesh& mesh, FftReport& report);

}  // namespace weft::cli
