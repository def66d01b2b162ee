#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "evaluation/transposes/line_program.hpp"
#include "evaluation/transposes/transposes.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft::transposes {
namespace {

constexpr std::uint64_t kLimit = 1'000'000'000;  // cycles; a program that waits for ever is found

struct Algorithm {
  AlgorithmInfo info;
  LineProgram (*build)(const Line& line);
};

constexpr Algorithm kAlgorithms[] = {
    {{TransposeAlgorithm::broadcast_and_filter, "broadcast and filter",
      "each PE in turn sends a stream to all others, filters take their number out of it"},
     build_broadcast_and_filter},
    {{TransposeAlgorithm::broadcast_and_filter_interlocked, "broadcast and filter, interlocked",
      "the same; each stream waits until all filters are set"},
     build_broadcast_and_filter_interlocked},
    {{TransposeAlgorithm::point_to_point_in_turn, "point to point, in turn",
      "each PE in turn sends to one PE at a time, and advances its router with a control wavelet"},
     build_point_to_point_in_turn},
    {{TransposeAlgorithm::point_to_point, "point to point",
      "by halves, all senders of a half to one PE at a time, by routes that control wavelets set"},
     build_point_to_point},
    {{TransposeAlgorithm::butterfly, "butterfly",
      "recursive halving: in each of log2 n steps PEs exchange half of what they hold"},
     build_butterfly},
    {{TransposeAlgorithm::shift_and_take, "shift and take",
      "cores pass on streams, less the number that is theirs"},
     build_shift_and_take},
    {{TransposeAlgorithm::filter_by_halves, "broadcast and filter by halves",
      "streams go to the PEs of the other half only, then to those of the other quarter, ..."},
     build_filter_by_halves},
};

const Algorithm& find(TransposeAlgorithm algorithm) {
  return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

/// The number's word that PE `from` has for PE `to`, of row `row`: no two are alike.
std::uint32_t word_of(const Line& line, int row, int from, int to, int word) {
  return static_cast<std::uint32_t>(((row * line.n + from) * line.n + to) * line.words + word + 1);
}

void write_numbers(Fabric& fabric, const Line& line, const LineProgram& program) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(line.size()));
  for (int row = 0; row < line.rows; ++row)
    for (int pe = 0; pe < line.n; ++pe) {
      for (int i = 0; i < line.size(); ++i)
        words[static_cast<std::size_t>(i)] = word_of(line, row, pe, i / line.words, i % line.words);
      fabric.write({pe, row, 1, 1}, kNumbers, words);
    }
  for (const AtLaunch& at_launch : program.at_launch) {
    std::vector<std::uint32_t> all;
    for (int pe = 0; pe < at_launch.where.width * at_launch.where.height; ++pe)
      all.insert(all.end(), at_launch.words.begin(), at_launch.words.end());
    fabric.write(at_launch.where, fabric.symbol(at_launch.where, at_launch.symbol).address, all);
  }
}

void check_result(const Fabric& fabric, const Line& line, const LineProgram& program,
                  std::string_view name) {
  for (int row = 0; row < line.rows; ++row)
    for (int pe = 0; pe < line.n; ++pe) {
      const auto words = fabric.read<std::uint32_t>({pe, row, 1, 1}, program.result);
      for (int i = 0; i < line.size(); ++i) {
        const std::uint32_t expected = word_of(line, row, i / line.words, pe, i % line.words);
        const std::uint32_t word = words[static_cast<std::size_t>(i)];
        if (word != expected)
          throw Error(
              ErrorCategory::emulator, fmt::format("{} of {} numbers is wrong", name, line.n),
              fmt::format("word {} of PE ({}, {}) is {} instead of {}", i, pe, row, word, expected),
              "report it with the machine profile");
      }
    }
}

/// The cycle after which no PE has anything left to do.
std::uint64_t last_cycle(const Fabric& fabric, const Line& line) {
  const auto done = fabric.read<std::uint32_t>({0, 0, line.n, line.rows}, kDone);
  return *std::ranges::max_element(done);
}

std::uint64_t run(const LineProgram& program, const Line& line, const Machine& machine,
                  const FabricOptions& options, std::string_view name, FabricCounters* counters) {
  Fabric fabric(program.layout, machine, options);
  write_numbers(fabric, line, program);
  fabric.run_until_idle(kLimit);
  check_result(fabric, line, program, name);
  if (counters != nullptr) *counters = fabric.counters();
  return last_cycle(fabric, line);
}

