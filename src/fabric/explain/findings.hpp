#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/explain/part.hpp"
#include "weft/explanation.hpp"

/// The rules that find where the cycles of a part went. Each takes the shares that are in its code
/// as bounds, and adds a finding only where they are met: docs/observing.md has them.
namespace weft::fabric {

using Findings = std::vector<Finding>;

void find_tasks_of_streams(const Part& part, Findings& all);
void find_nothing_overlaps(const Part& part, Findings& all);
void find_shallow_queues(const Part& part, Findings& all);
void find_shared_ramp(const Part& part, Findings& all);
void find_slow_pe(const Part& part, Findings& all);
void find_full_link(const Part& part, Findings& all);
void find_computing(const Part& part, Findings& all);
void find_idle_at_end(const Part& part, Findings& all);

/// The colors whose wavelets leave the core of a PE by its ramp (`sent`), or come to it.
int colors_at_ramp(const Profile& profile, std::size_t pe, bool sent);

/// A finding of the part, with its share of the run.
Finding finding_of(const Part& part, FindingKind kind, std::uint64_t cycles);
void place(Finding& finding, const Least& at);
void place(Finding& finding, const Part& part, std::size_t pe);

}  // namespace weft::fabric
