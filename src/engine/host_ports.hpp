#pragma once

#include "engine/host_port.hpp"
#include "engine/step_functions.hpp"

/// The host's part in a cycle: before a link it does what a router does there.
namespace weft::engine {

/// The steps of a fabric with host streams: those of all others, and the host's after them.
extern const RowFunctions hosted_rows;

/// Before a run from this cycle on: words have come to the host, or were taken from it.
void look_at_host(const model::View& v, std::uint64_t cycle);

/// Words wait to enter the fabric.
bool host_words_left(const HostPorts& host);

}  // namespace weft::engine
