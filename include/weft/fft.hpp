#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/accelerations.hpp"
#include "weft/engine.hpp"
#include "weft/machine.hpp"
#include "weft/observation.hpp"
#include "weft/report.hpp"
#include "weft/volume.hpp"

namespace weft::inline v0 {

class Fabric;
class Processes;  // weft/processes.hpp

enum class FftPrecision { fp16, fp32 };
enum class FftDirection { forward, inverse };

/// The numbers of an array.
enum class FftKind {
  complex,  ///< in space as in frequency
  /// In space real, with one half of the spectrum, as FFTW and NumPy's rfftn lay it out:
  /// n0 x n1 x (n2 / 2 + 1) complex numbers. Forward is r2c, inverse c2r.
  real,
};

/// The divisor of each direction, as NumPy's `norm`, for n numbers in all. Each of the three
/// supersteps divides by its side (or, for ortho, by the root of it), so that FP16 values stay in
/// range on the way.
enum class FftNorm {
  backward,  ///< the inverse by n
  ortho,     ///< both by the root of n
  forward,   ///< the forward transform by n
};

/// How PEs exchange their numbers in the transposes. All give the same numbers; docs/transforms.md
/// has the cycles of each.
enum class FftTranspose {
  /// The published form. Where that does not end on this machine, the interlocked one; then
  /// `progress` starts over.
  automatic,
  /// Orenes-Vera et al., section 4.3: a filter is set while streams go on. If that is too late, the
  /// run ends in a deadlock.
  published,
  /// A stream waits until the filter is set: right on every machine.
  interlocked,
  /// Numbers go on from PE to PE around a ring, the shorter way round: right on every machine,
  /// without filters, and quicker than the paper's from 16 PEs on. Along both axes PEs then stand
  /// in the order of a folded ring (RingShift).
  ring,
  /// The two halves of a line exchange their numbers, so do the halves of each half, and so on: the
  /// fewest cycles, but with several pencils in a PE on long lines. These have up to 64 PEs, a
  /// power of two. Where PEs of a line are not in step, queues may meet a wavelet of another color:
  /// a fault, which no machine profile that was tried brought about.
  halves,
  /// No transposes: axes 0 and 1 lie on as many PEs as they have numbers, up to 64, and the PEs of
  /// a line transform them together, by butterflies between all that two mirror images have. Of
  /// complex numbers, not in round trips.
  butterflies,
  /// The form with the fewest cycles by estimate, for what FftOptions::fastest_for says, each on
  /// the mesh that it takes where none is asked for: a plan has automatic, ring or halves in its
  /// place.
  fastest,
};

/// The algorithm that transforms a pencil of n numbers in a PE. Each takes numbers in natural order
/// and leaves them so. docs/transforms.md has the cycles of each, docs/accuracy.md the errors.
enum class FftPencil {
  /// Orenes-Vera et al., section 4.1: Cooley and Tukey's, with a loop over groups of numbers that
  /// share a root of unity, and a reshape after each stage.
  radix2,
  /// Self-sorting, four numbers at a time, with vectors of roots: the fewest cycles from n = 16 on.
  /// Its roots take 3/4 of a pencil's memory, those of the others 1/2. This one and stockham also
  /// take n = 2^a 3^b 5^c, with passes of radix 3 and 5; then both have roots for up to n.
  radix4,
  /// Self-sorting, with products in a third of the places only, but more instructions. n <= 1024.
  split_radix,
  /// Self-sorting, two numbers at a time, with vectors of roots.
  stockham,
  /// The one with the fewest cycles of those that fit: a plan has it in the place of this.
  fastest,
  /// radix2 where all sides are powers of two from 4 on, as the paper's, else radix4: a plan has it
  /// in the place of this.
  automatic,
};

/// How a transform is computed on the fabric. docs/algorithms.md has the ways of the data and the
/// cycles of each.
enum class FftAlgorithm {
  /// Orenes-Vera et al.: pencils, and exchanges of all with all in between.
  wsfft,
  /// Malapally et al.: products with matrices of Fourier coefficients, whose blocks or the array's
  /// go round rings. Arrays of three axes of complex numbers, sides from 2 to 4096; no power of two
  /// is asked for, but each side of the mesh divides one of the array.
  s3dft,
};

/// How S3DFT brings numbers and coefficients together.
enum class S3dftForm {
  /// The array goes round the rings; a PE takes the coefficients from a table of roots of unity.
  held,
  /// As published: the array is aligned first, and blocks of coefficients go round the rings of the
  /// other axis of the mesh beside it. As many PEs along x as along y.
  cannon,
  /// As published, also in the layout: p^3 nodes with a block each, in tiles on the mesh. Arrays of
  /// three equal sides that p divides, a power of two; 4 x 2, 8 x 8, 32 x 16, 64 x 64 PEs and so
  /// on.
  cubes,
};

/// "wsfft", "s3dft"; "held", "cannon", "cubes"; "fp16", "fp32"; "complex", "real"; "forward",
/// "inverse"; "backward", "ortho", "forward"; "automatic", "published", "interlocked", "ring",
/// "halves", "butterflies", "fastest"; "radix2", "radix4", "split-radix", "stockham", "fastest",
/// "automatic".
std::string_view to_string(FftAlgorithm algorithm) noexcept;
std::string_view to_string(S3dftForm form) noexcept;
std::string_view to_string(FftPrecision precision) noexcept;
std::string_view to_string(FftKind kind) noexcept;
std::string_view to_string(FftDirection direction) noexcept;
std::string_view to_string(FftNorm norm) noexcept;
std::string_view to_string(FftTranspose transpose) noexcept;
std::string_view to_string(FftPencil pencil) noexcept;

/// How long a run is expected to take on its machine, and how far it is then.
struct FftExpectation {
  std::uint64_t cycles = 0;  ///< about what the clock will show at the end
  double fraction = 0;       ///< 0 to 1, of these
  std::string phase{};       ///< of RunReport::phases, about the one under way
};

/// How far a run has come.
struct FftProgress {
  std::uint64_t cycle = 0;      ///< the emulated clock
  std::uint64_t pe_cycles = 0;  ///< emulated PE-cycles so far (PEs times cycles)
  /// Worked out when a run first asks for it, from 64^3 numbers on by runs of supersteps and
  /// exchanges on the same machine. Nothing if these fail, which does not harm the run.
  std::function<std::optional<FftExpectation>()> expectation = [] { return std::nullopt; };
};

/// Called from the emulating thread before the first cycle of a run, and then about ten times a
/// second. An exception ends the run and is passed on.
using OnFftProgress = std::function<void(const FftProgress&)>;

/// PEs along x and y; 0: as many as the shape allows, for all arrays of a batch side by side (up to
/// 1024 along x and y), or the most that fit in a PE's memory and this host's. Arrays with a side
/// that is no power of two take as many as need the fewest cycles for all of them, by estimate.
struct FftMesh {
  int x = 0, y = 0;
  bool operator==(const FftMesh&) const = default;
};

struct FftOptions {
  Machine machine{};
  FftMesh mesh{};
  /// So many arrays, one after the other along axis 0. As many as the mesh has room for run side by
  /// side at the same time, the others after them.
  int batch = 1;
  FftKind kind = FftKind::complex;
  FftNorm norm = FftNorm::backward;
  FftAlgorithm algorithm = FftAlgorithm::wsfft;
  /// Of wsFFT these two, of S3DFT the third: with the other algorithm they stay as they are here.
  FftTranspose transpose = FftTranspose::automatic;
  FftPencil pencil = FftPencil::automatic;
  S3dftForm s3dft_form = S3dftForm::held;
  /// The direction whose cycles count where `transpose` or `pencil` is fastest; nothing: the sum of
  /// both, for round trips.
  std::optional<FftDirection> fastest_for = FftDirection::forward;
  /// Of wsFFT: a last transpose takes the numbers back to where they were. Of complex arrays of two
  /// axes of one length on a line of PEs, not by the published form (butterflies leave them there
  /// anyway).
  bool back = false;
  /// CPU threads that step the fabric, and copy data into it and out, 1 to 1024; the result does
  /// not depend on it.
  int threads = 1;
  Engine engine = Engine::automatic;
  /// False: cycles only; nothing is placed or computed (see FabricOptions::data).
  bool data = true;
  Accelerations accelerate{};  ///< where by line fails, the progress starts over
  /// What the fabrics of runs note. Counts are for RunReport::profile: of a batch that runs in
  /// several rounds, those of the last one.
  Observation observe{};
  /// Called with each fabric of a run, before its first cycle: to take its events. Where a form of
  /// the transposes ends in a deadlock, there is another one after it; so for each round of a
  /// batch.
  std::function<void(Fabric&)> on_fabric{};
  /// The processes that share the fabrics of runs (FabricOptions::processes): each runs the same
  /// plan, and gets the whole output, unless it has `parts`. Empty: this one has all.
  std::shared_ptr<Processes> processes{};
  /// Of several processes each gives, and gets, only its part of the arrays: FftPlan::input_part()
  /// and output_part(). A plan resets it for one process, and without data.
  bool parts = false;
};

/// The part of arrays that one process has: of each array the numbers whose index along one axis is
/// in some ranges. They lie array by array, in C order: of n0 x n1 x n2 numbers, n0 x count x n2
/// for axis 1. Plain data.
struct FftPart {
  /// Indices from `first` to the one before `last`.
  struct Range {
    std::size_t first = 0, last = 0;
    bool operator==(const Range&) const = default;
  };

