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

# Of the folder cuda/, all but cuFFT is the engine: see CudaReference.cmake.
file(GLOB engine_sources CONFIGURE_DEPENDS cuda/*.cpp cuda/pe/*.cpp)
list(FILTER engine_sources EXCLUDE REGEX "/(cufft[^/]*|without_[^/]*)[.]cpp$")
file(GLOB kernel_sources CONFIGURE_DEPENDS cuda/pe/*.cu)
set(without_kernels "${PROJECT_SOURCE_DIR}/cuda/without_kernels.cpp")
if(WEFT_HAVE_KERNELS)
  list(APPEND engine_sources ${kernel_sources})
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, kernels for ${WEFT_KERNELS_FOR}")
elseif(WEFT_HAVE_CUDA)
  list(FILTER engine_sources EXCLUDE REGEX "/(check_devices|device_stepper|device_info|device_memory|pe/[^/]*)[.]cpp$")
  list(APPEND engine_sources "${without_kernels}")
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}, without kernels")
else()
  set(engine_sources "${without_kernels}")
  message(STATUS "CUDA: none (none is needed)")
endif()

# By itself, because nothing outside cuda/ may see CUDA's headers.
function(weft_add_cuda library part_of)
  add_library(${library} OBJECT ${ARGN})
  # Imitations replace some of these objects when a program is linked.
  set_target_properties(${library} PROPERTIES UNITY_BUILD OFF)
  target_include_directories(${library} PRIVATE include src .)
  target_link_libraries(${library} PRIVATE weft-dependencies)
  target_sources(${part_of} PRIVATE $<TARGET_OBJECTS:${library}>)
  if(WEFT_HAVE_CUDA)
    target_include_directories(${library} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(${part_of} PRIVATE $<LINK_ONLY:CUDA::cudart_static>)
  endif()
endfunction()

weft_add_cuda(weft-cuda weft ${engine_sources})
if(WEFT_HAVE_KERNELS)
  weft_compile_kernels(weft-cuda)
endif()
