#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/effort.hpp"
#include "weft/weft.hpp"

namespace weft::test {

/// A machine whose core constants all differ, so that a test sees which one counts. Not the default
/// one: that is calibrated now and then.
Machine test_machine();

/// Options as they are, but that an environment variable may name another engine than the host:
/// WEFT_TEST_ENGINE=reference.
FabricOptions test_options(FabricOptions options = {});

/// Cycles from issuing an instruction with a fabric operand to its first element.
std::uint64_t first_element(const Machine& machine);

/// Cycles from a first element in one core until a core `hops` links away can take its wavelet.
std::uint64_t travel(const Machine& machine, int hops);

/// A wavelet that started a task: its payload as the task got it, and the cycle of its taking.
struct Caught {
  std::uint32_t payload = 0;
  std::uint64_t cycle = 0;
  bool operator==(const Caught&) const = default;
};

std::vector<std::uint32_t> payloads(const std::vector<Caught>& caught);

/// The work of one PE of a Mesh: its steps in order, in one task that starts at launch.
class Pe {
 public:
  enum class Mode { sync, async };

  Pe& send(int queue, int color, std::vector<std::uint32_t> words, Mode mode = Mode::sync);
  Pe& send_control(int queue, int color, std::vector<std::uint32_t> words);
  /// A microthread that takes `count` wavelets into memory.
  Pe& receive(int queue, int count);
  Pe& wait(int instructions);
  /// Anything else; the registers r0 to r9 are free.
  Pe& run(std::function<void(ProgramBuilder&)> code);
  /// Tasks that note the wavelets that start them.
  Pe& catch_data(int color);
  Pe& catch_control(int id);
  /// Control wavelets of a color start tasks only where it is unblocked.
  Pe& unblock(int color);

 private:
  friend class Mesh;
  struct Step {
    enum class Kind { send, receive, code } kind = Kind::code;
    int queue = 0, color = 0;
    bool control = false;
    Mode mode = Mode::sync;
    std::vector<std::uint32_t> words{};
    std::function<void(ProgramBuilder&)> code{};
  };
  Program build(const std::string& name) const;

  std::vector<Step> steps_;
  std::vector<int> data_, control_, unblocked_;
};

/// A small fabric whose PEs send, receive and catch, and which notes the cycles of it all.
class Mesh {
 public:
  explicit Mesh(int width, int height = 1, Machine machine = test_machine());

  const Machine& machine() const { return machine_; }
  Pe& pe(int x, int y = 0) { return pes_[{x, y}]; }
  Mesh& route(Rect where, int color, const Route& route);
  Mesh& filter(Rect where, int color, const CounterFilter& filter);
  /// Color from PE 0 of row 0 to its last PE; those between pass on, all but the first tap.
  Mesh& line(int color, int input_queue = 0);

  /// The routes and programs; and, in a fabric of them, what is to be sent.
  Layout layout();
  void fill(Fabric& fabric) const;
  /// Builds the fabric and writes what is to be sent.
  Fabric& start(FabricOptions options = {});
  Fabric& fabric() { return *fabric_; }
  /// Starts if needed; runs until idle.
  Mesh& run(std::uint64_t limit = 100000);
  /// Starts if needed; runs cycle by cycle and notes when received words arrive in memory.
  Mesh& trace(std::uint64_t cycles);

  std::vector<Caught> caught(int x, int y = 0) const;
  /// Words that the receive of this input queue has taken.
  std::vector<std::uint32_t> received(int x, int y, int queue) const;
  /// After trace: the cycle of each of them.
  std::vector<std::uint64_t> arrivals(int x, int y, int queue) const;
  /// The cycle in which the step was issued: a send or a receive.
  std::uint64_t issued(int x, int y, std::size_t step) const;
  std::uint32_t word(int x, int y, std::uint32_t address) const;

 private:
  std::vector<std::uint32_t> words(int x, int y, const std::string& symbol) const;

  Machine machine_;
  Layout layout_;
  std::map<std::pair<int, int>, Pe> pes_;
  std::map<std::pair<int, int>, Program> programs_;
  std::optional<Fabric> fabric_;
  std::map<std::pair<std::pair<int, int>, std::string>, std::vector<std::uint64_t>> arrivals_;
};

/// Runs one PE with one task, `code` and then end(), and gives the first `count` words of its
/// memory. Register r15 is 0.
std::vector<std::uint32_t> run_alone(std::size_t count,
                                     const std::function<void(ProgramBuilder&)>& code,
                                     const Machine& machine = test_machine());

/// A main task that does nothing, and task 5, which notes its first cycle in "cycle" and counts its
/// runs in "count".
Program counting_task();

/// A layout of one PE with this program.
Layout alone(const Program& program);

/// 1, 2, ... count, each plus `base`.
std::vector<std::uint32_t> counting(int count, std::uint32_t base = 0);

/// Not started: the first PE of a row sends counting(count) in color 7, and all others receive it.
Mesh stream_along_row(const Machine& machine, int width, int count);

/// Such a stream along six PEs takes the same cycles and comes whole in a run in pieces.
void expect_same_in_pieces(const Machine& machine, int count);

}  // namespace weft::test
