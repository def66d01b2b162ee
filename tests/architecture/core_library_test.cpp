// A program that emulates fabrics needs no library for volumes, pictures and references: these are
// weft-io's.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "output_of.hpp"

namespace weft::test::core_library_test {
namespace {

/// The shared libraries that a program asks for: "png16" of libpng16.so.16.
std::set<std::string> shared_libraries(const std::string& program) {
  const std::string header = output_of("readelf --dynamic --wide '" + program + "'");
  const std::regex needed(R"(\(NEEDED\).*\[(?:lib)?([^\].]+)\.so)");
  std::set<std::string> libraries;
  for (std::sregex_iterator match(header.begin(), header.end(), needed), end; match != end; ++match)
    libraries.insert((*match)[1]);
  return libraries;
}

TEST(CoreLibrary, NeedsNoLibraryOfVolumesPicturesOrReferences) {
  const std::set<std::string> libraries = shared_libraries(WEFT_CORE_ALONE);
  EXPECT_TRUE(libraries.contains("fmt")) << "readelf lists not what the core is linked to";
  const std::set<std::string> allowed = {"fmt", "stdc++", "c",      "m", "gcc_s", "ld-linux-x86-64",
                                         "dl",  "rt",     "pthread"};
  for (const std::string& library : libraries)
    EXPECT_TRUE(allowed.contains(library)) << "the library weft is linked to lib" << library;
}

TEST(CoreLibrary, TheCheckSeesWhatTheOtherLibraryNeeds) {
  const std::set<std::string> libraries = shared_libraries(WEFT_IO_ALONE);
  for (const char* library : {"png16", "fftw3", "niftiio"})
    EXPECT_TRUE(libraries.contains(library)) << library;
}

}  // namespace
}  // namespace weft::test::core_library_test
