// PEs with less memory, and with more: the largest cube that each way holds on the same PEs.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "evaluation/algorithms.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

constexpr std::array<Setting, 3> kMemories{{{"pe_memory_bytes", 24 * 1024},
                                            {"pe_memory_bytes", 48 * 1024},
                                            {"pe_memory_bytes", 96 * 1024}}};
constexpr int kPes = 8, kLongest = 128;  // along a side of the mesh; of a cube

/// The largest cube of a way on a machine.
struct Held {
  const Setting* memory;
  Transformed transform;
  Run run;
};

/// A run with all roots is that of other tables; else it is one of this machine.
Run run_on(const Transformed& t, const Setting& memory) {
  Run run = run_of(t);
  const auto bytes = pe_bytes_of(run, Machine{}, true);
  if (bytes && *bytes <= static_cast<std::uint32_t>(memory.value)) return run;
  run = run_of(t, {&memory, 1});
  run.more_memory = false;
  return run;
}

std::vector<Held> all_held() {
  std::vector<Held> all;
  for (const Setting& memory : kMemories)
    for (const FftPrecision precision : kPrecisions)
      for (const Way& way : ways())
        for (int n = kLongest; n >= kPes; n /= 2) {
          const Transformed t{way, precision, n, n / kPes};
          if (!can_be(t)) continue;
          if (!pe_bytes_of(run_of(t, {&memory, 1}), Machine{}, false)) continue;
          all.push_back({&memory, t, run_on(t, memory)});
          break;
        }
  return all;
}

bool alike(const Held& one, const Held& other) {
  return one.memory == other.memory && one.transform.precision == other.transform.precision;
}

/// Of those with as much memory that hold as large a cube.
bool is_first(const std::vector<Held>& all, const Held& held, const Outcomes& outcomes) {
  const Outcome* own = ended(outcomes, held.run);
  return std::ranges::all_of(all, [&](const Held& other) {
    if (!alike(held, other)) return true;
    if (other.transform.n != held.transform.n) return other.transform.n < held.transform.n;
    const Outcome* one = ended(outcomes, other.run);
    return one == nullptr || one->cycles >= own->cycles;
  });
}

}  // namespace

std::vector<Run> runs_of_memories(const Scope&) {
  std::vector<Run> runs;
  for (const Held& held : all_held()) runs.push_back(held.run);
  return runs;
}

Result make_memories(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"memory", "the largest cube on 8 x 8 PEs with so much memory, by all ways", {}};
  result.table.columns = {"memory, KB",    "precision", "pencil", "transposes", "n",    "m",
                          "bytes of a PE", "predicted", "cycles", "off",        "first"};
  const std::vector<Held> all = all_held();
  for (const Held& held : all) {
    const Outcome* one = ended(outcomes, held.run);
    if (one == nullptr) continue;
    const Transformed& t = held.transform;
    Row row{whole(held.memory->value / 1024.0),
            cell(text_of(t.precision)),
            cell(std::string(pencil_name(t.way))),
            cell(std::string(exchange_name(t.way))),
            whole(t.n),
            whole(t.m),
            whole(static_cast<double>(one->pe_bytes))};
    add_predicted(row, predicted_cycles(t), static_cast<double>(one->cycles));
    row.push_back(is_first(all, held, outcomes) ? cell("first") : none());
    result.table.rows.push_back(std::move(row));
  }
  result.notes = {
      "Sides are powers of two. First: the fewest cycles of those that hold the largest cube. "
      "Where a PE lacks memory for all roots of unity, pencils have the least."};
  return result;
}

}  // namespace weft::evaluation
