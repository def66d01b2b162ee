# Nifti::niftiio, the NIfTI-1 reader and writer. Debian's own NIFTIConfig.cmake also wants the
# NIfTI command line tools, which live in a package that nothing here needs.
find_path(Nifti_INCLUDE_DIR nifti1_io.h PATH_SUFFIXES nifti)
find_library(Nifti_LIBRARY niftiio)
find_library(Nifti_ZNZ_LIBRARY znz)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nifti
  REQUIRED_VARS Nifti_LIBRARY Nifti_ZNZ_LIBRARY Nifti_INCLUDE_DIR)
mark_as_advanced(Nifti_INCLUDE_DIR Nifti_LIBRARY Nifti_ZNZ_LIBRARY)

if(Nifti_FOUND AND NOT TARGET Nifti::niftiio)
  add_library(Nifti::niftiio UNKNOWN IMPORTED)
  set_target_properties(Nifti::niftiio PROPERTIES
    IMPORTED_LOCATION "${Nifti_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Nifti_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Nifti_ZNZ_LIBRARY}")
endif()
