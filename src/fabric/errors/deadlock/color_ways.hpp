#pragma once

#include "fabric/errors/deadlock/graph.hpp"

/// Where a color's wavelets come from and lead to.
namespace weft::fabric::deadlock {

/// By PE: colors, a bit each, that routes lead to its core from one whose program sends on them.
std::vector<std::uint32_t> fed_colors(const Mesh& mesh);

/// Cores from which routes of the color lead to a PE's router, by the inputs given: nearest first.
std::vector<DeadlockSender> senders_to(const Mesh& mesh, int pe, int color, Ports inputs);

/// Host streams from which routes of the color lead there, by name: nearest first.
std::vector<std::string> host_streams_to(const Mesh& mesh, int pe, int color, Ports inputs);

/// Other cores than `pe` that what these cores send on the color is led to, row by row.
std::vector<DeadlockReceiver> receivers_from(const Mesh& mesh,
                                             const std::vector<DeadlockSender>& senders, int color,
                                             int but);

DeadlockFilter filter_facts(int color, const FilterFacts& filter);

}  // namespace weft::fabric::deadlock
