# MPI is optional: where it is installed, the library weft-mpi and the command use it, so that the
# processes of a launcher share a fabric.
option(WEFT_MPI "Use MPI where it is installed" ON)

set(WEFT_HAVE_MPI OFF)
if(WEFT_MPI AND NOT WEFT_SANITIZE)  # sanitizers find what MPI itself leaves behind
  set(MPI_CXX_SKIP_MPICXX ON)  # its C functions only
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(WEFT_HAVE_MPI ON)
  endif()
endif()
if(NOT WEFT_HAVE_MPI)
  message(STATUS "MPI: none (none is needed)")
  return()
endif()
message(STATUS "MPI: ${MPI_CXX_VERSION}")

# FFTW's library for MPI is optional too: with it, processes compare with FFTW by parts. Debian's is
# for Open MPI. For another MPI, WEFT_FFTW_MPI names the library.
set(WEFT_HAVE_FFTW_MPI OFF)
include(CheckCXXSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_symbol_exists(OPEN_MPI mpi.h WEFT_MPI_IS_OPEN_MPI)
unset(CMAKE_REQUIRED_LIBRARIES)
if(WEFT_MPI_IS_OPEN_MPI)
  find_library(WEFT_FFTW_MPI fftw3_mpi)
endif()
find_path(WEFT_FFTW_MPI_HEADERS fftw3-mpi.h)
mark_as_advanced(WEFT_FFTW_MPI WEFT_FFTW_MPI_HEADERS)
if(WEFT_IO AND WEFT_FFTW_MPI AND WEFT_FFTW_MPI_HEADERS)
  set(WEFT_HAVE_FFTW_MPI ON)
endif()

sources_of(sources mpi)
add_library(weft-mpi STATIC ${sources})
add_library(weft::weft-mpi-static ALIAS weft-mpi)
target_link_libraries(weft-mpi PUBLIC weft PRIVATE MPI::MPI_CXX)
weft_share(weft-mpi MPI::MPI_CXX)
if(BUILD_SHARED_LIBS)
  target_link_libraries(weft-mpi-shared PUBLIC weft-shared)
endif()
