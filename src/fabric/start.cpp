#include "fabric/start.hpp"

#include <utility>

namespace weft::fabric {

Start::Start(const Layout& layout, const Machine& machine, const FabricOptions& options,
             std::size_t most)
    : layout_(layout), machine_(machine), options_(options), most_(most) {
  options_.accelerate.by_line = false;
}

void Start::keep(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words) {
  if (options_.write_again) return;
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
  if (complete_) written_.push_back({where, address, std::move(copy)});
}

Fabric Start::build() const {
  Fabric anew(layout_, machine_, options_);
  if (options_.write_again) options_.write_again(anew);
  for (const Written& w : written_) anew.write(w.where, w.address, w.words);
  return anew;
}

}  // namespace weft::fabric
