# Makes a folder fit to travel: without links, which not everything that copies keeps, and small
# enough. Usage: cmake -DFOLDER=... -P pack.cmake
set(most_mb 50)

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
if(mb GREATER most_mb)
  message(FATAL_ERROR "${FOLDER} has ${mb} MB (at most ${most_mb} may travel); "
    "see which of its files have grown")
endif()
message(STATUS "${FOLDER}: ${mb} MB")
