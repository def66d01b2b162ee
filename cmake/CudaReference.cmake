# cuFFT as a reference. It is loaded when it is asked for; see Cuda.cmake.
file(GLOB cufft_sources CONFIGURE_DEPENDS cuda/cufft*.cpp)
if(NOT WEFT_HAVE_CUDA)
  set(cufft_sources "${PROJECT_SOURCE_DIR}/cuda/without_cuda.cpp")
endif()

weft_add_cuda(weft-cufft weft-io ${cufft_sources})
if(WEFT_HAVE_CUDA)
  target_compile_definitions(weft-cufft PRIVATE WEFT_CUFFT_FOLDER="${CUDAToolkit_LIBRARY_DIR}")
endif()
