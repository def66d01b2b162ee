#include "weft/fabric.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include "base/first_error.hpp"
#include "base/threads.hpp"
#include "fabric/access.hpp"
#include "fabric/blocks.hpp"
#include "fabric/errors/deadlock/circles.hpp"
#include "fabric/errors/stand_still.hpp"
#include "fabric/events/names.hpp"
#include "fabric/impl.hpp"
#include "fabric/prints.hpp"
#include "fabric/report.hpp"
#include "fabric/roots.hpp"
#include "fabric/stepper/stepper.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::inline v0 {

int most_fabric_threads(int rows) noexcept { return model::strips_down(rows); }

Fabric::Fabric(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Fabric::Fabric(const Layout& layout, const Machine& machine, const FabricOptions& options)
    : Fabric(FabricAccess::make(layout, machine, options, {})) {}
Fabric::~Fabric() = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;

Fabric FabricAccess::make(const Layout& layout, const Machine& machine,
                          const FabricOptions& options, const fabric::ByLineOptions& by_line) {
  base::in_all(options.processes.get(), [&] { base::check_threads(options.threads); });
  return make(fabric::make_stepper(layout, machine, options, by_line), layout, machine, options);
}

Fabric FabricAccess::make(std::unique_ptr<fabric::Stepper> stepper, const Layout& layout,
                          const Machine& machine, const FabricOptions& options) {
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

void FabricAccess::read_own(const Fabric& fabric, const Rect& where, std::uint32_t address,
                            std::span<std::uint32_t> words) {
  fabric.impl_->memory.read_own(*fabric.impl_->stepper, where, address, words);
}

std::unique_ptr<fabric::Stepper> FabricAccess::take_stepper(Fabric&& fabric) {
  return std::move(std::exchange(fabric.impl_, nullptr)->stepper);
}

Profile FabricAccess::take_profile(Fabric&& fabric) {
  const std::unique_ptr<Fabric::Impl> impl = std::move(fabric.impl_);
  return impl->described(impl->stepper->take_profile());
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
  if (at_limit && !impl_->circles()) {
    fabric::AtLimit why =
        impl_->of_states([&] { return fabric::at_limit(impl_->mesh(), limit, impl_->names()); });
    throw impl_->with_profile(
        LimitError(why.fault, std::move(why.waits), impl_->names().colors, why.busy));
  }
  fabric::Deadlock why = impl_->of_states(
      [&] { return fabric::deadlock_of(impl_->mesh(), result.cycle - 1, impl_->names()); });
  throw impl_->with_profile(DeadlockError(why.fault, std::move(why.report)));
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

FabricCounters Fabric::counters() const { return fabric::counters_of(*impl_->stepper); }

RunReport Fabric::report() const {
  return fabric::report_of(*impl_->stepper, impl_->memory.width(), impl_->memory.height(),
                           impl_->machine);
}

Profile Fabric::profile() const { return impl_->profile(); }

void Fabric::on_events(EventSink sink) {
  fabric::log_of(impl_->stepper->events()).open(std::move(sink));
}

EventNames Fabric::event_names() const {
  return fabric::event_names(impl_->memory.width(), impl_->memory.height(), impl_->names(),
                             impl_->stepper->events(), cycle() == 0);
}

std::uint64_t Fabric::cycle() const { return impl_->stepper->history().cycle; }
std::uint64_t Fabric::skipped_cycles() const { return impl_->stepper->history().skipped; }
Engine Fabric::engine() const { return impl_->stepper->engine(); }

}  // namespace weft::inline v0
