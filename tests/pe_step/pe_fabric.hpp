#pragma once

#include <memory>

#include "base/host_words.hpp"
#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "fabric/stepper/stepper.hpp"
#include "pe/state.hpp"
#include "weft/profile.hpp"

namespace weft::test {

/// Things that a run must reach to mean something.
struct PeCounts {
  std::uint64_t jumped = 0;   ///< cycles that were not stepped
  std::uint64_t waited = 0;   ///< times that a core waited for others before a private stretch
  std::uint64_t ahead = 0;    ///< cycles that stretches ran ahead of the clock
  std::uint64_t threads = 0;  ///< cycles whose PEs were stepped on two threads

  void add(const PeCounts& other) {
    jumped += other.jumped;
    waited += other.waited;
    ahead += other.ahead;
    threads += other.threads;
  }
};

/// A fabric that src/pe steps. The PEs of a cycle are stepped in a random order, or on two threads;
/// cores that may wait for others do so or not, at random; the clock jumps.
class PeFabric {
 public:
  PeFabric() = default;
  PeFabric(const PeFabric&) = delete;
  virtual ~PeFabric() = default;

  /// Goes on to a cycle, or to an end before it. `limit`: there is more to do.
  virtual spec::Fabric::Stop run(std::uint64_t until) = 0;
  virtual std::uint64_t cycle() const = 0;
  virtual const Fault& fault() const = 0;
  virtual pe::Totals totals() const = 0;
  virtual const PeCounts& counts() const = 0;
  virtual fabric::PeState state(int x, int y) = 0;
  virtual std::vector<std::uint32_t> memory(int x, int y) = 0;
  virtual base::HostWords& host_words(const fabric::HostEnd& end) = 0;
  /// What it has counted; only of a case that counts, and before a fault.
  virtual Profile profile() = 0;
};

struct PeOptions {
  std::uint64_t seed = 1;  ///< of orders, and of stops
  int colors = 4;          ///< of the shape: 4, 8 or 24, if the layout has no more
  bool two_threads = false;
  bool every_cycle = true;  ///< compares after each; else now and then
  bool tally = true;        ///< as FabricOptions::tally
  bool data = true;         ///< as FabricOptions::data
  bool past_fault = false;  ///< PEs are stepped after a fault's cycle: then only it is compared
};

std::unique_ptr<PeFabric> make_pe_fabric(const Case& c, const PeOptions& options);

}  // namespace weft::test
