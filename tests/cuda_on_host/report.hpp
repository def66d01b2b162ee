#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cuda_on_host/device.hpp"

namespace weft::cuda_on_host {

/// The state of a CUDA thread.
enum class State { ready, spins, at_block_barrier, in_warp, at_grid_barrier, left };

bool same(Site a, Site b);
bool same(const Meeting& a, const Meeting& b);

/// "waiting at __syncthreads (tile.cu:12)"
std::string describe(State state, const Meeting& meeting);

/// The states of all threads: "thread 0-15, 17: left; thread 16: waiting at ...".
class Groups {
 public:
  explicit Groups(std::string member) : member_(std::move(member)) {}

  void add(unsigned index, const std::string& does);
  std::string text() const;

 private:
  struct Range {
    unsigned first, last;
  };
  struct Group {
    std::string does;
    std::vector<Range> ranges;
  };

  std::string member_;
  std::vector<Group> groups_;
};

}  // namespace weft::cuda_on_host
