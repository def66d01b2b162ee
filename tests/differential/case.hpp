#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "differential/compare.hpp"
#include "fabric/build/state.hpp"
#include "spec/fabric.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/program.hpp"

/// One fabric that the emulator and the reference both run. Plain records, so that it can be cut
/// down and printed.
namespace weft::test {

/// Words that the host sends by a stream before a stop is run to.
struct HostSend {
  std::size_t stream = 0, stop = 0;  ///< by number
  int each = 0;                      ///< words of each PE
};

struct Case {
  int width = 1, height = 1;
  Machine machine;
  std::vector<std::pair<Rect, Program>> programs;
  std::vector<Layout::Routing> routes;
  std::vector<Layout::Filtering> filters;
  std::vector<Layout::HostStream> host;
  std::vector<HostSend> sends;
  bool receives = false;          ///< after each stop, all that has come to the host
  std::uint64_t memory_seed = 0;  ///< of the words that PE memory starts with; 0: zeros
  std::uint64_t limit = 1000;     ///< cycles
  /// Where to stop and compare on the way; none: after every cycle.
  std::optional<std::vector<std::uint64_t>> stops;
  int threads = 1;
  int block = 0;  ///< as RunOptions::block
  Accelerations fast{};
  Observation observe{};
};

/// A program of one piece: `entries` are those of local tasks, from id 0; task 0 starts.
Program program_of(std::vector<Instruction> code, std::vector<std::int32_t> local_entries);

Layout layout_of(const Case& c);

/// The word that PE memory starts with: small floats, small integers and control wavelets.
std::uint32_t initial_word(std::uint64_t seed, int x, int y, std::size_t word);

/// Some of the accelerations of the step, a bit each: `bits` from 0 to kCombinations - 1.
Accelerations accelerations(unsigned bits);
inline constexpr unsigned kCombinations = 128;

/// The emulator's fabric at cycle 0.
fabric::State state_of(const Case& c);

/// The reference's.
struct Reference : spec::Fabric {
  explicit Reference(const Case& c, const Observation& asked = {});
};

/// The end of a run; for counts of the ends that the cases reach.
struct Outcome {
  std::optional<Difference> difference;
  spec::Fabric::Stop stop{};
  Fault fault;
  std::uint64_t cycles = 0, wavelets = 0, delivered = 0, filtered = 0, hops = 0;
  bool deadlock = false;
  bool shapes = false;           ///< a descriptor has some
  bool fifos = false;            ///< an element left a FIFO
  std::uint64_t host_sent = 0;   ///< words that have left the host
  std::uint64_t host_words = 0;  ///< that were at the host after a stop
  bool shared = false;           ///< two colors were in one input queue, at different times
};

/// Called after each cycle that the reference steps: a test of the tests may change it.
using Meddle = std::function<void(spec::Fabric&)>;

/// Runs both, comparing on the way. Throws weft::Error if the case cannot be built.
Outcome run(const Case& c, const Meddle& meddle = {});

/// The same of a case that counts, at once and with cores that run ahead while they do. After a
/// fault, or where something is left, counts are not compared.
Outcome run_counting_ahead(const Case& c);

/// The end of stepping by line.
struct ByLine {
  bool tried = false;  ///< else the fabric was stepped as always
  bool met = false;    ///< LinesMet; then there is no outcome
  Outcome outcome{};
};

/// Runs both up to the limit, the emulator by line if it can.
ByLine run_by_line(const Case& c);

/// The case as C++ statements that build a `Case c`.
std::string print(const Case& c);

/// Cuts the case down while `fails` still says so.
Case shrink(Case c, const std::function<bool(const Case&)>& fails);

/// A case of its own for every seed.
Case random_case(std::uint64_t seed);
/// The same on a mesh of this size.
Case random_case(std::uint64_t seed, int width, int height);
/// One with host streams.
Case hosted_case(std::uint64_t seed);
/// One that mostly can be stepped by line: its colors lead along rows or along columns.
Case straight_case(std::uint64_t seed);

}  // namespace weft::test
