#include "fabric/errors/deadlock/filters.hpp"

#include "isa/control.hpp"
#include "spec/filter.hpp"

namespace weft::fabric::deadlock {

bool refuses(const Filter& filter, const HeldWavelet& wavelet) {
  return !spec::accepts(filter, {wavelet.payload, wavelet.control});
}

bool core_gets(const Channel& channel, const HeldWavelet& wavelet) {
  const bool hidden = wavelet.control && isa::no_core(wavelet.payload, 0);
  return channel.tx[kRamp] && !hidden &&
         (!channel.filter || !refuses(channel.filter->settings, wavelet));
}

bool is_open(const Filter& filter) {
  return std::visit(
      [](const auto& f) {
        if constexpr (requires { f.filter_control; }) {
          if (f.filter_control) return false;
        }
        if constexpr (requires { f.counter; })
          return !f.count_data || f.counter <= f.max_counter;
        else
          return true;  // that is up to the wavelet
      },
      filter);
}

bool never_opens(const Filter& filter) {
  return !is_open(filter) && std::visit(
                                 [](const auto& f) {
                                   if constexpr (requires { f.counter; })
                                     return f.counter > f.limit1;
                                   else
                                     return false;
                                 },
                                 filter);
}

}  // namespace weft::fabric::deadlock
