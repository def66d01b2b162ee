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

/// The arrays to transform, and how.
struct PlannedInput {
  FftPlan plan;
  Volume input;
};

/// The arrays, of a shape that can be; fills what the report says about them. With --plan they have
/// no numbers, and of a file only the header is read. Throws Error(input) for files that do not
/// fit, and, before a large input takes its time, for what cannot be planned.
PlannedInput read_input(const FftArguments& arguments, const std::optional<io::Sides>& asked,
                        const FftMesh& mesh, FftReport& report);

}  // namespace weft::cli
