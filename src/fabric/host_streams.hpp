#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fabric/stepper/stepper.hpp"

/// Host streams by name.
namespace weft::fabric {

/// A stream and what the host holds of it at one PE.
struct HostFacts {
  Layout::HostStream stream;
  int x = 0, y = 0;
  std::size_t words = 0;
};

class HostStreams {
 public:
  HostStreams(const Layout& layout, bool data) : streams_(layout.host_streams()), data_(data) {}

  void send(Stepper& stepper, std::string_view name, std::span<const std::uint32_t> words) const;
  /// Of all PEs.
  std::size_t words_to_receive(const Stepper& stepper, std::string_view name,
                               std::optional<std::size_t> each) const;
  void receive(Stepper& stepper, std::string_view name, std::span<std::uint32_t> words) const;
  std::vector<std::size_t> words(const Stepper& stepper, std::string_view name) const;
  /// Of all streams and PEs.
  std::vector<HostFacts> facts(const Stepper& stepper) const;

 private:
  const Layout::HostStream& find(std::string_view name, std::optional<bool> input) const;

  std::vector<Layout::HostStream> streams_;
  bool data_;
};

}  // namespace weft::fabric
