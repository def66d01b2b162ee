#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weft/element.hpp"
#include "weft/engine.hpp"
#include "weft/error.hpp"
#include "weft/fabric_options.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/profile.hpp"
#include "weft/report.hpp"

namespace weft::inline v0 {

/// The types that a word of a host stream may have.
template <class T>
concept HostWord =
    std::same_as<T, float> || std::same_as<T, std::uint32_t> || std::same_as<T, std::int32_t>;

/// How Fabric::run ended.
enum class RunEnd {
  limit,  ///< all cycles were stepped, and there is more to do
  idle,   ///< nothing is left to do
  stuck,  ///< nothing can happen any more, but something is left: run_until_idle tells why
};

/// A value that a program has printed (PeProgram::print).
struct Printed {
  std::uint64_t cycle = 0;
  int x = 0, y = 0;
  std::string name;
  double value = 0;
  std::string text;  ///< the value as digits that tell it from all others of its type: "0.25"
  bool operator==(const Printed&) const = default;
};

/// An emulated fabric: the layout's PEs, routers and programs, stepped cycle by cycle. Threads may
/// use different fabrics at the same time. Of one fabric, several threads may read at the same time
/// (what is const here), and so may they write to different PEs; no two of a run, reads and writes
/// may overlap.
class Fabric {
 public:
  /// Throws Error(layout) or Error(machine_profile) for what cannot be built, Error(environment)
  /// if this host has too little memory, or not the engine, Error(usage) for range filters without
  /// data: they look at payloads.
  Fabric(const Layout& layout, const Machine& machine, const FabricOptions& options = {});
  ~Fabric();
  Fabric(Fabric&&) noexcept;
  Fabric& operator=(Fabric&&) noexcept;