  Shape3 shape{};                            ///< of one whole array
  int axis = 0;                              ///< 0, 1 or 2
  std::vector<std::vector<Range>> ranges{};  ///< of each array, ascending; empty: nothing of it

  /// Indices along the axis that the process has of an array. Throws Error(usage) for none of them.
  std::size_t count(std::size_t array) const;
  std::size_t size() const noexcept;  ///< numbers of all arrays that the process has
  bool operator==(const FftPart&) const = default;
};

struct FftRun {
  FftMesh mesh;    ///< the PEs
  int rounds = 1;  ///< in which a batch ran; `report` is the sum of them
  /// The transform in natural order, or this process's part of it (FftOptions::parts); without
  /// data, its shape only.
  Volume output;
  /// `cycles`: the largest cycle counter over all PEs at the end. `phases`: of the PE that ended
  /// last. Of several rounds the sum; `by_line` is of the first one.
  RunReport report;
  /// Of report.cycles, in pencil FFTs; of S3DFT in sums, with the rolls that go on meanwhile.
  std::uint64_t compute_cycles = 0;
  /// Of these, in transposes, or in alignments: the rest. Butterflies are among them, with the
  /// arithmetic of two axes.
  std::uint64_t communication_cycles = 0;
  /// Of wsFFT: the form that ran, not automatic. Of S3DFT, which has none: automatic.
  FftTranspose transpose = FftTranspose::published;
  /// 5 n log2 n operations for each array of n numbers, 2.5 n log2 n for real ones, over
  /// report.time_us. Those of an FFT, whatever the algorithm computes.
  double tflops = 0;
};

/// All that a run will take, estimated before it.
struct FftEstimate {
  FftMesh mesh{};                ///< the PEs
  std::string division{};        ///< of the array among them, in words
  int rounds = 1;                ///< in which a batch will run
  std::uint32_t pe_bytes = 0;    ///< of each PE's memory: numbers, coefficients and program
  std::uint32_t root_bytes = 0;  ///< of these, tables of roots of unity or of coefficients
  int shapes = 0;                ///< of vectors of several dimensions in a PE's program, of 256
  int colors = 0;                ///< that are routed
  int filters = 0;               ///< of a PE, at most
  std::uint64_t host_bytes = 0;  ///< about, of this host's memory
  /// Expected, of all rounds: see FftExpectation; from runs of parts on the same machine.
  std::uint64_t cycles = 0;
  std::vector<RunPhase> phases{};
  /// The same by formula, of the default machine. Of wsFFT by the published ones: pencils by
  /// Orenes-Vera et al., section 5, and exchanges among p PEs in r p^2 / 2 + 72 p cycles for
  /// messages of r wavelets. Of S3DFT by Weft's own, of each step: docs/algorithms.md.
  std::uint64_t published_cycles = 0;
};

/// The choice with the fewest cycles, by estimate.
struct FftFastest {
  FftTranspose transpose = FftTranspose::automatic;  ///< or ring, or halves
  FftPencil pencil = FftPencil::automatic;
  std::uint64_t cycles = 0;  ///< about, of all rounds
  FftMesh mesh{};            ///< the PEs that they take
};

/// Round trips: forward and inverse transforms in turn.
struct FftTrips {
  Volume output;                      ///< after the last one; without data, its shape only
  std::vector<std::uint64_t> cycles;  ///< of each trip, in the PE that ended last
  /// `cycles`: of all. `peak_share`: of the transforms' operations, without the products.
  RunReport report;
  FftTranspose transpose = FftTranspose::published;  ///< the form that ran
};

/// The transform of an n0 x n1 x n2 array on px x py PEs, by wsFFT unless another algorithm is
/// chosen: docs/algorithms.md has the ways of S3DFT. wsFFT (Orenes-Vera et al., "Wafer-Scale Fast
/// Fourier Transforms"): axis 0 lies along the mesh's x, axis 1 along y, axis 2 in the PEs'
/// memories. Each PE has n0/px x n1/py pencils of n2 numbers at the start, n2/px x n1/py of n0
/// between the exchanges along rows and columns, and n2/px x n0/py of n1 at the end. px is at most
/// n0 and n2, py n0 and n1; where they do not divide a side, PEs have ceil(n / p) numbers of it,
/// the last ones fewer and padding. With one pencil in each PE of n x n this is the published
/// transform; with py = 1 each PE of a line has planes, and there is one exchange. n0 x n1 x n2 x
/// n3 lies as n0 x n1 x (n2 n3), with planes of axes 2 and 3 in the PEs. Axes of one number are
/// left out: n0 x 1 x n2 is an array of two dimensions on a row of PEs, 1 x 1 x n2 a pencil in one
/// PE. With py > 1 the row is folded over the mesh, and px py is at most n0 and n2 (not of a
/// batch). A longer array of one axis, one that fits in no PE, or one for which several are asked,
/// is divided by the digits of its index: on a row it is transformed as one of two dimensions, on a
/// mesh as one of three, with products by roots of unity in between (Bailey's four-step FFT). Of a
/// real array, each PE transforms its pencils along axis 2 by twos, as the real and the imaginary
/// part of one, and takes their spectra apart. Then px PEs share the n2 / 2 + 1 numbers that are
/// left of axis 2, and the rest goes on as for a complex array. A real array of two axes lies on a
/// row. A plan does not change: several threads may execute one at the same time. Each call has a
/// fabric of its own, with options().threads threads and memory for it, and calls its `progress`
/// from the thread that called.
class FftPlan {
 public:
  /// Of wsFFT: sides are 2^a 3^b 5^c between these, or 1. Those of S3DFT have the same most.
  static constexpr std::size_t kLeastSide = 2, kMostSide = 4096;
  /// The side of an array of one axis, which several PEs may share.
  static constexpr std::size_t kLongest = std::size_t{1} << 24;

