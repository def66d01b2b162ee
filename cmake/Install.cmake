# `cmake --install` in components: program, library (the shared ones), development; and python, where
# a target weft-python installs into it. `cpack` makes a Debian package of each: see Packages.cmake.
# Debian's compilers, CMake and pkg-config look into the folder of the architecture, also under
# /usr/local.
if(NOT DEFINED CMAKE_INSTALL_LIBDIR AND CMAKE_LIBRARY_ARCHITECTURE
    AND EXISTS /etc/debian_version)
  set(CMAKE_INSTALL_LIBDIR "lib/${CMAKE_LIBRARY_ARCHITECTURE}" CACHE PATH "Folder of libraries")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/weft")
set(libraries weft)
set(dependencies weft-dependencies)
if(WEFT_IO)
  list(APPEND libraries weft-io)
  list(APPEND dependencies weft-io-dependencies)
endif()
if(WEFT_HAVE_MPI)
  list(APPEND libraries weft-mpi)
endif()

# An export set for each library: who uses a shared one needs none of the packages that it needs.
foreach(library IN LISTS libraries)
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${library}-static)
  list(POP_FRONT dependencies needed)
  install(TARGETS ${library} ${needed} EXPORT ${library}-static
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
  install(EXPORT ${library}-static NAMESPACE weft:: DESTINATION "${package_folder}"
    COMPONENT development)
  if(BUILD_SHARED_LIBS)
    install(TARGETS ${library}-shared EXPORT ${library}-shared
      LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library
      NAMELINK_COMPONENT development)
    install(EXPORT ${library}-shared NAMESPACE weft:: DESTINATION "${package_folder}"
      COMPONENT development)
  endif()
endforeach()

set(headers_that_stay "")
if(NOT WEFT_IO)
  list(APPEND headers_that_stay PATTERN io.hpp EXCLUDE)
endif()
if(NOT WEFT_HAVE_MPI)
  list(APPEND headers_that_stay PATTERN mpi.hpp EXCLUDE)
endif()
install(DIRECTORY include/weft DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
  ${headers_that_stay})

set(generated "${PROJECT_BINARY_DIR}/package")
set(WEFT_CUDA_ROOT "")
if(WEFT_HAVE_CUDA)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH WEFT_CUDA_ROOT)
endif()
configure_package_config_file(cmake/weft-config.cmake.in "${generated}/weft-config.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${generated}/weft-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${generated}/weft-config.cmake" "${generated}/weft-config-version.cmake"
  cmake/FindNifti.cmake DESTINATION "${package_folder}" COMPONENT development)

# For those who do not use CMake. A shared library has linked what it needs by itself.
file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
set(libs "-lstdc++ -lm -pthread")
if(WEFT_HAVE_CUDA)
  get_target_property(cudart CUDA::cudart_static IMPORTED_LOCATION)
  string(APPEND libs " ${cudart} -ldl -lrt")
endif()
set(io_packages "fftw3, fftw3f, libpng, zlib, libzip, libisal")
set(io_libs "-lniftiio -lznz")
set(pc_mpi_libs "")
if(WEFT_HAVE_MPI AND NOT BUILD_SHARED_LIBS)
  list(JOIN MPI_CXX_LIBRARIES " " pc_mpi_libs)
  string(PREPEND pc_mpi_libs " ")
endif()
if(BUILD_SHARED_LIBS)
  set(pc_libs_private "Libs.private: ${libs}")
  set(pc_requires "Requires.private: fmt")
  set(pc_io_requires_private "Requires.private: ${io_packages}")
  set(pc_io_libs_private "Libs.private: ${io_libs}")
else()
  set(pc_libs " ${libs}")
  set(pc_requires "Requires: fmt")
  set(pc_io_requires ", ${io_packages}")
  set(pc_io_libs " ${io_libs}")
endif()
foreach(library IN LISTS libraries)
  configure_file(cmake/${library}.pc.in "${generated}/${library}.pc" @ONLY)
  install(FILES "${generated}/${library}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT development)
endforeach()

if(WEFT_IO)
  install(TARGETS weft-cli DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
  install(DIRECTORY "${WEFT_PAGES}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
    COMPONENT program FILES_MATCHING PATTERN "*.1.gz")
  set(data "${CMAKE_INSTALL_DATADIR}")
  install(FILES "${WEFT_PAGES}/weft.bash" RENAME weft
    DESTINATION "${data}/bash-completion/completions" COMPONENT program)
  install(FILES "${WEFT_PAGES}/_weft"
    DESTINATION "${data}/zsh/vendor-completions" COMPONENT program)
  install(FILES "${WEFT_PAGES}/weft.fish"
    DESTINATION "${data}/fish/vendor_completions.d" COMPONENT program)
endif()
include(Packages)
