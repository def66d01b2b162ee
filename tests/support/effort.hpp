#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace weft::test {

/// How much a run of the tests takes on: builds with sanitizers are some 20 times slower, and
/// `make test` (WEFT_TEST_EFFORT=quick) leaves the larger part to `make test-all`.
/// WEFT_TEST_EFFORT=sanitized asks any build for the cases of the sanitizers.
enum class Effort { sanitized, quick, all };

inline std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 0);
}

inline Effort effort() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return Effort::sanitized;
#else
  const char* value = std::getenv("WEFT_TEST_EFFORT");
  const std::string_view asked = value == nullptr ? "" : value;
  return asked == "sanitized" ? Effort::sanitized : asked == "quick" ? Effort::quick : Effort::all;
#endif
}

inline bool sanitized() { return effort() == Effort::sanitized; }

/// Whether races are looked for: the slowest build, in which one case of each use of threads is
/// enough.
inline bool looks_for_races() {
#ifdef __SANITIZE_THREAD__
  return true;
#else
  return false;
#endif
}

/// The value for this run: a number of cases, or the largest side.
template <class T>
T by_effort(T sanitized, T quick, T all) {
  return effort() == Effort::sanitized ? sanitized : effort() == Effort::quick ? quick : all;
}

/// Whether tests draw so many random cases that they must have reached what they are about.
inline bool many_cases() { return effort() == Effort::all; }

/// Why a test that only `make test-all` runs is skipped; its build without sanitizers runs it.
inline const char* too_long() {
  return sanitized() ? "too slow under a sanitizer" : "takes long: make test-all runs it";
}

/// Why a test, or a case, is left out where races are looked for.
inline const char* one_thread() { return "it has one thread, so no races"; }

/// For tests that go through all cases of a kind. Under sanitizers they take one of `every`, for
/// each commit another: `for (int i = first_of(5); i < cases; i += one_of(5))`.
inline int one_of(int every) { return sanitized() ? every : 1; }
/// By the commit's seed, from 0 to every - 1.
inline int drawn_of(int every) {
  // The seed's rest by three says which tests sanitizers run at all (tests/CMakeLists.txt).
  return static_cast<int>(number("WEFT_TEST_SEED", 0) / 3 % static_cast<std::uint64_t>(every));
}
inline int first_of(int every) { return sanitized() ? drawn_of(every) : 0; }

/// The first seed of a test's random cases. `make test-rest` draws others for each commit:
/// WEFT_TEST_SEED moves all of them.
inline std::uint64_t seed_from(std::uint64_t usual) { return usual + number("WEFT_TEST_SEED", 0); }

}  // namespace weft::test
