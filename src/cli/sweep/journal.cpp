#include "cli/sweep/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "weft/error.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kBegin = R"({"key":)";  // of a line

Error no_runs(const std::string& path) {
  return {ErrorCategory::input, fmt::format("'{}' holds no runs of a sweep", path),
          "a line of it is not such a run", "choose another folder with --output"};
}

KeptRun run_of(const ordered_json& line) {
  return {.ok = line.at("ok"),
          .error = line.at("error"),
          .report = line.at("report").dump(),
          .peak_bytes = line.at("peak_bytes")};
}

std::string line_of(const std::string& key, const KeptRun& run) {
  return ordered_json{{"key", key},
                      {"ok", run.ok},
                      {"error", run.error},
                      {"peak_bytes", run.peak_bytes},
                      {"report", ordered_json::parse(run.report)}}
             .dump(-1, ' ', false, ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace

Journal::Journal(std::string path) : path_(std::move(path)) {
  std::string text;
  if (std::ifstream in{path_, std::ios::binary}) {
    std::ostringstream all;
    all << in.rdbuf();
    text = std::move(all).str();
  }
  std::size_t from = 0;
  for (std::size_t end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    try {
      const ordered_json line = ordered_json::parse(text.substr(from, end - from));
      runs_[line.at("key")] = run_of(line);
    } catch (const nlohmann::json::exception&) {
      throw no_runs(path_);
    }
  }
  const std::string_view rest = std::string_view(text).substr(from);
  if (!rest.starts_with(kBegin.substr(0, rest.size()))) throw no_runs(path_);
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  // What was not finished goes: a new run begins a line.
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(from)) != 0 ||
      ::lseek(file_, 0, SEEK_END) < 0) {
    const int why = errno;
    if (file_ >= 0) ::close(file_);
    throw Error(ErrorCategory::environment, fmt::format("cannot write '{}'", path_),
                std::strerror(why), "choose another folder with --output");
  }
}

Journal::~Journal() { ::close(file_); }

const KeptRun* Journal::find(const std::string& key) const {
  const auto run = runs_.find(key);
  return run == runs_.end() ? nullptr : &run->second;
}

void Journal::add(const std::string& key, const KeptRun& run) {
  const std::string line = line_of(key, run);
  const off_t before = ::lseek(file_, 0, SEEK_CUR);
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t count = ::write(file_, line.data() + at, line.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int why = errno;
      [[maybe_unused]] const int cut = ::ftruncate(file_, before);  // else the next start cuts it
      throw Error(ErrorCategory::environment, fmt::format("cannot write '{}'", path_),
                  std::strerror(why), "make room; the same command goes on from the runs before");
    }
    at += static_cast<std::size_t>(count);
  }
  runs_[key] = run;
}

}  // namespace weft::cli