/// Whether a core of the layout ever writes to its router.
bool writes_routers(const Layout& layout) {
  constexpr Op kWrites[] = {Op::fcount, Op::flimit,   Op::fmax,
                            Op::setpos, Op::setroute, Op::setswitch};
  return std::ranges::any_of(layout.placements(), [&](const Layout::Placement& placement) {
    return std::ranges::any_of(placement.program->code, [&](const Instruction& i) {
      return std::ranges::find(kWrites, i.op) != std::end(kWrites);
    });
  });
}

/// Colors, queues and filters that the layout's first row takes.
void count_resources(const Layout& layout, TransposeCost& cost) {
  const auto width = static_cast<std::size_t>(layout.width());
  std::set<int> colors;
  std::vector<std::set<int>> in(width), out(width), filters(width);
  const auto for_each_of = [](const Rect& where, const auto& visit) {
    for (int x = where.x; x < where.x + where.width; ++x) visit(static_cast<std::size_t>(x));
  };
  for (const Layout::Routing& routing : layout.routings()) {
    colors.insert(routing.color);
    if (routing.route.input_queue)
      for_each_of(routing.where, [&](std::size_t x) { in[x].insert(*routing.route.input_queue); });
  }
  for (const Layout::Filtering& filtering : layout.filterings())
    for_each_of(filtering.where, [&](std::size_t x) { filters[x].insert(filtering.color); });
  for (const Layout::Placement& placement : layout.placements())
    for (const Instruction& i : placement.program->code)
      if (i.op == Op::dfabout)
        for_each_of(placement.where, [&](std::size_t x) { out[x].insert(i.a); });
  const auto most = [](const std::vector<std::set<int>>& sets) {
    std::size_t size = 0;
    for (const std::set<int>& set : sets) size = std::max(size, set.size());
    return static_cast<int>(size);
  };
  cost.colors = static_cast<int>(colors.size());
  cost.input_queues = most(in);
  cost.output_queues = most(out);
  cost.filters = most(filters);
}

void check_size(int n, int rows) {
  if (n < 4 || n > 512 || (n & (n - 1)) != 0 || rows < 1)
    throw Error(ErrorCategory::usage, fmt::format("no transposes on {} rows of {} PEs", rows, n),
                "rows have 4 to 512 PEs, a power of two", "choose another n");
}

}  // namespace

std::span<const AlgorithmInfo> transpose_algorithms() noexcept {
  static const auto kInfos = [] {
    std::array<AlgorithmInfo, std::size(kAlgorithms)> infos{};
    std::ranges::transform(kAlgorithms, infos.begin(), &Algorithm::info);
    return infos;
  }();
  return kInfos;
}

std::string_view to_string(TransposeAlgorithm algorithm) noexcept {
  return find(algorithm).info.name;
}

std::uint64_t TransposeCost::data_wavelets() const {
  return static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(n - 1) *
         static_cast<std::uint64_t>(wavelets_per_number);
}

std::uint64_t TransposeCost::bisection_cycles() const {
  return static_cast<std::uint64_t>(n / 2) * static_cast<std::uint64_t>(n / 2) *
         static_cast<std::uint64_t>(wavelets_per_number);
}

double TransposeCost::bytes_per_cycle() const {
  return 4.0 * static_cast<double>(data_wavelets()) / static_cast<double>(cycles);
}

TransposeCost measure_transpose(TransposeAlgorithm algorithm, int n, FftPrecision precision,
                                const Machine& machine, Engine engine, int threads, int rows) {
  check_size(n, rows);
  const Algorithm& chosen = find(algorithm);
  const Line line{n, precision == FftPrecision::fp16 ? 1 : 2, rows, machine.filters_per_pe};
  const LineProgram program = chosen.build(line);
  FabricOptions options;
  options.engine = engine;
  options.threads = std::min(threads, most_fabric_threads(rows));

  TransposeCost cost;
  cost.algorithm = algorithm;
  cost.n = n;
  cost.wavelets_per_number = line.words;
  cost.cycles = run(program, line, machine, options, chosen.info.name, &cost.counters);
  for (std::uint64_t FabricCounters::*counter :
       {&FabricCounters::wavelets, &FabricCounters::hops, &FabricCounters::delivered,
        &FabricCounters::filtered})
    cost.counters.*counter /= static_cast<std::uint64_t>(rows);
  if (writes_routers(program.layout) && machine.router_write_cycles > 1) {
    Machine quick = machine;
    quick.router_write_cycles = 1;
    cost.router_write_cycles =
        cost.cycles - run(program, line, quick, options, chosen.info.name, nullptr);
  }
  count_resources(program.layout, cost);
  return cost;
}

}  // namespace weft::transposes
