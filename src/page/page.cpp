#include "weft/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "page/facts.hpp"
#include "page/planes.hpp"
#include "page/viewer.hpp"
#include "page/windows.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

/// A page is the viewer with a header, and a plane of numbers for each count, color and window.
namespace weft::inline v0 {
namespace {

using Json = nlohmann::json;
using page::Windows;

constexpr std::string_view kPlace = "<!--RUN-->";

void check(const Profile& p, const PageOptions& options) {
  const Profile* other = options.against;
  if (other == nullptr || (other->width == p.width && other->height == p.height)) return;
  throw Error(ErrorCategory::usage,
              fmt::format("cannot compare '{}' with '{}'", options.name, options.against_name),
              fmt::format("their meshes have {} x {} and {} x {} PEs", p.width, p.height,
                          other->width, other->height),
              "give runs of the same mesh");
}

class Writer {
 public:
  Writer(const PageOptions& options, const Deflate& deflate)
      : options_(options), deflate_(deflate) {}

  /// Empty: the page would pass the limit.
  std::optional<std::string> write(const Profile& p, Windows windows, const std::string& note) {
    const std::string_view viewer = page::viewer();
    const std::size_t place = viewer.find(kPlace);
    text_ = viewer.substr(0, place);
    std::vector<Run> runs{{p, options_.name, page::window_facts(p, windows)}};
    if (options_.against != nullptr)
      runs.push_back({*options_.against, options_.against_name,
                      page::window_facts(*options_.against, windows)});
    write_header(runs, windows, note);
    for (std::size_t n = 0; n < runs.size(); ++n)
      write_run(runs[n], fmt::format("{}.", n), windows);
    text_ += viewer.substr(place + kPlace.size());
    if (text_.size() > options_.limit) return {};
    return std::move(text_);
  }

 private:
  struct Run {
    const Profile& profile;
    const std::string& name;
    page::AllWindowFacts in_windows;
  };

  void write_header(const std::vector<Run>& runs, Windows windows, const std::string& note) {
    Json all = Json::array();
    for (const Run& run : runs)
      all.push_back(page::facts_of(run.profile, run.name, windows, run.in_windows));
    const Json header = {{"weft", version()}, {"note", note}, {"runs", std::move(all)}};
    text_ += R"(<script type="application/json" id="run">)";
    // Names are any bytes: those that are no UTF-8 are replaced, and none ends the script.
    for (const char c : header.dump(-1, ' ', false, Json::error_handler_t::replace))
      if (c == '<') {
        text_ += "\\u003c";
      } else {
        text_ += c;
      }
    text_ += "</script>\n";
  }

  void add_packed(std::string_view id, std::string_view packed) {
    fmt::format_to(std::back_inserter(text_), "<script type=\"text/plain\" id=\"{}\">{}</script>\n",
                   id, packed);
  }

  void add_coarse(std::string_view id, std::string_view plane) {
    if (text_.size() <= options_.limit) add_packed(id, page::base64(deflate_(plane)));
  }

  /// It is the same whatever the windows are: packed once.
  void add_exact(const std::string& id, std::span<const std::uint64_t> values, std::size_t width) {
    if (text_.size() > options_.limit) return;
    const auto [at, is_new] = exact_.try_emplace(id);
    if (is_new) at->second = page::base64(deflate_(page::exact_plane(values, width)));
    add_packed(id, at->second);
  }

  /// Numbers that PEs share, plus one: 0 is none.
  void add_numbers(const std::string& id, const std::vector<std::int32_t>& numbers,
                   std::size_t width) {
    if (numbers.empty()) return;
    std::vector<std::uint64_t> values;
    values.reserve(numbers.size());
    for (const std::int32_t number : numbers)
      values.push_back(static_cast<std::uint64_t>(std::int64_t{number} + 1));
    add_exact(id, values, width);
  }

  void write_run(const Run& run, const std::string& prefix, Windows windows) {
    const Profile& p = run.profile;
    const auto width = static_cast<std::size_t>(p.width);
    for (const CountInfo& info : count_infos()) {
      add_exact(fmt::format("{}{}", prefix, info.name), p.counts(info.count), width);
      const auto& in_windows = run.in_windows[static_cast<std::size_t>(info.count)];
      if (!in_windows) continue;
      for (int w = 0; w < windows.of(p); ++w)
        add_coarse(fmt::format("{}{}.{}", prefix, info.name, w),
                   page::coarse_plane(page::counts_in(p, windows, info.count, w), width,
                                      in_windows->full));
    }
    for (const ColorCounts& color : p.colors) {
      const std::string id = fmt::format("{}color.{}", prefix, color.color);
      for (std::size_t port = 0; port < kPorts; ++port)
        add_exact(fmt::format("{}.{}", id, port_name(static_cast<int>(port))), color.wavelets[port],
                  width);
      add_exact(id + ".held", color.held, width);
      add_numbers(id + ".routes", color.route_of, width);
    }
    add_numbers(prefix + "program", p.program_of, width);
  }

  const PageOptions& options_;
  const Deflate& deflate_;
  std::string text_;
  std::map<std::string, std::string> exact_{};  ///< packed, by id
};

}  // namespace

std::string page_text(const Profile& profile, const PageOptions& options, const Deflate& deflate) {
  check(profile, options);
  Writer writer(options, deflate);
  const int windows = std::max(profile.windows, options.against ? options.against->windows : 0);
  std::string note;
  for (int merged = 1; merged == 1 || merged / 2 < windows; merged *= 2) {
    if (merged > 1)
      note = fmt::format("So that this page has at most {} bytes, {} windows of time are one.",
                         options.limit, merged);
    if (auto text = writer.write(profile, {merged}, note)) return std::move(*text);
  }
  throw Error(ErrorCategory::usage, fmt::format("the page of '{}' is too long", options.name),
              fmt::format("with a single window of time it has more than {} bytes", options.limit),
              "allow a longer one");
}

}  // namespace weft::inline v0
