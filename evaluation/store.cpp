#include "evaluation/store.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "io/atomic_file.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::evaluation {
namespace {

using nlohmann::json;  // the order of its members does not matter

json json_of(const Outcome& o) {
  return {{"cycles", o.cycles},
          {"compute", o.compute},
          {"communication", o.communication},
          {"phases", o.phases},
          {"wavelets", o.wavelets},
          {"hops", o.hops},
          {"pe_bytes", o.pe_bytes},
          {"least", o.least},
          {"most", o.most},
          {"router_writes", o.router_writes},
          {"colors", o.colors},
          {"filters", o.filters},
          {"error", o.error},
          {"busiest_link", o.busiest_link},
          {"seconds", o.seconds}};
}

json constants_of(const Machine& machine) {
  json all;
  for (const MachineConstant& constant : machine_constants())
    all[std::string(constant.name)] = machine.*constant.member;
  return all;
}

/// Of a result: a constant that it does not name is younger than it, and had its default.
json constants_of(const json& from) {
  json all = constants_of(Machine{});
  all.update(from);
  return all;
}

Outcome outcome_of(const json& from) {
  return {.cycles = from.at("cycles"),
          .compute = from.at("compute"),
          .communication = from.at("communication"),
          .phases = from.value("phases", std::vector<std::uint64_t>{}),
          .wavelets = from.at("wavelets"),
          .hops = from.at("hops"),
          .busiest_link = from.value("busiest_link", std::uint64_t{0}),
          .pe_bytes = from.at("pe_bytes"),
          .least = from.value("least", std::uint64_t{0}),
          .most = from.value("most", std::uint64_t{0}),
          .router_writes = from.value("router_writes", std::uint64_t{0}),
          .colors = from.value("colors", 0),
          .filters = from.value("filters", 0),
          .error = from.value("error", 0.0),
          .seconds = from.at("seconds")};
}

}  // namespace

Store::Store(std::string path, const Machine& machine)
    : path_(std::move(path)), machine_(constants_of(machine)) {
  std::ifstream file(path_, std::ios::binary);
  if (!file) {
    std::error_code ignored;
    if (!exists(std::filesystem::symlink_status(path_, ignored))) return;
    throw Error(ErrorCategory::environment, fmt::format("cannot read '{}'", path_),
                "it may hold results, which would be lost",
                "let yourself read it, move it away, or choose another --output");
  }
  std::ostringstream bytes;
  bytes << file.rdbuf();
  try {
    const json all = json::parse(bytes.str());
    for (const json& one : all.at("results")) {
      const Outcome outcome = outcome_of(one.at("outcome"));
      if (one.at("version") == version() && constants_of(one.at("machine")) == machine_)
        outcomes_[one.at("run")] = outcome;
      else
        others_.push_back(one);
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCategory::input, fmt::format("'{}' holds no results", path_), error.what(),
                "move it away, or choose another --output");
  }
}

std::optional<Outcome> Store::find(const std::string& key) const {
  const auto found = outcomes_.find(key);
  return found == outcomes_.end() ? std::nullopt : std::optional(found->second);
}

void Store::add(const std::string& key, const Outcome& outcome) {
  outcomes_[key] = outcome;
  json all = others_;
  for (const auto& [run, known] : outcomes_)
    all.push_back(
        {{"run", run}, {"outcome", json_of(known)}, {"version", version()}, {"machine", machine_}});
  io::write_file(path_, json{{"results", all}}.dump(1) + "\n");
}

}  // namespace weft::evaluation
