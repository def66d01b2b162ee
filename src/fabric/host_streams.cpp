#include "fabric/host_streams.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.hpp"
#include "weft/error.hpp"

namespace weft::fabric {
namespace {

/// f(end) for each PE of a stream, in the order of its words.
template <class F>
void for_ends(const Layout::HostStream& s, F f) {
  for (int y = s.where.y; y < s.where.y + s.where.height; ++y)
    for (int x = s.where.x; x < s.where.x + s.where.width; ++x)
      f(HostEnd{x, y, s.edge, s.color, s.input});
}

std::size_t pes_of(const Layout::HostStream& s) {
  return static_cast<std::size_t>(s.where.width) * static_cast<std::size_t>(s.where.height);
}

void check_words(const Layout::HostStream& s, std::size_t count) {
  if (count % pes_of(s) != 0)
    throw Error(
        ErrorCategory::usage,
        fmt::format("{} words do not divide among the PEs of host stream {}", count, s.name),
        fmt::format("it has {} PEs", pes_of(s)), "give as many words for each, PE by PE");
}

void check_held(const Stepper& stepper, const Layout::HostStream& s, std::size_t each) {
  for_ends(s, [&](const HostEnd& end) {
    if (const std::size_t held = stepper.host_words(end); held < each)
      throw Error(
          ErrorCategory::usage,
          fmt::format("host stream {} has too few words of PE ({}, {})", s.name, end.x, end.y),
          fmt::format("{} are wanted, and {} have come", each, held),
          "receive fewer, or run the fabric further");
  });
}

}  // namespace

const Layout::HostStream& HostStreams::find(std::string_view name,
                                            std::optional<bool> input) const {
  const auto found = std::ranges::find(streams_, name, &Layout::HostStream::name);
  if (found != streams_.end()) {
    if (input && found->input != *input)
      throw Error(ErrorCategory::usage,
                  fmt::format("host stream {} is an {}", name, found->input ? "input" : "output"),
                  found->input ? "the host sends on it" : "the host receives from it",
                  found->input ? "use send, or name an output" : "use receive, or name an input");
    return *found;
  }
  std::vector<std::string_view> names;
  for (const Layout::HostStream& s : streams_)
    if (!input || s.input == *input) names.push_back(s.name);
  const auto near = base::nearest(name, names);
  throw Error(ErrorCategory::usage, fmt::format("there is no host stream {}", name),
              names.empty() ? std::string("the layout has none of this direction")
                            : fmt::format("there is {}", fmt::join(names, ", ")),
              near ? fmt::format("did you mean {}?", *near)
                   : std::string("name one that host_input or host_output has made"));
}

void HostStreams::send(Stepper& stepper, std::string_view name,
                       std::span<const std::uint32_t> words) const {
  const Layout::HostStream& s = find(name, true);
  check_words(s, words.size());
  const std::size_t each = words.size() / pes_of(s);
  std::size_t n = 0;
  for_ends(s, [&](const HostEnd& end) { stepper.send(end, words.subspan(n++ * each, each)); });
}

std::size_t HostStreams::words_to_receive(const Stepper& stepper, std::string_view name,
                                          std::optional<std::size_t> each) const {
  const Layout::HostStream& s = find(name, false);
  if (each) check_held(stepper, s, *each);
  return each.value_or(std::ranges::min(words(stepper, name))) * pes_of(s);
}

void HostStreams::receive(Stepper& stepper, std::string_view name,
                          std::span<std::uint32_t> words) const {
  const Layout::HostStream& s = find(name, false);
  if (!data_)
    throw Error(ErrorCategory::usage, fmt::format("nobody has computed the words of {}", name),
                "the fabric runs without data", "emulate with data, or ask for host_words");
  check_words(s, words.size());
  const std::size_t each = words.size() / pes_of(s);
  check_held(stepper, s, each);
  std::size_t n = 0;
  for_ends(s, [&](const HostEnd& end) { stepper.receive(end, words.subspan(n++ * each, each)); });
}

std::vector<std::size_t> HostStreams::words(const Stepper& stepper, std::string_view name) const {
  std::vector<std::size_t> words;
  for_ends(find(name, {}), [&](const HostEnd& end) { words.push_back(stepper.host_words(end)); });
  return words;
}

std::vector<HostFacts> HostStreams::facts(const Stepper& stepper) const {
  std::vector<HostFacts> all;
  for (const Layout::HostStream& s : streams_)
    for_ends(s, [&](const HostEnd& end) {
      all.push_back({s, end.x, end.y, stepper.host_words(end)});
    });
  return all;
}

}  // namespace weft::fabric
