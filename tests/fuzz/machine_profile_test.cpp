// For a machine profile of any bytes, the parser gives a machine within its limits or a
// weft::Error.
#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <random>
#include <string>
#include <string_view>

#include "weft/error.hpp"
#include "weft/machine.hpp"

namespace weft::test::machine_profile_test {
namespace {

using Generator = std::mt19937_64;

constexpr std::array<std::string_view, 4> kSeeds = {
    R"({})", R"({"name": "slow", "ramp_cycles": 3})",
    R"({"clock_khz": 850000, "pe_memory_bytes": 49152, "router_queue_depth": 2})",
    R"({"task_start_cycles": 0, "router_write_cycles": 256, "name": "edge"})"};

constexpr std::array<std::string_view, 24> kTokens = {"{",
                                                      "}",
                                                      "[",
                                                      "]",
                                                      ":",
                                                      ",",
                                                      "\"",
                                                      "\\u0000",
                                                      "\\ud8",
                                                      "null",
                                                      "true",
                                                      "-1",
                                                      "0",
                                                      "1e9",
                                                      "1e999",
                                                      "99999999999999999999",
                                                      "2.5",
                                                      " ",
                                                      "\n",
                                                      "\"name\"",
                                                      "\"ramp_cycles\"",
                                                      "\xff",
                                                      "\xef\xbb\xbf",
                                                      "\"a\":1,"};

std::size_t below(Generator& generator, std::size_t limit) {
  return static_cast<std::size_t>(generator() % limit);
}

void mutate(std::string& text, Generator& generator) {
  const std::size_t at = below(generator, text.size() + 1);
  switch (below(generator, 6)) {
    case 0:
      text.insert(at, kTokens[below(generator, kTokens.size())]);
      break;
    case 1:
      text.erase(at, 1 + below(generator, 8));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.insert(at, text.substr(below(generator, text.size() + 1)));
      break;
    case 4:
      if (at < text.size()) text[at] = static_cast<char>(below(generator, 256));
      break;
    case 5:
      if (at < text.size()) text[at] = static_cast<char>('0' + below(generator, 10));
      break;
  }
}

// Empty if the text was parsed or refused as it should be; otherwise what went wrong.
std::string misbehaviour(const std::string& text) {
  try {
    check_machine(parse_machine(text, "fuzz"));
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const bool printable = message.find_first_of("\n\r\t") == std::string_view::npos;
    if (error.category() != ErrorCategory::machine_profile) return "another category";
    if (!printable || message.size() > 400) return "no short line: " + std::string(message);
  } catch (const std::exception& exception) {
    return std::string("not a weft::Error: ") + exception.what();
  }
  return "";
}

TEST(MachineProfileFuzz, MutatedProfilesAreParsedOrRefused) {
  Generator generator(20240229);
  for (int round = 0; round < 30000; ++round) {
    std::string text(kSeeds[below(generator, kSeeds.size())]);
    const std::size_t mutations = 1 + below(generator, 6);
    for (std::size_t i = 0; i < mutations && text.size() < 4096; ++i) mutate(text, generator);
    const std::string wrong = misbehaviour(text);
    ASSERT_TRUE(wrong.empty()) << "round " << round << ": " << wrong << "\n" << text;
  }
}

TEST(MachineProfileFuzz, RandomBytesAreRefused) {
  Generator generator(7);
  for (int round = 0; round < 5000; ++round) {
    std::string text(below(generator, 64), '\0');
    for (char& byte : text) byte = static_cast<char>(below(generator, 256));
    const std::string wrong = misbehaviour(text);
    ASSERT_TRUE(wrong.empty()) << "round " << round << ": " << wrong;
  }
}

}  // namespace
}  // namespace weft::test::machine_profile_test
