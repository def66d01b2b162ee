#include "fabric/stepper/shared_device_stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "fabric/stepper/shared_profile.hpp"
#include "model/lanes/lanes.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

/// Of a rectangle's words, those of a part of its rows.
template <class Word>
std::span<Word> words_of(const Rect& all, const Rect& part, std::span<Word> words) {
  const std::size_t each_row = words_each(all, words.size()) * static_cast<std::size_t>(all.width);
  return words.subspan(static_cast<std::size_t>(part.y - all.y) * each_row,
                       static_cast<std::size_t>(part.height) * each_row);
}

/// Kernels wait for each other, and one device may run only one. The same error in all processes.
void check_own_devices(Processes& processes) {
  const DeviceId mine = base::in_all(&processes, [&] { return own_device(processes); });
  const std::vector<DeviceId> all = base::gathered(processes, mine);
  for (auto one = all.begin(); one != all.end(); ++one)
    if (const auto other = std::find(one + 1, all.end(), *one); other != all.end())
      throw Error(ErrorCategory::environment,
                  fmt::format("processes {} and {} have the same CUDA device", one - all.begin(),
                              other - all.begin()),
                  "their kernels wait for each other, and a device may run only one of them",
                  "start as many processes on a host as it has devices, and let each see all");
}

}  // namespace

SharedDeviceStepper::SharedDeviceStepper(const Layout& layout, const Machine& machine,
                                         const FabricOptions& options, int together)
    : processes_(options.processes),
      width_(layout.width()),
      height_(layout.height()),
      share_(std::make_unique<engine::Share>(model::strips_down(height_), *processes_, together)),
      rows_(pe_rows(*share_, processes_->rank(), height_)) {
  check_own_devices(*processes_);
  base::in_all(processes_.get(), [&] {
    const DevicePart part{share_.get(), rows_};
    part_ = make_device_stepper(layout, machine, options, &part);
  });
}

Rect SharedDeviceStepper::own(const Rect& where) const {
  const int first = std::max(where.y, rows_.first),
            last = std::min(where.y + where.height, rows_.last);
  return {where.x, first, where.width, std::max(last - first, 0)};
}

void SharedDeviceStepper::write(const Rect& where, std::size_t first,
                                std::span<const std::uint32_t> words) {
  if (const Rect mine = own(where); mine.height > 0)
    part_->write(mine, first, words_of(where, mine, words));
}

void SharedDeviceStepper::read(const Rect& where, std::size_t first,
                               std::span<std::uint32_t> words) const {
  runs_.check_not_lost();  // in all processes: those without such rows would wait for others
  base::in_all(processes_.get(), [&] { read_own(where, first, words); });
  share_words(*share_, where, words);
}

void SharedDeviceStepper::read_own(const Rect& where, std::size_t first,
                                   std::span<std::uint32_t> words) const {
  if (const Rect mine = own(where); mine.height > 0)
    part_->read(mine, first, words_of(where, mine, words));
}

void SharedDeviceStepper::activate(const Rect& where, int task) {
  if (const Rect mine = own(where); mine.height > 0) part_->activate(mine, task);
}

engine::RunResult SharedDeviceStepper::run(const engine::RunOptions& options) {
  return runs_.make(*processes_, options.limit, history_.cycle, [&] {
    return history_.add([&](std::uint64_t /*cycle*/) { return part_->run(options); });
  });
}

Fault SharedDeviceStepper::first_fault() const {
  return first_of_all(*processes_,
                      base::in_all(processes_.get(), [&] { return part_->first_fault(); }));
}

bool SharedDeviceStepper::anything_left() const {
  const bool mine = base::in_all(processes_.get(), [&] { return part_->anything_left(); });
  return share_->latest(mine ? 1 : 0) != 0;
}

engine::Totals SharedDeviceStepper::totals() const {
  return sum_of_all(*processes_, base::in_all(processes_.get(), [&] { return part_->totals(); }));
}

Profile SharedDeviceStepper::profile() const {
  Profile profile = base::in_all(processes_.get(), [&] { return part_->profile(); });
  share_profile(*share_, profile);
  return profile;
}

std::vector<PhaseCounts> SharedDeviceStepper::phases() const {
  auto phases = base::in_all(processes_.get(), [&] { return part_->phases(); });
  share_phases(*share_, phases, width_, height_);
  return phases;
}

}  // namespace weft::fabric