  /// Throws Error(usage) for a shape or mesh that cannot be planned, Error(machine_profile) for a
  /// machine on which the program does not fit, Error(environment) if this host has too little
  /// memory.
  FftPlan(Shape3 shape, FftPrecision precision, FftOptions options = {});

  const Shape3& shape() const noexcept { return shape_; }  ///< of one array of a batch
  /// All arrays of a batch: shape(), with axis 0 so many times as long. Of half a spectrum, with
  /// n2 / 2 + 1 numbers along axis 2.
  Shape3 input_shape(FftDirection direction = FftDirection::forward) const noexcept;
  Shape3 output_shape(FftDirection direction = FftDirection::forward) const noexcept;
  /// What this process, or the one of a rank, gives of the input, and gets of the output: where
  /// options().parts is false, all. A volume of a part has the whole arrays' shape, and only the
  /// part's numbers. Throws Error(usage) for a rank that no process has.
  FftPart input_part(FftDirection direction = FftDirection::forward,
                     std::optional<int> rank = {}) const;
  FftPart output_part(FftDirection direction = FftDirection::forward,
                      std::optional<int> rank = {}) const;
  FftPrecision precision() const noexcept { return precision_; }
  /// With the mesh that it takes, and what it chose for `fastest`.
  const FftOptions& options() const noexcept { return options_; }

