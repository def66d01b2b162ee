# viewer/viewer.html, which is checked in, as a source of the library: no Node is needed. The command
# below runs this file as a script.
if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${VIEWER}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  file(WRITE "${TO}" "#include \"page/viewer.hpp\"

static constexpr unsigned char kViewer[] = {${bytes}};

std::string_view weft::page::viewer() noexcept {
  return {reinterpret_cast<const char*>(kViewer), sizeof kViewer};
}
")
  return()
endif()

set(viewer "${PROJECT_SOURCE_DIR}/viewer/viewer.html")
set(WEFT_VIEWER_SOURCE "${PROJECT_BINARY_DIR}/generated/viewer.cpp")
add_custom_command(OUTPUT "${WEFT_VIEWER_SOURCE}"
  COMMAND "${CMAKE_COMMAND}" "-DVIEWER=${viewer}" "-DTO=${WEFT_VIEWER_SOURCE}"
    -P "${CMAKE_CURRENT_LIST_FILE}"
  DEPENDS "${viewer}" "${CMAKE_CURRENT_LIST_FILE}" COMMENT "Writing the viewer as C++")
set_source_files_properties("${WEFT_VIEWER_SOURCE}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
