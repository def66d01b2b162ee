#pragma once

#include <cufft.h>
#include <cufftXt.h>

#include <string>

namespace weft::cuda {

/// The functions of cuFFT that Weft calls, from the library that was found at run time: linked, its
/// hundreds of MB would have to be where `weft` starts.
struct CufftLibrary {
  decltype(&cufftCreate) create = nullptr;
  decltype(&cufftXtMakePlanMany) make_plan = nullptr;
  decltype(&cufftXtExec) execute = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  std::string why_absent;  ///< empty if all functions were found
};

/// Loads the library on the first call; it stays loaded.
const CufftLibrary& cufft_library();

}  // namespace weft::cuda
