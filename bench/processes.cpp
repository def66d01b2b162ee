// A load of bench/loads on processes that share its fabric (docs/many-hosts.md): the time, and the
// messages over the cut below the first process. For mpirun:
//   mpirun -n 2 bench-processes "streams, 2 directions" 256 256 20 1
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "bench/loads/loads.hpp"
#include "weft/fabric.hpp"
#include "weft/mpi.hpp"

namespace {

/// Counts what a process sends.
class Counted : public weft::Processes {
 public:
  explicit Counted(std::shared_ptr<weft::Processes> processes) : all_(std::move(processes)) {}

  int rank() const override { return all_->rank(); }
  int size() const override { return all_->size(); }
  int most_on_a_host() const override { return all_->most_on_a_host(); }
  void send(int to, std::span<const std::byte> message) override {
    ++messages;
    bytes += message.size();
    all_->send(to, message);
  }
  void receive(int from, std::vector<std::byte>& message) override { all_->receive(from, message); }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    ++gathers;
    gathered = std::max(gathered, mine.size());
    all_->gather(mine, all);
  }
  void broadcast(int from, std::span<std::byte> copied) override { all_->broadcast(from, copied); }

  std::uint64_t messages = 0, bytes = 0, gathers = 0;
  std::size_t gathered = 0;  ///< bytes of a process

 private:
  std::shared_ptr<weft::Processes> all_;
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

}  // namespace

int main(int argc, char** argv) {
  int code = 0;
  std::string error;
  try {
    const auto number = [&](int k, int otherwise) {
      return argc > k ? std::atoi(argv[k]) : otherwise;
    };
    run(argc > 1 ? argv[1] : "streams, 2 directions",
        {number(2, 256), number(3, 256), number(4, 1)}, number(5, 1));
  } catch (const std::exception& exception) {
    error = std::string(exception.what()) + "\n";
    code = 1;
  }
  return weft::mpi_finish(code, error);
}
