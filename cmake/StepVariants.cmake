# The step of the host engine, compiled once per instruction set; the engine picks one when it
# starts. WEFT_STEP_VARIANT names the variant; WEFT_STEP_X86 says that all three exist.
set(WEFT_STEP_VARIANTS "")
set(WEFT_STEP_DEFINITIONS "")
file(GLOB step_source CONFIGURE_DEPENDS src/engine/step_variant.cpp)
if(step_source)
  set(WEFT_STEP_VARIANTS baseline)
  # Sanitizers look at one variant: the source is the same, and each takes minutes to compile there.
  if(NOT WEFT_SANITIZE AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    list(APPEND WEFT_STEP_VARIANTS avx2 avx512)
    set(WEFT_STEP_DEFINITIONS WEFT_STEP_X86=1)
  endif()
endif()

set(step_flags_baseline "")
set(step_flags_avx2 -mavx2 -mfma -mbmi -mbmi2)
set(step_flags_avx512 ${step_flags_avx2}
  -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)

target_compile_definitions(weft PRIVATE ${WEFT_STEP_DEFINITIONS})
foreach(variant IN LISTS WEFT_STEP_VARIANTS)
  add_library(weft-step-${variant} OBJECT ${step_source})
  target_include_directories(weft-step-${variant} PRIVATE include src)
  target_compile_definitions(weft-step-${variant} PRIVATE
    WEFT_STEP_VARIANT=${variant} ${WEFT_STEP_DEFINITIONS})
  target_compile_options(weft-step-${variant} PRIVATE ${step_flags_${variant}})
  target_link_libraries(weft-step-${variant} PRIVATE weft-dependencies)
  target_sources(weft PRIVATE $<TARGET_OBJECTS:weft-step-${variant}>)
endforeach()
