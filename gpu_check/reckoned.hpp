#pragma once

#include <string>

namespace weft::gpu_check {

/// The reckoned time of the steps of a transform of n x n x n (FP32, forward) on an H200, in
/// seconds, by their bound. docs/gpu-performance.md explains it, and shows these numbers.
struct Reckoned {
  double issue;    ///< all instructions are issued as fast as the schedulers can
  double latency;  ///< each waits for the one before
  double missing;  ///< the same with caches that miss often
  double waiting;  ///< for neighbouring tiles, and nothing else
  double cycle;    ///< a cycle of a transpose, by latency
};

/// `n` is a power of two from 4 to 512.
Reckoned reckon(int n);

/// The table of docs/gpu-performance.md, in Markdown.
std::string reckoned_table();

}  // namespace weft::gpu_check
