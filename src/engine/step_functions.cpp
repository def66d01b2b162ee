#include "engine/step_functions.hpp"

#include <cstdlib>
#include <string_view>

#if defined(WEFT_STEP_avx2)
#include <cpuid.h>
#endif

#include "engine/engine.hpp"
#include "weft/error.hpp"

namespace weft::engine {
namespace {

struct Candidate {
  const StepFunctions& functions;
  const CountingFunctions& counting;
  bool (*runs_here)();
};

#if defined(WEFT_STEP_avx2)
// Asked of the CPU itself: __builtin_cpu_supports of clang 16 does not know the name "f16c".
bool converts_halves() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

// Best first.
constexpr Candidate kCandidates[] = {
#if defined(WEFT_STEP_avx512)
    {step_avx512, WEFT_COUNTING_avx512,
     [] {
       return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
     }},
#endif
#if defined(WEFT_STEP_avx2)
    {step_avx2, WEFT_COUNTING_avx2,
     [] {
       return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && converts_halves();
     }},
#endif
#if defined(WEFT_STEP_baseline)
    {step_baseline, WEFT_COUNTING_baseline, [] { return true; }},
#endif
};

const Candidate& pick() {
  const char* wish = std::getenv("WEFT_STEP");
  for (const Candidate& candidate : kCandidates)
    if (candidate.runs_here() &&
        (wish == nullptr || std::string_view(wish) == candidate.functions.name))
      return candidate;
  if (wish == nullptr)
    throw Error(ErrorCategory::environment, "this CPU runs no step of this build",
                "it was built for wider vectors only (WEFT_STEP_NATIVE)",
                "build it without WEFT_STEP_NATIVE, or on this machine");
  throw Error(ErrorCategory::environment, std::string("invalid WEFT_STEP: ") + wish,
              "it is no step variant of this build, or this CPU does not run it",
              "unset it, or take one of avx512, avx2, baseline");
}

const Candidate& best() {
  static const Candidate& best = pick();
  return best;
}

}  // namespace

const StepFunctions& step_functions() { return best().functions; }

const CountingFunctions& counting_functions() { return best().counting; }

const RowFunctions& row_functions(const model::View& v) {
  if (v.events != nullptr) return v.counts != nullptr ? tracing_and_counting_rows : tracing_rows;
  return v.counts != nullptr ? counting_functions().rows : step_functions().rows;
}

std::string_view step_variant() { return step_functions().name; }

}  // namespace weft::engine
