# `cpack -G DEB` makes a Debian package of each component. It is built with prefix /usr.
if(NOT BUILD_SHARED_LIBS OR NOT WEFT_IO)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_VENDOR "The Weft authors")
set(WEFT_MAINTAINER "The Weft authors <weft@example.org>" CACHE STRING
  "Name and address of who makes the packages")
set(CPACK_PACKAGE_CONTACT "${WEFT_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "emulator of wafer-scale fabrics")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Folders and texts have the permissions that Debian wants, whatever the umask of who builds.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME weft)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libweft${WEFT_SOVERSION})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/package/triggers")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libweft-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libweft${WEFT_SOVERSION} (= ${PROJECT_VERSION}), libfmt-dev, libfftw3-dev, libpng-dev, libnifti2-dev, zlib1g-dev, libzip-dev, libisal-dev")
file(WRITE "${PROJECT_BINARY_DIR}/package/triggers" "activate-noawait ldconfig\n")

set(about "Weft emulates a wafer-scale fabric, a 2-D mesh of small processing elements,
 cycle by cycle on an ordinary CPU.")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "${about}
 This package has the command weft.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}
 This package has the shared libraries.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${about}
 This package has headers and libraries to build programs with.")

# The Python module is a component where its folder installs one.
if(TARGET weft-python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-weft)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "${about}
 This package has the module for Python 3.")
endif()

# Debian's policy asks every package for a copyright file and a compressed changelog.
set(documents "${PROJECT_BINARY_DIR}/package")
configure_file(cmake/debian/changelog.in "${documents}/changelog" @ONLY)
execute_process(COMMAND "${GZIP_PROGRAM}" --best --no-name --force --keep "${documents}/changelog"
  COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES cmake/debian/copyright "${documents}/changelog.gz"
    DESTINATION "share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}" COMPONENT ${component})
endforeach()
configure_file(cmake/debian/library-overrides.in "${documents}/library-overrides" @ONLY)
install(FILES "${documents}/library-overrides" RENAME libweft${WEFT_SOVERSION}
  DESTINATION share/lintian/overrides COMPONENT library)
include(CPack)
