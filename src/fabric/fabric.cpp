#include "weft/fabric.hpp"

#include <cstring>
#include <exception>
#include <utility>

#include "base/threads.hpp"
#include "fabric/access.hpp"
#include "fabric/blocks.hpp"
#include "fabric/errors/deadlock/circles.hpp"
#include "fabric/errors/faults.hpp"
#include "fabric/errors/stuck.hpp"
#include "fabric/errors/waits.hpp"
#include "fabric/events/names.hpp"
#include "fabric/host_streams.hpp"
#include "fabric/memory.hpp"
#include "fabric/path/pieces.hpp"
#include "fabric/prints.hpp"
#include "fabric/profile/description.hpp"
#include "fabric/profile/phases.hpp"
#include "fabric/roots.hpp"
#include "fabric/stepper/stepper.hpp"
#include "model/lanes/lanes.hpp"

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

  Profile profile() const {
    Profile profile = stepper->profile();
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

  bool circles() const { return !fabric::deadlock::circling(mesh()).empty(); }
};

int most_fabric_threads(int rows) noexcept { return model::strips_down(rows); }

Fabric::Fabric(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Fabric::Fabric(const Layout& layout, const Machine& machine, const FabricOptions& options)
    : Fabric(FabricAccess::make(layout, machine, options, {})) {}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

Fabric FabricAccess::make(const Layout& layout, const Machine& machine,
                          const FabricOptions& options, const fabric::ByLineOptions& by_line) {
  base::check_threads(options.threads);
  std::unique_ptr<fabric::Stepper> stepper =
      fabric::make_stepper(layout, machine, options, by_line);
  std::optional<fabric::Description> description;
  if (options.observe.counts) description.emplace(layout, machine);
  return Fabric(std::unique_ptr<Fabric::Impl>(new Fabric::Impl{machine,
                                                               {layout, machine, options.data},
                                                               {layout, options.data},
                                                               layout.color_names(),
                                                               std::move(description),
                                                               options.threads,
                                                               options.progress,
                                                               std::move(stepper)}));
}

std::unique_ptr<fabric::Stepper> FabricAccess::take_stepper(Fabric&& fabric) {
  return std::move(std::exchange(fabric.impl_, nullptr)->stepper);
}

void Fabric::write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
  impl_->memory.write(*impl_->stepper, where, address, words);
}

void Fabric::read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) const {
  impl_->memory.read(*impl_->stepper, where, address, words);
}

void Fabric::activate(const Rect& where, std::string_view task) {
  impl_->throw_fault();
  impl_->memory.activate(*impl_->stepper, where, task);
}

void Fabric::activate(const Rect& where, Task task) {
  impl_->throw_fault();
  impl_->memory.activate(*impl_->stepper, where, task);
}

std::vector<std::size_t> Fabric::array_extents(const Rect& where, std::string_view symbol,
                                               ElementType type, int halo) const {
  return fabric::blocks_of(*this, where, symbol, type, halo).array;
}

void Fabric::scatter_elements(const Rect& where, std::string_view symbol, ElementType type,
                              const void* array, std::size_t count, int halo) {
  fabric::scatter(*this, fabric::blocks_of(*this, where, symbol, type, halo), array, count);
}

void Fabric::gather_elements(const Rect& where, std::string_view symbol, ElementType type,
                             void* array, std::size_t count, int halo) const {
  fabric::gather(*this, fabric::blocks_of(*this, where, symbol, type, halo), array, count);
}

MemorySpan Fabric::symbol(const Rect& where, std::string_view symbol) const {
  return impl_->memory.symbol(where, symbol);
}

std::size_t Fabric::elements(const Rect& where, std::string_view symbol, ElementType type) const {
  return impl_->memory.elements(where, symbol, type);
}

void Fabric::write_elements(const Rect& where, std::string_view symbol, ElementType type,
                            const void* values, std::size_t count) {
  impl_->memory.write_elements(*impl_->stepper, where, symbol, type, values, count);
}

void Fabric::read_elements(const Rect& where, std::string_view symbol, ElementType type,
                           void* values, std::size_t count) const {
  impl_->memory.read_elements(*impl_->stepper, where, symbol, type, values, count);
}

