# weft_gather(SHARED LIBRARIES DEPENDENCIES...) makes a shared library SHARED of all objects of static
# ones.
function(weft_gather shared libraries)
  add_library(${shared} SHARED "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")  # CMake wants a source
  set_target_properties(${shared} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${shared} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
  target_compile_features(${shared} INTERFACE cxx_std_20)
  target_link_options(${shared} PRIVATE LINKER:--no-undefined LINKER:--as-needed)
  # By its file, because the target weft-io also stands for the static core.
  list(TRANSFORM libraries REPLACE ".+" "$<TARGET_FILE:\\0>" OUTPUT_VARIABLE files)
  target_link_libraries(${shared} PRIVATE
    -Wl,--whole-archive ${files} -Wl,--no-whole-archive ${ARGN}
    "$<$<BOOL:${WEFT_HAVE_CUDA}>:CUDA::cudart_static>")
  add_dependencies(${shared} ${libraries})
  set_property(TARGET ${shared} APPEND PROPERTY LINK_DEPENDS ${files})
endfunction()

# weft_share(LIBRARY DEPENDENCIES...) makes the target LIBRARY-shared of the objects of a static
# library, where BUILD_SHARED_LIBS asks for it, and weft::LIBRARY, which is the shared one then. Tests
# and the command use the static one: they need names that the shared one hides.
set(WEFT_EXPORTED "${PROJECT_SOURCE_DIR}/cmake/exported.map")
# Before 1.0 a minor version may change the binary interface.
set(WEFT_SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

function(weft_share library)
  if(NOT BUILD_SHARED_LIBS)
    add_library(weft::${library} ALIAS ${library})
    return()
  endif()
  set(shared ${library}-shared)
  weft_gather(${shared} ${library} ${ARGN})
  add_library(weft::${shared} ALIAS ${shared})
  add_library(weft::${library} ALIAS ${shared})
  set_target_properties(${shared} PROPERTIES
    OUTPUT_NAME ${library} VERSION "${PROJECT_VERSION}" SOVERSION "${WEFT_SOVERSION}")
  target_link_options(${shared} PRIVATE "LINKER:--version-script=${WEFT_EXPORTED}")
  set_property(TARGET ${shared} APPEND PROPERTY LINK_DEPENDS "${WEFT_EXPORTED}")
endfunction()
