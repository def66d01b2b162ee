# Man pages and completions, written from the options of the command.
file(GLOB page_sources CONFIGURE_DEPENDS src/cli/pages/*.cpp)
add_executable(weft-pages ${page_sources})
target_link_libraries(weft-pages PRIVATE weft-command)
target_compile_options(weft-pages PRIVATE $<$<CONFIG:Release>:-O1>)  # it runs once

# Manuals are installed compressed, as Debian wants them.
set(WEFT_PAGES "${PROJECT_BINARY_DIR}/pages")
find_program(GZIP_PROGRAM gzip REQUIRED)
mark_as_advanced(GZIP_PROGRAM)
add_custom_command(OUTPUT "${WEFT_PAGES}/weft.1"
  COMMAND ${CMAKE_COMMAND} -E rm -rf "${WEFT_PAGES}"
  COMMAND weft-pages "${WEFT_PAGES}"
  COMMAND ${GZIP_PROGRAM} --best --no-name --keep --recursive "${WEFT_PAGES}"
  DEPENDS weft-pages VERBATIM)
add_custom_target(weft-documents ALL DEPENDS "${WEFT_PAGES}/weft.1")
if(WEFT_TEST_LABEL)  # as the command, of which they are made
  set_target_properties(weft-pages weft-documents PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
