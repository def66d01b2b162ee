#include "weft/page.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

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
constexpr std::array<std::string_view, kPorts> kPortNames = {"west", "east", "south", "north",
                                                             "ramp"};

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
    write_header(p, windows, note);
    write_run(p, "0.", windows);
    if (options_.against != nullptr) write_run(*options_.against, "1.", windows);
    text_ += viewer.substr(place + kPlace.size());
    if (text_.size() > options_.limit) return {};
    return std::move(text_);
  }

 private:
  void write_header(const Profile& p, Windows windows, const std::string& note) {
    Json runs = {page::facts_of(p, options_.name, windows)};
    if (options_.against != nullptr)
      runs.push_back(page::facts_of(*options_.against, options_.against_name, windows));
    const Json header = {{"weft", version()}, {"note", note}, {"runs", std::move(runs)}};
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

  void add(std::string_view id, std::string_view plane) {
    if (text_.size() > options_.limit) return;
    fmt::format_to(std::back_inserter(text_), "<script type=\"text/plain\" id=\"{}\">{}</script>\n",
                   id, page::base64(deflate_(plane)));
  }

  void write_run(const Profile& p, std::string_view prefix, Windows windows) {
    const auto width = static_cast<std::size_t>(p.width);
    for (const CountInfo& info : count_infos()) {
      add(fmt::format("{}{}", prefix, info.name), page::exact_plane(p.counts(info.count), width));
      if (!info.windowed || p.windows == 0) continue;
      const std::uint64_t full = page::window_facts(p, windows, info.count).full(windows.cycles(p));
      for (int w = 0; w < windows.of(p); ++w)
        add(fmt::format("{}{}.{}", prefix, info.name, w),
            page::coarse_plane(page::counts_in(p, windows, info.count, w), width, full));
    }
    for (const ColorCounts& color : p.colors) {
      const std::string id = fmt::format("{}color.{}", prefix, color.color);
      for (std::size_t port = 0; port < kPorts; ++port)
        add(fmt::format("{}.{}", id, kPortNames[port]),
            page::exact_plane(color.wavelets[port], width));
      add(id + ".held", page::exact_plane(color.held, width));
    }
  }

  const PageOptions& options_;
  const Deflate& deflate_;
  std::string text_;
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
