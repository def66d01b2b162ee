# Installs the folder that travels, without links, which not everything that copies keeps, and refuses
# it if it is too large. Usage: cmake -DBUILT=BUILD -DFOLDER=FOLDER [-DMOST_MB=MB] -P pack.cmake
if(NOT DEFINED MOST_MB)
  set(MOST_MB 40)
endif()

file(REMOVE_RECURSE "${FOLDER}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILT}" --strip --component gpu-check
  --prefix "${FOLDER}" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB libraries "${FOLDER}/lib/*.so*")
foreach(library IN LISTS libraries)
  if(IS_SYMLINK "${library}")
    file(REAL_PATH "${library}" real)
    file(RENAME "${real}" "${library}")
  endif()
endforeach()

file(GLOB_RECURSE files "${FOLDER}/*")
set(bytes 0)
foreach(file IN LISTS files)
  file(SIZE "${file}" size)
  math(EXPR bytes "${bytes} + ${size}")
endforeach()
math(EXPR mb "(${bytes} + 999999) / 1000000")
if(mb GREATER MOST_MB)
  message(FATAL_ERROR "${FOLDER} has ${mb} MB (at most ${MOST_MB} may travel); "
    "see which of its files have grown")
endif()
message(STATUS "${FOLDER}: ${mb} MB")
