set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Every engine must give the same bits: no contraction to fma, no fast-math.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# Objects of the static libraries become shared ones, too, so their code must not depend on its
# place. Calls within a library still go straight to their function.
if(BUILD_SHARED_LIBS)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition>)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ looks for memory to use again once it has taken 128 MB; four times as much saves a fifth of
  # the time to compile what is not optimised long.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>)
endif()

# Every target of this project is ours; what comes from outside is included as system headers.
if(NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
  set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()
set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wcast-align
  -Wnon-virtual-dtor -Woverloaded-virtual -Wformat=2)
if(CMAKE_UNITY_BUILD)
  if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
    # CMake's default of 8 takes longer, as each unit compiles the headers again.
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)
  endif()
  # Of sources that are compiled as one, these are about names that do not meet otherwise. `make
  # check` compiles each source alone.
  list(APPEND warnings -Wno-shadow -Wno-subobject-linkage)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND warnings -Wshadow=local)
  endif()
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # g++ 12 warns of its own std::string (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # It does without GCC's ivdep; and g++'s -Wconversion does not ask for signs in C++.
  list(APPEND warnings -Wno-unknown-pragmas -Wno-sign-conversion)
endif()
if(WEFT_SANITIZE)
  # g++ warns wrongly on instrumented code, and to look for warnings is a tenth of the time to compile.
  set(warnings -w)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")

if(WEFT_SANITIZE)
  set(sanitize "-fsanitize=${WEFT_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(WEFT_SANITIZE MATCHES "undefined" AND NOT WEFT_SANITIZE_ALL)
    # Of the time to compile the steps, pointer-overflow takes half of what is left without the others;
    # AddressSanitizer finds most of what they find.
    set(WEFT_DEAR_CHECKS_OFF -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr)
    list(APPEND sanitize ${WEFT_DEAR_CHECKS_OFF})
  endif()
  if(WEFT_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Checks of addresses are calls: a sixth less time to compile, and the tests are short.
    list(APPEND sanitize --param=asan-instrumentation-with-call-threshold=0)
  endif()
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
endif()
