#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "weft/fabric.hpp"

namespace weft::fabric {

/// A fabric's layout, machine and options, and all that was written since, so that it can start
/// over.
class Start {
 public:
  /// Chosen: a copy of more is too much to ask of a host for a run that perhaps needs none.
  static constexpr std::size_t kMostKept = std::size_t{1} << 30U;  // bytes

  /// `most`: bytes of what is written that are kept at most.
  Start(const Layout& layout, const Machine& machine, const FabricOptions& options,
        std::size_t most = kMostKept);

  /// Keeps words that are being written, before the first run, by any thread.
  void keep(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words);
  /// Nothing that was written is missing. Not while threads write.
  bool complete() const { return complete_; }
  /// The fabric as it was before its first run, but not to be stepped by line.
  Fabric build() const;

 private:
  struct Written {
    Rect where;
    std::uint32_t address;
    std::vector<std::uint32_t> words;
  };

  Layout layout_;
  Machine machine_;
  FabricOptions options_;
  std::size_t most_;
  std::mutex mutex_{};  ///< of what follows
  std::vector<Written> written_{};
  std::size_t kept_ = 0;  ///< bytes
  bool complete_ = true;
};

}  // namespace weft::fabric