  /// X[a,b,c] = sum x[i,j,k] exp(-2 pi I (a i + b j + c k) / n), of four axes likewise, divided as
  /// the norm says. Throws FaultError if the emulated program faults, Error(usage) if the input's
  /// shape is not input_shape(), its data has more or fewer numbers, or imaginary parts where the
  /// plan is for real ones (without data, it is not looked at).
  FftRun forward(const Volume& input, const OnFftProgress& progress = {}) const {
    return run(input, FftDirection::forward, progress);
  }

  /// The inverse transform: inverse(forward(x)) = x.
  FftRun inverse(const Volume& input, const OnFftProgress& progress = {}) const {
    return run(input, FftDirection::inverse, progress);
  }

  FftRun run(const Volume& input, FftDirection direction, const OnFftProgress& progress = {}) const;

  /// All that a run will take, without running it: each superstep in one PE and each exchange in a
  /// line of PEs, in the form that ends on the same machine, tell its cycles. Throws what these
  /// throw, and Error(machine_profile) if they take too long.
  FftEstimate estimate(FftDirection direction = FftDirection::forward) const;

  /// The transposes and the pencils that take the fewest cycles, of those that fit in PEs: on the
  /// mesh that was asked for, or else each form on the one that a plan takes with it. By runs of
  /// supersteps and of exchanges, as estimate has them. Throws as that.
  FftFastest fastest(FftDirection direction = FftDirection::forward) const;

