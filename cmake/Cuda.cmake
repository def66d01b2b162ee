# CUDA is optional: with its toolkit, cuda/ is compiled; without, one file there says so at run time.
# The runtime is linked statically and cuFFT is loaded when it is asked for, so that `weft` starts on
# hosts that have neither; docs/dependencies.md has the sizes.
option(WEFT_CUDA "Use the CUDA toolkit where it is installed" ON)

set(WEFT_HAVE_CUDA OFF)
if(WEFT_CUDA)
  find_package(CUDAToolkit QUIET)
  find_path(WEFT_CUFFT_HEADERS cufftXt.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
  mark_as_advanced(WEFT_CUFFT_HEADERS)
  if(CUDAToolkit_FOUND AND TARGET CUDA::cudart_static AND WEFT_CUFFT_HEADERS)
    set(WEFT_HAVE_CUDA ON)
  endif()
endif()

set(without_cuda "${PROJECT_SOURCE_DIR}/cuda/without_cuda.cpp")
if(WEFT_HAVE_CUDA)
  file(GLOB cuda_sources CONFIGURE_DEPENDS cuda/*.cpp)
  list(REMOVE_ITEM cuda_sources "${without_cuda}")
  message(STATUS "CUDA: toolkit ${CUDAToolkit_VERSION}")
else()
  set(cuda_sources "${without_cuda}")
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
