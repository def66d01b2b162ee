// Runs one of the programs of bench/loads on one host thread; count.py counts its instructions.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "bench/loads/loads.hpp"
#include "weft/weft.hpp"

/// LOAD SIDE TIMES [WINDOWS]: prints the cycles. With WINDOWS, the fabric counts, in so many
/// windows of time.
int main(int count, char** words) {
  using namespace weft;
  const std::vector<std::string> given(words + 1, words + count);
  for (const auto& list : {loads::programs(), loads::host_programs()})
    for (const loads::NamedLoad& named : list) {
      if (given.size() < 3 || given.size() > 4 || named.name != given[0]) continue;
      const int side = std::stoi(given[1]);
      const loads::Load load = named.make({side, side, std::stoi(given[2])});
      FabricOptions options;
      options.engine = Engine::host;
      options.threads = 1;
      if (given.size() == 4) options.observe = {true, std::stoi(given[3])};
      Fabric fabric(load.layout, load.machine, options);
      load.write(fabric);
      fabric.run_until_idle(10'000'000);
      std::cout << fabric.cycle() << '\n';
      return EXIT_SUCCESS;
    }
  std::cerr << "step-count LOAD SIDE TIMES [WINDOWS]\n";
  return EXIT_FAILURE;
}
