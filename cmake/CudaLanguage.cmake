# nvcc as CMake's compiler for .cu files. Sets WEFT_HAVE_KERNELS where it works, and then
# WEFT_PTXAS_REPORT: the folder in which ptxas tells what the kernels use, a file for each object and
# in it a paragraph per architecture.
if(NOT DEFINED ENV{CUDACXX} AND CUDAToolkit_NVCC_EXECUTABLE)
  set(ENV{CUDACXX} "${CUDAToolkit_NVCC_EXECUTABLE}")  # it need not be in the PATH
endif()
if(NOT DEFINED ENV{CUDAHOSTCXX})
  set(ENV{CUDAHOSTCXX} "${CMAKE_CXX_COMPILER}")
endif()
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know it
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY None)  # cmake/Cuda.cmake links it
set(WEFT_HAVE_KERNELS ON)
set(WEFT_PTXAS_REPORT "${PROJECT_BINARY_DIR}/ptxas")

# Of the host's warnings not those that nvcc's own code for the host is full of.
set(kernel_host_options -ffp-contract=off -Wall -Wextra -Wconversion -Wshadow -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2)
list(JOIN kernel_host_options "," kernel_host_options)
# No contraction to fma: see cmake/CompilerOptions.cmake.
set(kernel_options -fmad=false --expt-relaxed-constexpr -Wmissing-launch-bounds
  "-Xcompiler=${kernel_host_options}" --resource-usage --threads=2)
set(WEFT_KERNELS_FOR "${CMAKE_CUDA_ARCHITECTURES}")
if(NOT CMAKE_CUDA_ARCHITECTURES)
  # A100 and H100, and PTX for what comes after them. All of one PTX, because the kernels ask for
  # nothing that A100 lacks: their PTX for each is the same, and takes a third of the time to compile.
  set(WEFT_KERNELS_FOR "sm_80,sm_90,compute_80")
  list(APPEND kernel_options "--generate-code=arch=compute_80,code=[${WEFT_KERNELS_FOR}]")
endif()
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
  list(APPEND kernel_options --compress-mode=size)  # a sixth of the default's size, as quickly compiled
endif()

function(weft_compile_kernels target)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${kernel_options}>")
  set_target_properties(${target} PROPERTIES
    CUDA_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/keep-ptxas-report;${WEFT_PTXAS_REPORT}")
endfunction()
