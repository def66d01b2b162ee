# The step of the host engine, compiled once per instruction set; the engine picks one when it
# starts. WEFT_STEP_VARIANT names the variant that a file is compiled as.
option(WEFT_STEP_NATIVE "Compile the step only for the widest vectors of this machine" OFF)

set(WEFT_STEP_VARIANTS baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  list(APPEND WEFT_STEP_VARIANTS avx2 avx512)
endif()
# Each variant takes minutes to compile under a sanitizer, so these look at the plain loops, and
# AddressSanitizer at one with vectors too.
if(WEFT_SANITIZE)
  list(REMOVE_ITEM WEFT_STEP_VARIANTS avx512)
  if(NOT WEFT_SANITIZE MATCHES "address")
    list(REMOVE_ITEM WEFT_STEP_VARIANTS avx2)
  endif()
endif()
# The one that this machine takes by itself.
set(features "")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo features REGEX "^flags" LIMIT_COUNT 1)
endif()
if(features MATCHES "avx512bw" AND "avx512" IN_LIST WEFT_STEP_VARIANTS)
  set(WEFT_STEP_OF_THIS_MACHINE avx512)
elseif(features MATCHES "avx2" AND "avx2" IN_LIST WEFT_STEP_VARIANTS)
  set(WEFT_STEP_OF_THIS_MACHINE avx2)
else()
  set(WEFT_STEP_OF_THIS_MACHINE baseline)
endif()
if(WEFT_STEP_NATIVE)
  set(WEFT_STEP_VARIANTS ${WEFT_STEP_OF_THIS_MACHINE})
endif()

set(step_flags_baseline "")
set(step_flags_avx2 -mavx2 -mfma -mf16c -mbmi -mbmi2)
set(step_flags_avx512 ${step_flags_avx2}
  -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)

# Under a sanitizer all count by the plain loops.
set(counting_variants ${WEFT_STEP_VARIANTS})
if(WEFT_SANITIZE)
  list(REMOVE_ITEM counting_variants avx2)
endif()

# Of -O3, what makes the step quick: loops that become vector instructions, and short ones that
# become straight code. Without the rest, and without two passes that gain nothing here, it takes two
# thirds of the time to compile, and executes fewer instructions (docs/history/host-step.md).
set(step_optimisation "$<$<CONFIG:Release>:-O2>")
foreach(flag -fvect-cost-model=dynamic -fpeel-loops -fno-gcse -fno-code-hoisting)
  list(APPEND step_optimisation "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:${flag}>")
endforeach()

set(step_definitions "")
foreach(variant IN LISTS WEFT_STEP_VARIANTS)
  set(counting ${variant})
  if(NOT variant IN_LIST counting_variants)
    list(GET counting_variants -1 counting)
  endif()
  list(APPEND step_definitions WEFT_STEP_${variant}=1 WEFT_COUNTING_${variant}=counting_${counting})
endforeach()
set_source_files_properties(src/engine/step_functions.cpp PROPERTIES
  COMPILE_DEFINITIONS "${step_definitions}")

foreach(variant IN LISTS WEFT_STEP_VARIANTS)
  add_library(weft-step-${variant} OBJECT
    src/variants/step_variant.cpp src/variants/sweep_variant.cpp)
  if(variant IN_LIST counting_variants)
    target_sources(weft-step-${variant} PRIVATE src/variants/counting_variant.cpp)
  endif()
  target_include_directories(weft-step-${variant} PRIVATE include src)
  target_compile_definitions(weft-step-${variant} PRIVATE WEFT_STEP_VARIANT=${variant})
  # No operation traps: the compiler may compute both sides of a condition, and so in vectors.
  target_compile_options(weft-step-${variant} PRIVATE
    ${step_optimisation} ${step_flags_${variant}} -fno-trapping-math)
  if(WEFT_SANITIZE)
    # Not for debugging, as all else: what is not inlined there is one function for all variants, and
    # its instructions would be those of one.
    target_compile_options(weft-step-${variant} PRIVATE -O1)
  endif()
  # Of undefined behaviour the plain loops tell; with vectors too, that is minutes more to compile.
  if(WEFT_SANITIZE MATCHES "undefined" AND NOT variant STREQUAL "baseline")
    target_compile_options(weft-step-${variant} PRIVATE -fno-sanitize=undefined)
  endif()
  set_target_properties(weft-step-${variant} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(weft-step-${variant} PRIVATE weft-dependencies)
  target_sources(weft PRIVATE $<TARGET_OBJECTS:weft-step-${variant}>)
endforeach()
