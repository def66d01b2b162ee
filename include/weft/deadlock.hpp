#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/error.hpp"

/// Why a fabric stands still, as data and as text.
namespace weft::inline v0 {

struct Profile;

/// Something that cannot go on.
struct DeadlockWait {
  enum class What : std::uint8_t {
    core,          ///< in a task, until its vector instruction ends
    microthread,   ///< `number`: its own
    input_queue,   ///< wavelets in it; `number`: the queue
    output_queue,  ///< as input_queue
    router_queue,  ///< wavelets in it; `number`: the port
    task,          ///< a local one, active and blocked; `number`: its id
    host_stream,   ///< words of the host that cannot enter; `number`: the port
  };
  What what = What::core;
  int x = 0, y = 0;
  int number = 0;
  int color = -1;          ///< -1: none is involved
  std::uint32_t left = 0;  ///< of microthreads: elements to go; of queues and host streams:
                           ///< wavelets held
  /// It waits for this one: an index into DeadlockCause::stuck; of a LimitError, its own.
  std::size_t waits_for = 0;
  /// The user's word for it, if the program has one: of a core and a microthread the operation and
  /// its line, "copy(u, from(halo)) (heat.py:31)", of a task and a host stream its name.
  std::string name{};
  bool operator==(const DeadlockWait&) const = default;
};

/// First causes: why something stuck cannot go on, where nothing else that is stuck keeps it.
enum class DeadlockKind : std::uint8_t {
  filter_never_opens,  ///< a counter is past limit1: it never returns to 0
  switch_stays,  ///< wavelets are at an input that the switch keeps closed, and nothing moves it
  switch_turned_away,  ///< a core waits, but its switch leads the color elsewhere, and nothing
                       ///< moves it
  torn_down,           ///< the color is held until the core lets it go
  color_blocked,       ///< no task unblocks the color whose wavelets are in an input queue
  no_program,          ///< wavelets reach a core that runs none
  no_route,            ///< wavelets are sent to where the color has no route
  fifo_stays_empty,    ///< nothing pushes
  fifo_stays_full,     ///< nothing pops
  routes_in_circle,    ///< wavelets go round, and no route leads them out
  host_takes_no_more,  ///< wavelets lead to a host stream that holds as many words as it may
  task_blocked,        ///< a local task is active, and no other one unblocks it
  circular_wait,       ///< each of some things waits for the next one
  nobody_sends,        ///< no core's route and program lead wavelets of the color here
  no_more_wavelets,    ///< all that could send on the color has ended
};

/// The kind's name, with spaces ("filter never opens").
std::string_view to_string(DeadlockKind kind) noexcept;

struct DeadlockPlace {
  int x = 0, y = 0;
  bool operator==(const DeadlockPlace&) const = default;
};

/// A filter on the way to a core that waits.
struct DeadlockFilter {
  int color = 0;
  /// Registers of counter filters; none: a range filter.
  std::optional<std::uint32_t> counter{}, limit1{}, max_counter{};
  bool tallied = true;        ///< false: nothing was counted (FabricOptions::tally)
  std::uint32_t let_in = 0;   ///< data wavelets, since launch
  std::uint32_t control = 0;  ///< control wavelets that it let in
  std::uint32_t refused = 0;  ///< of both
  bool open = false;          ///< it would let the next data wavelet in
  bool never_opens = false;   ///< nor, by itself, any one after it
  bool operator==(const DeadlockFilter&) const = default;
};

/// A core that a route leads from: it could send on the color.
struct DeadlockSender {
  int x = 0, y = 0;
  int hops = 0;                   ///< from the core that waits
  bool programmed = true;         ///< false: it runs no program
  bool sends = true;              ///< false: its program never sends on the color
  bool stuck = false;             ///< a task or microthread there cannot go on either
  std::vector<int> started_by{};  ///< colors whose wavelets could start a task of it
  bool operator==(const DeadlockSender&) const = default;
};

/// Another core that wavelets of the color lead to.
struct DeadlockReceiver {
  int x = 0, y = 0;
  std::optional<DeadlockFilter> filter{};
  bool operator==(const DeadlockReceiver&) const = default;
};

/// One first cause. Alike ones of several PEs are one; the first of them is described in full.
struct DeadlockCause {
  DeadlockKind kind = DeadlockKind::circular_wait;
  int color = -1;                        ///< -1: none is involved
  std::vector<DeadlockPlace> pes;        ///< row by row; the first one is the example
  std::size_t waits = 0, stuck_pes = 0;  ///< all that wait for it, directly or not, and their PEs
  /// All of these, nearest first. The first ones, the example's before others, are what the cause
  /// keeps, and their waits_for is their own index; or, of a circular wait, the next one's.
  std::vector<DeadlockWait> stuck;