void Fabric::send_words(std::string_view stream, const void* words, std::size_t count) {
  std::vector<std::uint32_t> all(count);
  if (count > 0) std::memcpy(all.data(), words, count * sizeof(std::uint32_t));
  impl_->host.send(*impl_->stepper, stream, all);
}

std::size_t Fabric::words_to_receive(std::string_view stream,
                                     std::optional<std::size_t> each) const {
  return impl_->host.words_to_receive(*impl_->stepper, stream, each);
}

void Fabric::receive_words(std::string_view stream, void* words, std::size_t count) {
  std::vector<std::uint32_t> all(count);
  impl_->host.receive(*impl_->stepper, stream, all);
  if (count > 0) std::memcpy(words, all.data(), count * sizeof(std::uint32_t));
}

std::vector<std::size_t> Fabric::host_words(std::string_view stream) const {
  return impl_->host.words(*impl_->stepper, stream);
}

void Fabric::run_until_idle(std::uint64_t limit) {
  const engine::RunResult result = impl_->run(limit, true);
  const bool at_limit = result.stop == engine::Stop::limit;
  if (impl_->memory.data())
    fabric::check_roots(impl_->memory.symbols(), *impl_->stepper,
                        {0, 0, impl_->memory.width(), impl_->memory.height()});
  if (!at_limit && !impl_->stepper->anything_left()) return;
  fabric::deadlock::Mesh mesh = impl_->mesh();
  if (at_limit && fabric::deadlock::circling(mesh).empty())
    throw impl_->with_profile(fabric::limit_error(mesh, limit, impl_->names()));
  throw impl_->with_profile(
      fabric::deadlock_error(std::move(mesh), result.cycle - 1, impl_->names()));
}

RunEnd Fabric::run(std::uint64_t cycles) {
  const engine::RunResult result = impl_->run(cycle() + cycles, false);
  if (result.stop == engine::Stop::limit) return RunEnd::limit;
  return impl_->stepper->anything_left() ? RunEnd::stuck : RunEnd::idle;
}

std::vector<Printed> Fabric::prints() const {
  return fabric::prints(impl_->memory.symbols(), *impl_->stepper,
                        {0, 0, impl_->memory.width(), impl_->memory.height()},
                        impl_->memory.data());
}

std::string Fabric::printed() const { return fabric::printed_text(prints()); }

FabricCounters Fabric::counters() const {
  const engine::Totals all = impl_->stepper->totals();
  return {cycle(), all.wavelets, all.hops, all.delivered, all.filtered};
}

RunReport Fabric::report() const {
  const fabric::RunHistory history = impl_->stepper->history();
  RunReport report;
  report.counters = counters();
  report.cycles = report.counters.cycle;
  report.pe_cycles = report.cycles * static_cast<std::uint64_t>(impl_->memory.width()) *
                     static_cast<std::uint64_t>(impl_->memory.height());
  report.time_us = static_cast<double>(report.cycles) * 1e3 / impl_->machine.clock_khz;
  report.wall_seconds = history.wall.count();
  report.skipped_cycles = history.skipped;
  report.by_line = history.by_line;
  report.engine = engine();
  report.phases = fabric::phases_of(impl_->stepper->phases());
  return report;
}

Profile Fabric::profile() const { return impl_->profile(); }

void Fabric::on_events(EventSink sink) {
  fabric::EventLog* const events = impl_->stepper->events();
  if (events == nullptr)
    throw Error(ErrorCategory::usage, "the fabric tells no events", "nobody has asked for any",
                "make it with the option observe.events");
  events->open(std::move(sink));
}

EventNames Fabric::event_names() const {
  const fabric::Names names = impl_->names();
  EventNames all = fabric::event_names(impl_->memory.width(), impl_->memory.height(), names.colors,
                                       names.program_at);
  if (fabric::EventLog* const events = impl_->stepper->events()) {
    all.is_chosen = [chosen = events->chosen()](const Event& event) { return chosen.has(event); };
    all.from_start = events->chosen().from_start() && cycle() == 0;
  }
  return all;
}

std::uint64_t Fabric::cycle() const { return impl_->stepper->history().cycle; }
std::uint64_t Fabric::skipped_cycles() const { return impl_->stepper->history().skipped; }
Engine Fabric::engine() const { return impl_->stepper->engine(); }

}  // namespace weft::inline v0
