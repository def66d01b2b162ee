# Of the core library, weft:
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)

add_library(weft-dependencies INTERFACE)
target_link_libraries(weft-dependencies INTERFACE
  fmt::fmt Threads::Threads $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

if(NOT WEFT_IO)
  return()
endif()

# Of volumes, pictures and references, weft-io:
find_package(PkgConfig REQUIRED)
pkg_check_modules(fftw3 REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(fftw3f REQUIRED IMPORTED_TARGET fftw3f)
find_package(PNG REQUIRED)
find_package(Nifti REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(libisal REQUIRED IMPORTED_TARGET libisal)

add_library(weft-io-dependencies INTERFACE)
target_link_libraries(weft-io-dependencies INTERFACE
  PkgConfig::fftw3 PkgConfig::fftw3f PNG::PNG Nifti::niftiio ZLIB::ZLIB
  PkgConfig::libzip PkgConfig::libisal)

# Of the command, the tests and the benchmarks:
find_package(CLI11 REQUIRED)
if(WEFT_TESTS)
  find_package(GTest REQUIRED)
endif()
if(WEFT_BENCH)
  find_package(benchmark REQUIRED)
endif()
