#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/accuracy.hpp"
#include "cli/fft/report_lines.hpp"
#include "io/volume_file.hpp"
#include "weft/fft.hpp"

namespace weft::cli {

/// The report of `weft fft` about a run.
struct FftReport {
  std::optional<std::string> input;  ///< the file; none for a random field
  io::Sides input_sides;             ///< before it was made to fit
  Arrays arrays;                     ///< that are transformed
  ArrayLayout layout;                ///< of them in files
  io::Conversion conversion;         ///< of the file's numbers
  std::string fit = "none";
  std::uint64_t seed = 1;
  FftPrecision precision = FftPrecision::fp32;
  FftOptions options{};  ///< as asked for; FftRun tells which they were. The arrays are in `arrays`
  FftRun run;
  std::optional<Accuracy> accuracy;  ///< none if nothing was compared
  std::uint64_t peak_memory_bytes = 0;
  std::vector<std::uint64_t> peak_memory_of_each{};  ///< process, where each has a part
  std::vector<std::string> written;                  ///< files, for the human report
  std::optional<FftFastest> fastest{};               ///< where another choice takes fewer cycles
  /// That other transposes would take, where nobody asked for a mesh and halves take a smaller one.
  std::optional<FftMesh> larger_mesh{};
};

/// "64 x 64 x 64, forward, fp32"
std::string transform_text(const FftReport& report);

/// "64 x 64 x 64", "8 arrays of 32 x 32 x 32"
std::string arrays_text(const FftReport& report);

/// "64 x 64 PEs, one pencil each"
std::string mesh_text(const FftReport& report);

/// "10,593  expected, by --transpose ring --pencil radix4", and on which PEs if on others
std::string fastest_text(const FftReport& report);
/// null: nothing takes fewer cycles.
nlohmann::ordered_json fastest_json(const std::optional<FftFastest>& fastest);

/// "s3dft, held": an algorithm that is not the default, and its form; else empty.
std::string algorithm_text(FftAlgorithm algorithm, S3dftForm form);
/// Lines on it, and on transposes and pencils if it has them. `ran`: the form that ran, or will.
void add_algorithm(ReportLines& lines, const FftOptions& options, FftTranspose ran);
/// null: of an algorithm that has no forms.
nlohmann::ordered_json s3dft_form_json(FftAlgorithm algorithm, S3dftForm form);
/// "algorithm" and what belongs to each: null for those of others. `transpose`: the form that ran.
void add_algorithm_json(nlohmann::ordered_json& json, const FftOptions& options,
                        FftTranspose transpose);

/// A few aligned lines for people.
std::string report_text(const FftReport& report);

/// The same for programs, with every number in full.
nlohmann::ordered_json report_json(const FftReport& report);

/// The same of a run that is only planned; the report has its mesh and rounds.
std::string plan_text(const FftReport& report, const FftEstimate& estimate);
nlohmann::ordered_json plan_json(const FftReport& report, const FftEstimate& estimate);

/// [n0, n1, n2], or of four axes [n0, n1, n2, n3]
nlohmann::ordered_json shape_json(const Shape3& shape);

/// What a transform's phases between PEs are: "communication"; "butterflies", which compute too.
std::string_view between_pes(FftTranspose transpose) noexcept;

/// By phase: name, kind ("compute" or as between_pes) and cycles.
nlohmann::ordered_json phases_json(const std::vector<RunPhase>& phases, FftTranspose transpose);

/// "name" and every constant of the machine.
nlohmann::ordered_json machine_json(const Machine& machine);

/// The machine's name, and how many constants differ from their defaults if any do.
std::string machine_title(const Machine& machine);

/// Writes JSON where --json says: indented, ending in a line break; bytes that are no UTF-8 are
/// replaced.
void write_json(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace weft::cli
