#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "weft/error.hpp"
#include "weft/machine.hpp"

namespace weft::inline v0 {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestFile = std::size_t{1} << 20;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestQuote = 64;
constexpr std::string_view kFormHint =
    "write {\"name\": \"...\", \"<constant>\": <integer>, ...}; see 'weft info' for the constants";

Error profile_error(const std::string& source, const std::string& what, const std::string& why,
                    std::string_view remedy) {
  return Error(ErrorCategory::machine_profile, fmt::format("'{}': {}", source, what), why,
               std::string(remedy));
}

// A JSON value as messages show it: a short line of ASCII. Of an array or object only the type:
// writing out one that is nested deeply would overflow the stack.
std::string shown(const json& value) {
  if (value.is_structured()) {
    return fmt::format("an {}", value.type_name());
  }
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > kLongestQuote) {
    text.resize(kLongestQuote);
    text += "...";
  }
  return text;
}

std::string position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t last_break = before.rfind('\n');
  const std::size_t column =
      before.size() - (last_break == std::string_view::npos ? 0 : last_break + 1) + 1;
  return fmt::format("line {}, column {}", line, column);
}

json parse_object(std::string_view text, const std::string& source) {
  std::set<std::string> keys;
  // The parser keeps the last of several equal keys; here that would hide a mistake.
  const auto refuse_twice = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key && depth == 1 &&
        !keys.insert(parsed.get<std::string>()).second) {
      throw profile_error(source, fmt::format("the key {} stands twice", shown(parsed)),
                          "each constant has one value", "remove one of them");
    }
    return true;
  };
  json object;
  try {
    object = json::parse(text.begin(), text.end(), refuse_twice);
  } catch (const json::parse_error& error) {
    throw profile_error(source, "not JSON",
                        fmt::format("syntax error at {}", position(text, error.byte)), kFormHint);
  } catch (const json::out_of_range&) {
    throw profile_error(source, "not JSON", "a number is too large to be read", kFormHint);
  }
  if (!object.is_object()) {
    throw profile_error(source, "not a machine profile",
                        fmt::format("a JSON object is needed, not {}", shown(object)), kFormHint);
  }
  return object;
}

std::string read_name(const json& value, const std::string& source) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  const std::string* name = value.get_ptr<const std::string*>();
  if (name == nullptr || name->empty() || name->size() > kLongestName ||
      std::ranges::any_of(*name, is_control)) {
    throw profile_error(source, fmt::format("\"name\" is {}", shown(value)),
                        fmt::format("needed: a string of 1 to {} printable bytes", kLongestName),
                        "give the machine a short name");
  }
  return *name;
}

int read_integer(const json& value, const MachineConstant& constant, const std::string& source) {
  const bool fits = value.is_number_unsigned()
                        ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(constant.high)
                        : value.is_number_integer() && value.get<std::int64_t>() <= constant.high;
  if (!fits || value.get<std::int64_t>() < constant.low) {
    throw profile_error(source, fmt::format("\"{}\" is {}", constant.name, shown(value)),
                        fmt::format("needed: an integer from {} to {}, in {}", constant.low,
                                    constant.high, constant.unit),
                        fmt::format("the default is {}", constant.default_value));
  }
  return value.get<int>();
}

Error unknown_key(const std::string& key, const std::string& source) {
  std::vector<std::string_view> known = {"name"};
  std::ranges::transform(machine_constants(), std::back_inserter(known), &MachineConstant::name);
  const auto meant = base::nearest(std::string_view(key).substr(0, kLongestQuote), known);
  return profile_error(source, fmt::format("unknown key {}", shown(key)),
                       meant ? fmt::format("the nearest known one is \"{}\"", *meant)
                             : "the machine has no such constant",
                       "correct or remove it; 'weft info' lists them all");
}

std::string read_text(const std::string& path) {
  const auto unreadable = [&](const std::string& why, const char* remedy) {
    return Error(ErrorCategory::input, fmt::format("cannot read the machine file '{}'", path), why,
                 remedy);
  };
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw unreadable(std::strerror(errno), "check the path and its permissions");
  }
  // One byte over the limit tells a file that is too long, a device without end included.
  std::string text(kLongestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) {
    throw unreadable(std::strerror(errno), "name a readable JSON file");
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLongestFile) {
    throw unreadable(fmt::format("longer than {} bytes", kLongestFile),
                     "name a machine profile, which is a short JSON file");
  }
  return text;
}

}  // namespace

Machine parse_machine(std::string_view text, const std::string& source) {
  const json object = parse_object(text, source);
  Machine machine;
  for (const auto& [key, value] : object.items()) {
    if (key == "name") {
      machine.name = read_name(value, source);
      continue;
    }
    const auto constants = machine_constants();
    const auto constant = std::ranges::find(constants, key, &MachineConstant::name);
    if (constant == constants.end()) {
      throw unknown_key(key, source);
    }
    machine.*constant->member = read_integer(value, *constant, source);
  }
  return machine;
}

Machine load_machine(const std::string& path) { return parse_machine(read_text(path), path); }

}  // namespace weft::inline v0
