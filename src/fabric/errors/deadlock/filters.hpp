#pragma once

#include "fabric/errors/deadlock/mesh.hpp"

/// What filters let in, as they are now.
namespace weft::fabric::deadlock {

/// The filter keeps this wavelet from the core.
bool refuses(const Filter& filter, const HeldWavelet& wavelet);
/// A wavelet that leaves by this channel as it is now goes to the core.
bool core_gets(const Channel& channel, const HeldWavelet& wavelet);
/// The filter would let the next data wavelet in.
bool is_open(const Filter& filter);
/// It will never let one in again, however many come.
bool never_opens(const Filter& filter);

}  // namespace weft::fabric::deadlock