  /// So many times in one program, without the host in between: the forward transform, a product
  /// with `symbol` number by number, and the inverse transform, as time-stepping codes do. The
  /// symbol has the plan's shape, in natural order; without data in it, there is no product. Of a
  /// single cube. The symbol, both directions' roots of unity and 4 bytes a trip take memory of
  /// each PE. Throws as run, Error(machine_profile) if they do not fit, and
  /// LimitError after 2^32 cycles.
  FftTrips round_trips(const Volume& input, int times, const Volume& symbol = {},
                       const OnFftProgress& progress = {}) const;

 private:
  struct Findings;

  Shape3 shape_;
  FftPrecision precision_;
  FftOptions options_;
  std::shared_ptr<Findings> found_;  ///< by the constructor and by runs; copies share them
};

/// Empty if arrays of this shape, as a plan takes them, can be transformed; otherwise why not, in a
/// few words.
std::string why_no_fft(const Shape3& shape, FftKind kind = FftKind::complex,
                       FftAlgorithm algorithm = FftAlgorithm::wsfft);

/// The cycles of a pencil's transform in one PE, alone: the emulated cycles of n complex numbers, n
/// a power of two from 4 to 2048 (FP32) or 4096 (FP16), by split radix to 1024, by radix4 and
/// stockham also 2^a 3^b 5^c from 2 on; Error(usage) else.
/// For comparison with the published instruction count. `pencil` is transformed in place, unscaled
/// forward, divided by n inverse.
std::uint64_t run_fft_pencil(std::vector<std::complex<float>>& pencil, FftPrecision precision,
                             FftDirection direction, const Machine& machine = {},
                             FftPencil algorithm = FftPencil::automatic);

/// The relative L2 error that a transform of `shape` may have against a double-precision one of the
/// same input, if no value leaves the precision's normal range. docs/accuracy.md derives it.
/// `pencil`: FftPlan::options() has the one that a plan takes; automatic as there, fastest the
/// largest bound. wsFFT by radix2 in FP32: 4e-7 log2(n) for n numbers in all; in FP16:
/// (4.25 log2(n) + 8) 2^-11; an array of one axis counts as four times as long. By other pencils
/// exp(s u) - 1, where s is 8, 6 more for an array of one axis, and for each prime factor of n, 2,
/// 3 and 5, 8.9, 15.9 and 27.1 (split_radix: 16.9). S3DFT: (2.5 n + 2 sqrt(n)) u for each side n,
/// and 8 u; for n to 4096 with one number of a side in a PE; with several, where docs/accuracy.md
/// computes it.
double fft_error_bound(Shape3 shape, FftPrecision precision,
                       FftAlgorithm algorithm = FftAlgorithm::wsfft,
                       FftPencil pencil = FftPencil::automatic) noexcept;

}  // namespace weft::inline v0
