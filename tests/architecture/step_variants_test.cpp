// Functions that the linker may take from any object file must not be compiled for one processor
// only: else a program on an older processor could run an AVX-512 copy of some inline function.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "output_of.hpp"

namespace weft::test::step_variants_test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// The variant that an object file's path names.
std::string variant_of(const std::string& object) {
  return object.find("avx512") != std::string::npos ? "avx512" : "avx2";
}

TEST(StepVariants, ShareNoCodeWithOlderProcessors) {
#ifndef NDEBUG
  GTEST_SKIP() << "only optimised builds inline the helpers";
#endif
  const std::vector<std::string> objects = split(WEFT_STEP_OBJECTS, ':');
  if (objects.empty()) GTEST_SKIP() << "this build has one variant of the step";
  for (const std::string& object : objects) {
    const std::string symbols = output_of("nm --demangle --defined-only '" + object + "'");
    EXPECT_FALSE(symbols.empty()) << "nm lists nothing of " << object;
    for (const std::string& line : split(symbols, '\n')) {
      const bool is_weak_function = line.find(" W ") != std::string::npos;
      const bool is_own = line.find(variant_of(object)) != std::string::npos;
      EXPECT_TRUE(!is_weak_function || is_own)
          << object << " shares this function with other files: " << line
          << "; put it in a namespace of the variant, or let it be inlined always";
    }
  }
}

}  // namespace
}  // namespace weft::test::step_variants_test
