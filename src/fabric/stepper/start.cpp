#include "fabric/stepper/start.hpp"

#include <utility>

#include "fabric/access.hpp"

namespace weft::fabric {

Start::Start(const Layout& layout, const Machine& machine, const FabricOptions& options,
             const ByLineOptions& by_line)
    : layout_(layout),
      machine_(machine),
      options_(options),
      write_again_(by_line.write_again),
      write_beside_(by_line.write_beside),
      rows_of_lines_(by_line.rows_of_lines),
      most_(by_line.most_kept) {
  options_.accelerate.by_line = false;
}

void Start::keep(const Rect& where, std::size_t first, std::span<const std::uint32_t> words) {
  if (write_again_) return;
  {
    const std::lock_guard lock(mutex_);
    kept_ += words.size_bytes();
    if (kept_ > most_) {
      complete_ = false;
      written_ = {};
    }
    if (!complete_) return;
  }
  std::vector<std::uint32_t> copy(words.begin(), words.end());  // by all threads at the same time
  const std::lock_guard lock(mutex_);
  if (complete_) written_.push_back({where, first, std::move(copy)});
}

std::unique_ptr<Stepper> Start::make(bool ahead) const {
  const ByLineOptions by_line{.rows_of_lines = rows_of_lines_, .counting_ahead = ahead};
  return begun(make_stepper(layout_, machine_, options_, by_line), options_, write_again_);
}

std::unique_ptr<LaneStepper> Start::make_beside() const {
  FabricOptions options = options_;
  options.observe = {};
  options.accelerate.run_ahead = options.accelerate.dry_run = false;
  return begun(std::make_unique<LaneStepper>(layout_, machine_, options), options, write_beside_);
}

std::unique_ptr<LinesStepper> Start::make_without_equal_lines() const {
  FabricOptions options = options_;
  options.observe.path = false;  // by line it is found afterwards
  options.accelerate.equal_lines = false;
  return begun(make_lines_stepper(layout_, machine_, options), options, write_beside_);
}

template <class S>
std::unique_ptr<S> Start::begun(std::unique_ptr<S> stepper, const FabricOptions& options,
                                const std::function<void(Fabric&)>& write) const {
  if (write) {
    S* const own = stepper.get();
    Fabric anew = FabricAccess::make(std::move(stepper), layout_, machine_, options);
    write(anew);
    static_cast<void>(FabricAccess::take_stepper(std::move(anew)).release());
    stepper.reset(own);
  }
  for (const Written& w : written_) stepper->write(w.where, w.first, w.words);
  for (const auto& [where, task] : activated_) stepper->activate(where, task);
  return stepper;
}

}  // namespace weft::fabric
