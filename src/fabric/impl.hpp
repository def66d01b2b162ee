#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "base/of_first.hpp"
#include "fabric/errors/deadlock/circles.hpp"
#include "fabric/errors/faults.hpp"
#include "fabric/errors/names.hpp"
#include "fabric/errors/stuck.hpp"
#include "fabric/host_streams.hpp"
#include "fabric/memory.hpp"
#include "fabric/path/pieces.hpp"
#include "fabric/profile/description.hpp"
#include "fabric/stepper/stepper.hpp"
#include "weft/fabric.hpp"

/// The parts of a fabric, and how its runs end.
namespace weft::inline v0 {

// Hidden: it has a public name in front, and is no symbol of a shared library.
struct [[gnu::visibility("hidden")]] Fabric::Impl {
  Machine machine;
  fabric::Memory memory;
  fabric::HostStreams host;
  ColorNames color_names;
  std::optional<fabric::Description> description;  ///< if the fabric counts
  int threads;
  CycleProgress progress;
  std::unique_ptr<fabric::Stepper> stepper;

  /// `until_idle`: it probably ends before the limit.
  engine::RunResult run(std::uint64_t limit, bool until_idle) {
    throw_fault();  // of a run before
    const engine::RunOptions how{.limit = limit, .threads = threads, .progress = progress};
    engine::RunResult result =
        until_idle ? stepper->run_until_idle(how, [this] { return circles(); }) : stepper->run(how);
    if (result.thrown) std::rethrow_exception(result.thrown);
    throw_fault();
    return result;
  }

  void throw_fault() const {
    if (stepper->history().faulted) throw fabric::fault_error(stepper->first_fault(), names());
  }

  fabric::Names names() const {
    return {color_names, [this](int x, int y) { return memory.symbols().program_at(x, y); }};
  }

  fabric::deadlock::Mesh mesh() const {
    return fabric::deadlock::mesh_of(
        memory.width(), memory.height(), machine,
        [&](int x, int y) { return stepper->pe_state(x, y); }, host.facts(*stepper));
  }

  Profile profile() const { return described(stepper->profile()); }

  /// What the stepper has counted, with the rest.
  Profile described(Profile profile) const {
    description->add_to(profile);
    if (const fabric::path::Recorder* const recorder = stepper->path())
      fabric::path::add_path(*recorder, profile);
    return profile;
  }

  /// The error, with what the fabric has counted up to there, if it does.
  template <class E>
  E with_profile(E error) const {
    if (!description) return error;
    Profile counted = profile();
    counted.stuck = fabric::stuck_of(error, color_names);
    error.add(std::make_shared<const Profile>(std::move(counted)));
    return error;
  }

  /// What work() returns, which looks at PEs: of processes, in the first one alone, for all.
  template <class F>
  auto of_states(const F& work) const {
    Processes* const processes = stepper->processes();
    if (processes == nullptr) return work();
    stepper->collect_states();
    return base::of_first(*processes, work);
  }

  bool circles() const {
    return of_states([&] { return !fabric::deadlock::circling(mesh()).empty(); });
  }
};

}  // namespace weft::inline v0
