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
  add_library(${shared} SHARED "${WEFT_EXPORTED}")
  add_library(weft::${shared} ALIAS ${shared})
  add_library(weft::${library} ALIAS ${shared})
  set_target_properties(${shared} PROPERTIES
    LINKER_LANGUAGE CXX OUTPUT_NAME ${library}
    VERSION "${PROJECT_VERSION}" SOVERSION "${WEFT_SOVERSION}" LINK_DEPENDS "${WEFT_EXPORTED}")
  target_include_directories(${shared} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")
  target_compile_features(${shared} INTERFACE cxx_std_20)
  target_link_options(${shared} PRIVATE
    "LINKER:--version-script=${WEFT_EXPORTED}" LINKER:--no-undefined LINKER:--as-needed)
  # By its file, because the target weft-io also stands for the static core.
  target_link_libraries(${shared} PRIVATE
    -Wl,--whole-archive "$<TARGET_FILE:${library}>" -Wl,--no-whole-archive ${ARGN}
    "$<$<BOOL:${WEFT_HAVE_CUDA}>:CUDA::cudart_static>")
  add_dependencies(${shared} ${library})
  set_property(TARGET ${shared} APPEND PROPERTY LINK_DEPENDS "$<TARGET_FILE:${library}>")
endfunction()