  /// Copies words into the memory of the PEs of `where` at a byte address: PE by PE, row by row,
  /// words.size() / (where.width * where.height) words each. Throws Error(usage) out of range.
  /// Threads may write to different PEs at the same time.
  void write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words);
  /// The same number of words from each PE, in the order of write; without data, as write and
  /// scalar instructions left them.
  void read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) const;

  /// The elements of a symbol of the programs of `where`: values in the order PE by PE, row by row,
  /// all elements of each. T is float, Half, 16- and 32-bit integers, std::complex<float> or
  /// ComplexHalf. The programs may differ, if the symbol is as large everywhere. Throws
  /// Error(usage) that names the symbol if there is none, or another type or number of values; read
  /// also if the fabric has run without data and the program writes to the symbol by vector
  /// instructions, streams or what follows from these: nobody has computed it.
  template <Element T>
  void write(const Rect& where, std::string_view symbol,
             std::type_identity_t<std::span<const T>> values) {
    write_elements(where, symbol, element_of<T>, values.data(), values.size());
  }
  template <Element T, std::convertible_to<std::string_view> Symbol>  // not 0, an address
  void write(const Rect& where, const Symbol& symbol, const std::vector<T>& values) {
    write_elements(where, symbol, element_of<T>, values.data(), values.size());
  }
  template <Element T, std::convertible_to<std::string_view> Symbol>
  void read(const Rect& where, const Symbol& symbol, std::span<T> values) const {
    read_elements(where, symbol, element_of<T>, values.data(), values.size());
  }
  template <Element T>
  std::vector<T> read(const Rect& where, std::string_view symbol) const {
    std::vector<T> values(elements(where, symbol, element_of<T>) *
                          static_cast<std::size_t>(where.width) *
                          static_cast<std::size_t>(where.height));
    read_elements(where, symbol, element_of<T>, values.data(), values.size());
    return values;
  }
  /// The number of elements of a symbol in each PE of `where`. Throws as write.
  std::size_t elements(const Rect& where, std::string_view symbol, ElementType type) const;
  /// The symbol's bytes, type and extents (none where they differ in `where`), and its address at
  /// the first PE. Throws as write.
  MemorySpan symbol(const Rect& where, std::string_view symbol) const;
  /// One array of the whole rectangle, divided into blocks: the symbol's elements, as they are
  /// declared. Rows of the array go along y, columns along x; a symbol of one dimension is a row,
  /// dimensions after the second stay in each PE. So a symbol of r x c x n elements takes an array
  /// of (height r) x (width c) x n, row by row. A `halo` of so many elements around each block (in
  /// its first two dimensions) is not part of the array, and stays as it is. Throws as write.
  template <Element T>
  void scatter(const Rect& where, std::string_view symbol,
               std::type_identity_t<std::span<const T>> array, int halo = 0) {
    scatter_elements(where, symbol, element_of<T>, array.data(), array.size(), halo);
  }
  template <Element T>
  void scatter(const Rect& where, std::string_view symbol, const std::vector<T>& array,
               int halo = 0) {
    scatter_elements(where, symbol, element_of<T>, array.data(), array.size(), halo);
  }
  /// The other way round: the array that scatter divides.
  template <Element T>
  std::vector<T> gather(const Rect& where, std::string_view symbol, int halo = 0) const {
    std::size_t count = 1;
    for (const std::size_t side : array_extents(where, symbol, element_of<T>, halo)) count *= side;
    std::vector<T> array(count);
    gather_elements(where, symbol, element_of<T>, array.data(), array.size(), halo);
    return array;
  }
  /// The dimensions of the array that scatter divides.
  std::vector<std::size_t> array_extents(const Rect& where, std::string_view symbol,
                                         ElementType type, int halo = 0) const;
  /// As scatter and gather, of a type that is known at run time only.
  void scatter_elements(const Rect& where, std::string_view symbol, ElementType type,
                        const void* array, std::size_t count, int halo = 0);
  void gather_elements(const Rect& where, std::string_view symbol, ElementType type, void* array,
                       std::size_t count, int halo = 0) const;
  /// As write and read, of a type that is known at run time only.
  void write_elements(const Rect& where, std::string_view symbol, ElementType type,
                      const void* values, std::size_t count);
  void read_elements(const Rect& where, std::string_view symbol, ElementType type, void* values,
                     std::size_t count) const;

  /// Appends words to those that the host has for a stream (Layout::host_input): PE by PE, in the
  /// order of its rectangle, as many for each. They enter the fabric in the runs that follow, as
  /// the links' rate and the routers allow. T is float or a 32-bit integer. Throws Error(usage)
  /// with the nearest name if there is no such stream, and if the PEs cannot have as many each.
  template <HostWord T, std::convertible_to<std::string_view> Name>
  void send(const Name& stream, const std::vector<T>& words) {
    send_words(stream, words.data(), words.size());
  }
  template <HostWord T>
  void send(std::string_view stream, std::span<const T> words) {
    send_words(stream, words.data(), words.size());
  }
  /// Takes the oldest `each` words that have come from every PE of a stream (Layout::host_output),
  /// PE by PE; without a number as many as each PE has sent at least. Others stay for the next
  /// call. Throws as send, and Error(usage) if a PE has sent fewer, or if the fabric runs without
  /// data.
  template <HostWord T>
  std::vector<T> receive(std::string_view stream, std::optional<std::size_t> each = {}) {
    std::vector<T> words(words_to_receive(stream, each));
    receive_words(stream, words.data(), words.size());
    return words;
  }
  /// The words of each PE of a stream that the host holds: of an input those that have not entered
  /// the fabric yet, of an output those that were not received. Throws as send.
  std::vector<std::size_t> host_words(std::string_view stream) const;
  /// As send, of `count` words of 32 bits.
  void send_words(std::string_view stream, const void* words, std::size_t count);
  /// How many words `receive` returns, of all PEs. Throws as it does.
  std::size_t words_to_receive(std::string_view stream, std::optional<std::size_t> each) const;
  /// As receive, of as many words of 32 bits, into memory of the caller's.
  void receive_words(std::string_view stream, void* words, std::size_t count);

  /// Activates a local task in each PE of `where`, from the host: the task of this name
  /// (PeProgram::task; "main" is the code outside of tasks, which then begins anew). So the host
  /// drives a program in steps. It takes no cycles, as a write does: the next run goes on at the
  /// present clock, idle cores take the task in that cycle, and its first instruction comes
  /// task_start_cycles later. Memory, registers and descriptors are as the program left them. It is
  /// a bit, not a count, and it may be blocked, as if the program activated it. Throws Error(usage)
  /// with the nearest name if a PE has no such task, or two of them; FaultError if the last run has
  /// faulted.
  void activate(const Rect& where, std::string_view task);
  /// The same, by the number that a ProgramBuilder gave it.
  void activate(const Rect& where, Task task);

  /// Steps until nothing is left to do. Throws FaultError when the program faults (then memory is
  /// not that of any one cycle, and each further run throws the same), can make no progress
  /// (DeadlockError), or is not done when the clock reaches `limit`; Error(environment) when the
  /// CUDA device fails: then the fabric stays as it was before, or, if that happens while results
  /// are copied back, is lost, and says so when it is used.
  ///
  /// An exception of `progress` is passed on when the clock has come to a cycle that no core has
  /// passed: cores execute up to some 4,000 cycles ahead of it where nobody can tell, and one
  /// instruction more. The fabric is then in all as a run with that cycle as its limit leaves it,
  /// may be read and written, and further runs go on from there, to the same end as without the
  /// exception. If it faults or comes to rest before, that is the end of this run, and the next one
  /// tells. By line, that is the cycle that `progress` had seen: the next use of the fabric first
  /// steps it there, without lines.
  void run_until_idle(std::uint64_t limit);
  /// Steps `cycles` cycles, or fewer if nothing is left to do before. Throws as run_until_idle, but
  /// neither for lack of progress nor at the last of the cycles: the result tells them.
  RunEnd run(std::uint64_t cycles);

  /// The values that programs have printed, by cycle, then by row and column: of each PE the last
  /// ones that its program keeps (PeProgram::keep_prints).
  std::vector<Printed> prints() const;
  /// The same as text: lines "cycle 1,234 PE (3, 0): rr = 0.25".
  std::string printed() const;

  FabricCounters counters() const;  ///< of all cycles since the fabric was made
  /// All that has happened since the fabric was made.
  RunReport report() const;
  /// What was counted since then, after a fault or a deadlock too. Throws Error(usage) unless
  /// FabricOptions::observe asked for counts.
  Profile profile() const;
  /// From now on `sink` takes the events that FabricOptions::observe asks for; an empty one:
  /// nobody. Throws Error(usage) unless it asks for some, and while another sink takes them.
  void on_events(EventSink sink);
  /// The names that they stand for.
  EventNames event_names() const;
  std::uint64_t cycle() const;
  /// Cycles that were jumped over, because nothing could happen in them. A figure of the emulation,
  /// not of the program: it may differ between engines, options, numbers of threads, ways to cut a
  /// run, and versions.
  std::uint64_t skipped_cycles() const;

  /// The engine that steps it: host, cuda or reference.
  Engine engine() const;

 private:
  friend struct FabricAccess;
  struct Impl;
  // Hidden: it is no symbol of a shared library.
  [[gnu::visibility("hidden")]] explicit Fabric(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::inline v0
