#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/together.hpp"
#include "cli/fft/shared_transform.hpp"
#include "cli/fft/tracing.hpp"
#include "weft/observation.hpp"
#include "weft/processes.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft fft`, as given.
struct FftArguments {
  std::optional<std::string> shape;
  std::optional<std::string> mesh;
  std::optional<int> batch;
  std::optional<std::string> kind;
  std::optional<std::string> input;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> fit;
  bool inverse = false;
  bool no_data = false, back = false;
  std::optional<std::string> norm, precision, algorithm, s3dft_form, transpose, pencil;
  std::optional<std::string> reference;  ///< default: fftw
  std::optional<std::string> engine;
  std::vector<std::string> without{};
  std::optional<std::string> machine;
  std::optional<int> threads;
  std::optional<std::string> output;
  std::optional<std::string> png;
  std::optional<std::string> json;
  std::optional<std::string> explain, profile;
  std::optional<int> windows;  ///< of the profile; default: 128
  TraceArguments trace{};
  bool path = false;  ///< the critical path
  bool quiet = false;
  bool plan = false;

  // Not options: the processes that share the fabric, and what this one calls before it; null:
  // there are no others.
  std::shared_ptr<Processes> processes{};
  std::function<void(Together)> before_fabric{};
  std::optional<Observation> observe{};  ///< for a profile that another process writes
  /// FFTW's transforms of parts; empty: the first process compares whole arrays.
  MakeSharedTransform shared_fftw{};
};

/// What the options ask the fabric to note, but for events.
Observation observation_of(const FftArguments& arguments);

/// Adds `weft fft`; parsing fills `arguments`.
CLI::App* add_fft(CLI::App& app, FftArguments& arguments);

/// Runs it and returns the exit code; throws Error for what cannot be run.
int run_fft(const FftArguments& arguments);

}  // namespace weft::cli