  // Of the example:
  int port = -1;  ///< of wavelets in a router: the input (no_route: the output that they want); of
                  ///< those in an output queue: the ramp
  int position = -1;  ///< of the switch
  int fifo = -1;
  std::vector<DeadlockPlace> circle{};  ///< of routes: its PEs, as wavelets pass them
  std::optional<DeadlockFilter> filter{};
  std::vector<DeadlockSender> senders{};      ///< nearest first
  std::vector<DeadlockReceiver> receivers{};  ///< of the same color from the same senders
  std::vector<std::string> host_streams{};    ///< into the fabric, that lead here and have no more
                                              ///< words; of host_takes_no_more, the full one

  std::map<int, std::string> color_names{};  ///< of the layout
  bool operator==(const DeadlockCause&) const = default;
};

struct DeadlockReport {
  std::uint64_t cycle = 0;            ///< the last one in which something could happen; where
                                      ///< wavelets circle, the one in which that was found
  bool circling = false;              ///< wavelets go round for ever, and nothing else can happen
  std::size_t waits = 0;              ///< things that cannot go on
  std::vector<DeadlockCause> causes;  ///< that with the most waits first
  bool operator==(const DeadlockReport&) const = default;
};

/// Why the example of a cause cannot go on, in one sentence without its end.
std::string explain(const DeadlockCause& cause);

/// The report, some lines a cause, for people: of each list the first `most` items.
std::string explain(const DeadlockReport& report, std::size_t most = 16);

/// A FaultError of kind deadlock. The message names the first cause; the report has all.
class DeadlockError : public FaultError {
 public:
  DeadlockError(const Fault& fault, DeadlockReport report);

  const DeadlockReport& report() const noexcept { return *report_; }
  /// What was counted up to there, with who waits for whom; null: nothing was
  /// (FabricOptions::observe).
  const std::shared_ptr<const Profile>& profile() const noexcept { return profile_; }
  void add(std::shared_ptr<const Profile> profile) noexcept { profile_ = std::move(profile); }

 private:
  std::shared_ptr<const DeadlockReport> report_;
  std::shared_ptr<const Profile> profile_;
};

/// A FaultError of kind cycle_limit. The message names the first ones that wait, if any do.
class LimitError : public FaultError {
 public:
  /// `busy`: the operation that most PEs are at, in words; empty: it is not known.
  LimitError(const Fault& fault, std::vector<DeadlockWait> waits,
             const std::map<int, std::string>& color_names = {}, const std::string& busy = {});

  /// All that waited at the limit, row by row. They may still go on, if the run does.
  const std::vector<DeadlockWait>& waits() const noexcept { return *waits_; }
  /// As DeadlockError::profile.
  const std::shared_ptr<const Profile>& profile() const noexcept { return profile_; }
  void add(std::shared_ptr<const Profile> profile) noexcept { profile_ = std::move(profile); }

 private:
  std::shared_ptr<const std::vector<DeadlockWait>> waits_;
  std::shared_ptr<const Profile> profile_;
};

}  // namespace weft::inline v0
