#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "weft/profile.hpp"

/// A run as a page: one HTML file that any browser shows, without a network. docs/observing.md
/// tells what is on it.
namespace weft::inline v0 {

struct PageOptions {
  std::string name = "run";          ///< of the run, as the page calls it: the name of its file
  const Profile* against = nullptr;  ///< another run of the same mesh, to compare it with
  std::string against_name = "the other run";
  /// Bytes. A longer page is written again with windows of twice the length, and says so.
  std::uint64_t limit = std::uint64_t{64} << 20;
};

/// Deflates bytes (RFC 1951, without a header).
using Deflate = std::function<std::string(std::string_view bytes)>;

/// The text of the page. Throws Error(usage) for runs of different meshes, and for a limit that
/// even a page without windows of time passes.
std::string page_text(const Profile& profile, const PageOptions& options, const Deflate& deflate);

/// Writes the page. The file appears whole or not at all. Throws Error(usage) as page_text, and
/// Error(environment). In the library weft-io.
void write_page(const std::string& path, const Profile& profile, const PageOptions& options = {});

}  // namespace weft::inline v0
