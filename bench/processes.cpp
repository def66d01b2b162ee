// Processes that share a fabric (docs/many-hosts.md): the time, and what the first one sends. For
// mpirun. A load of bench/loads, by its mesh, its work and the threads of a process:
//   mpirun -n 2 bench-processes "streams, 2 directions" 256 256 5 1
// A transform of n^3 numbers on n x n PEs, by line or by the plain step:
//   mpirun -n 2 bench-processes "by line" 128 1
//   mpirun -n 2 bench-processes "plain step" 128 1
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/loads/loads.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/mpi.hpp"

namespace {

/// Counts what a process sends.
class Counted : public weft::Processes {
 public:
  explicit Counted(std::shared_ptr<weft::Processes> processes) : all_(std::move(processes)) {}

  int rank() const override { return all_->rank(); }
  int size() const override { return all_->size(); }
  int most_on_a_host() const override { return all_->most_on_a_host(); }
  int number_on_host() const override { return all_->number_on_host(); }
  void send(int to, std::span<const std::byte> message) override {
    if (messages == known) begin = Clock::now();
    ++messages;
    bytes += message.size();
    all_->send(to, message);
  }
  void receive(int from, std::vector<std::byte>& message) override {
    all_->receive(from, message);
    end = Clock::now();
  }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    ++gathers;
    gathered = std::max(gathered, mine.size());
    if (messages != known) {
      ++exchanges;
      in_exchanges += end - begin;
    }
    known = messages;
    all_->gather(mine, all);
  }
  void broadcast(int from, std::span<std::byte> copied) override { all_->broadcast(from, copied); }

  std::uint64_t messages = 0, bytes = 0, gathers = 0;
  std::size_t gathered = 0;     ///< bytes of a process
  std::uint64_t exchanges = 0;  ///< gathers before which messages were sent

  std::chrono::duration<double> in_exchanges{};  ///< from the first send to the last receive

 private:
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<weft::Processes> all_;
  Clock::time_point begin{}, end{};
  std::uint64_t known = 0;  ///< messages before the last gather
};

void run(const std::string& name, const weft::loads::Size& size, int threads) {
  const auto& loads = weft::loads::programs();
  const auto found = std::ranges::find(loads, name, &weft::loads::NamedLoad::name);
  if (found == loads.end()) throw std::runtime_error("no load " + name);
  const weft::loads::Load load = found->make(size);
  const auto processes = std::make_shared<Counted>(weft::mpi_world());
  weft::FabricOptions options{.threads = threads};
  options.accelerate.by_line = false;
  options.processes = processes;
  weft::Fabric fabric(load.layout, load.machine, options);
  load.write(fabric);
  processes->messages = processes->bytes = processes->gathers = 0;
  fabric.run_until_idle(std::uint64_t{1} << 32U);
  const std::uint64_t gathers = processes->gathers;
  const weft::RunReport report = fabric.report();
  if (processes->rank() != 0) return;
  const auto cycles = static_cast<double>(report.cycles);
  fmt::print(
      "{} x {} PEs, {} processes of {} threads: {:.3f} s, {} cycles, {} hops; over the first cut "
      "{:.2f} messages and {:.1f} bytes a cycle each way; {:.3f} gathers a cycle of {} bytes\n",
      size.width, size.height, processes->size(), threads, report.wall_seconds, report.cycles,
      report.counters.hops, static_cast<double>(processes->messages) / cycles,
      static_cast<double>(processes->bytes) / cycles, static_cast<double>(gathers) / cycles,
      processes->gathered);
}

void run_transform(std::size_t n, bool by_line, int threads) {
  const auto processes = std::make_shared<Counted>(weft::mpi_world());
  const int side = static_cast<int>(n);
  weft::FftOptions options{.mesh = {side, side}, .threads = threads};
  options.engine = weft::Engine::host;
  options.accelerate.by_line = by_line;
  options.processes = processes;
  weft::Volume input{{n, n, n}, std::vector<std::complex<float>>(n * n * n)};
  for (std::size_t k = 0; k < input.data.size(); ++k)
    input.data[k] = {static_cast<float>(k % 97), static_cast<float>(k % 89)};
  const weft::RunReport report =
      weft::FftPlan({n, n, n}, weft::FftPrecision::fp32, options).forward(input).report;
  if (processes->rank() != 0) return;
  const auto parts = static_cast<double>(processes->size());
  const double moved = static_cast<double>(n * n) / parts * (1 - 1 / parts);  // PEs at a time
  const auto messages = static_cast<double>(processes->messages);
  const auto bytes = static_cast<double>(processes->bytes);
  const auto exchanges = static_cast<double>(processes->exchanges);
  const auto cycles = static_cast<double>(report.cycles);
  fmt::print("{}^3 on {} x {} PEs, {} processes of {} threads: {:.2f} s, {} cycles, {}; ", n, n, n,
             processes->size(), threads, report.wall_seconds, report.cycles,
             report.by_line ? "by line" : "by the plain step");
  if (processes->size() == 1)
    fmt::print("nothing to send\n");
  else if (report.by_line)
    fmt::print(
        "{} exchanges, in each {:.1f} messages and {:.0f} bytes, {:.0f} of a PE, in {:.3f} s\n",
        processes->exchanges, messages / exchanges, bytes / exchanges, bytes / exchanges / moved,
        processes->in_exchanges.count() / exchanges);
  else
    fmt::print("{:.3f} messages and {:.1f} bytes a cycle, {:.3f} gathers of {} bytes\n",
               messages / cycles, bytes / cycles, static_cast<double>(processes->gathers) / cycles,
               processes->gathered);
}

}  // namespace

int main(int argc, char** argv) {
  int code = 0;
  std::string error;
  try {
    const auto number = [&](int k, int otherwise) {
      return argc > k ? std::atoi(argv[k]) : otherwise;
    };
    const std::string name = argc > 1 ? argv[1] : "streams, 2 directions";
    const bool by_line = name == "by line";
    if (by_line || name == "plain step")
      run_transform(static_cast<std::size_t>(number(2, 128)), by_line, number(3, 1));
    else
      run(name, {number(2, 256), number(3, 256), number(4, 1)}, number(5, 1));
  } catch (const std::exception& exception) {
    error = std::string(exception.what()) + "\n";
    code = 1;
  }
  return weft::mpi_finish(code, error);
}
