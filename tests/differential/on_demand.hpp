#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "engine/engine.hpp"
#include "support/effort.hpp"
#include "weft/error.hpp"

namespace weft::test {

/// run(first seed, cases) as WEFT_FUZZ_SEED and WEFT_FUZZ_CASES say; skips the test if they do not.
/// WEFT_TEST_SEED moves these seeds too.
template <class Run>
void run_on_demand(Run run) {
  if (std::getenv("WEFT_FUZZ_CASES") == nullptr)
    GTEST_SKIP() << "set WEFT_FUZZ_CASES, and WEFT_FUZZ_SEED for the first seed (make fuzz does)";
  try {
    engine::step_variant();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();  // this CPU does not run the variant of WEFT_STEP
  }
  run(seed_from(number("WEFT_FUZZ_SEED", 1)), number("WEFT_FUZZ_CASES", 1));
}

}  // namespace weft::test
