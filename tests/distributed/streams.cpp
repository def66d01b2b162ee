#include "distributed/streams.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "support/mesh.hpp"

namespace weft::test {
namespace {

constexpr int kRows = 16;  // four rows of strips

/// Streams down and up over all cuts.
Mesh streams() {
  constexpr int kWords = 40, kLast = kRows - 1;
  Mesh mesh(4, kRows);
  for (int x = 0; x < 4; ++x) {
    const bool down = x % 2 == 0;
    const Port from = down ? Port::north : Port::south;
    const int first = down ? 0 : kLast;
    Route stop{from, Port::ramp};
    stop.input_queue = 1;
    mesh.pe(x, first).send(0, x, counting(kWords));
    mesh.pe(x, kLast - first).receive(1, kWords);
    mesh.route({x, first, 1, 1}, x, {Port::ramp, opposite(from)});
    mesh.route({x, 1, 1, kRows - 2}, x, {from, opposite(from)});
    mesh.route({x, kLast - first, 1, 1}, x, stop);
  }
  return mesh;
}

/// How many came to each end; nobody knows where the fabric is lost.
std::string words_received(Mesh& mesh) {
  std::string text;
  try {
    for (int x = 0; x < 4; ++x)
      text += fmt::format("{} ", mesh.received(x, x % 2 == 0 ? kRows - 1 : 0, 1).size());
  } catch (const Error&) {
    text = "?";
  }
  return text;
}

}  // namespace

std::string said_of_streams(const std::shared_ptr<Processes>& processes, FabricOptions options) {
  Mesh mesh = streams();
  std::string text;
  options.processes = processes;
  Fabric& fabric = mesh.start(options);
  for (int runs = 0; runs < 2; ++runs) try {
      fabric.run_until_idle(5000);
      text += fmt::format("{} cycles; ", fabric.cycle());
    } catch (const std::exception& error) {
      text += fmt::format("{}; ", error.what());
    }
  return text + words_received(mesh);
}

void run_streams(const std::shared_ptr<Processes>& processes, FabricOptions options,
                 const std::function<void()>& before) {
  Mesh mesh = streams();
  options.processes = processes;
  Fabric& fabric = mesh.start(options);
  before();
  fabric.run_until_idle(5000);
}

std::vector<std::string> told_of_failure(Team& team, const FabricOptions& options, int rank,
                                         const Failure& failure) {
  return team.run([&](const std::shared_ptr<Processes>& processes) {
    const Failure mine = processes->rank() == rank ? failure : Failure{};
    std::string text = said_of_streams(std::make_shared<Failing>(processes, mine), options);
    text.resize(text.rfind(';'));  // memory is that of no one cycle
    return text + " -- " + said_of_streams(processes, options);
  });
}

std::string expected_of_failure(const Team& team, int rank, const Failure& failure,
                                const std::string& right) {
  const std::string error = fmt::format("process {} of {} failed in a run", rank, team.size);
  return fmt::format(
      "{} ({}); mend that, and start all again; the fabric is lost ({}); make it again, in all "
      "processes -- {}",
      error, failure.no_memory ? "it has no memory left" : "the wire is cut", error, right);
}

std::uint64_t calls_of(Team& team, const FabricOptions& options, int rank) {
  const std::vector<std::string> calls = team.run([&](const std::shared_ptr<Processes>& processes) {
    const auto counted = std::make_shared<Failing>(processes, Failure{});
    run_streams(counted, options);
    return fmt::format("{}", counted->calls());
  });
  return std::stoull(calls[static_cast<std::size_t>(rank)]);
}

}  // namespace weft::test
