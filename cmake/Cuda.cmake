# CUDA is optional: with its toolkit, cuda/ is compiled; without, files there stand in and say so at
# run time. The runtime is linked statically and cuFFT is loaded when it is asked for, so that
# `weft` starts on hosts that have neither; docs/dependencies.md has the sizes. Compiled with CUDA
# 13.0; older toolkits are untried, so no version is asked for.
option(WEFT_CUDA "Use the CUDA toolkit where it is installed" ON)

set(WEFT_HAVE_CUDA OFF)     # the toolkit's headers and libraries
set(WEFT_HAVE_KERNELS OFF)  # and its compiler
if(WEFT_CUDA)
  find_package(CUDAToolkit QUIET)
  find_path(WEFT_CUFFT_HEADERS cufftXt.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
  mark_as_advanced(WEFT_CUFFT_HEADERS)
  if(CUDAToolkit_FOUND AND TARGET CUDA::cudart_static AND WEFT_CUFFT_HEADERS)
    set(WEFT_HAVE_CUDA ON)
  endif()
endif()
# Sanitizers see the kernels in the tests that compile them for the host.
if(WEFT_HAVE_CUDA AND NOT WEFT_SANITIZE)
  include(CudaLanguage)
endif()

file(GLOB cuda_sources CONFIGURE_DEPENDS cuda/*.cpp)
file(GLOB kernel_sources CONFIGURE_DEPENDS cuda/*.cu)
set(without_cuda "${PROJECT_SOURCE_DIR}/cuda/without_cuda.cpp")
set(without_kernels "${PROJECT_SOURCE_DIR}/cuda/without_kernels.cpp")
list(REMOVE_ITEM cuda_sources "${without_cuda}" "${without_kernels}")
if(WEFT_HAVE_KERNELS)
  list(APPEND cuda_sources ${kernel_sources})
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, kernels for ${CMAKE_CUDA_ARCHITECTURES}")
elseif(WEFT_HAVE_CUDA)
  list(FILTER cuda_sources EXCLUDE REGEX "/(device_engine|device_info|device_memory|tiling)[.]cpp$")
  list(APPEND cuda_sources "${without_kernels}")
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, without kernels")
else()
  set(cuda_sources "${without_cuda}" "${without_kernels}")
  message(STATUS "CUDA: none (none is needed)")
endif()

# By itself, because nothing outside cuda/ may see CUDA's headers.
add_library(weft-cuda OBJECT ${cuda_sources})
target_include_directories(weft-cuda PRIVATE include src .)
target_link_libraries(weft-cuda PRIVATE weft-dependencies)
target_sources(weft PRIVATE $<TARGET_OBJECTS:weft-cuda>)
if(WEFT_HAVE_CUDA)
  target_include_directories(weft-cuda SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_definitions(weft-cuda PRIVATE WEFT_CUFFT_FOLDER="${CUDAToolkit_LIBRARY_DIR}")
  target_link_libraries(weft PRIVATE $<LINK_ONLY:CUDA::cudart_static>)
endif()
if(WEFT_HAVE_KERNELS)
  weft_compile_kernels(weft-cuda)
endif()
