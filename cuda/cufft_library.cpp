#include "cuda/cufft_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace weft::cuda {
namespace {

template <typename Function>
void find(void* library, const char* name, Function& function, std::string& why_absent) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) why_absent = fmt::format("cuFFT has no function {}", name);
}

/// Where else to look than the loader does: toolkits and Python's packages are in many places.
std::vector<std::string> other_folders() {
  std::vector<std::string> folders;
  if (const char* named = std::getenv("WEFT_CUFFT_FOLDERS"); named != nullptr) {
    std::istringstream all(named);
    for (std::string folder; std::getline(all, folder, ':');)
      if (!folder.empty()) folders.push_back(folder);
  }
  folders.emplace_back(WEFT_CUFFT_FOLDER);  // of the toolkit that Weft was built with
  return folders;
}

CufftLibrary load() {
  // The major version that the headers are of; others may differ in types.
  const std::string file = fmt::format("libcufft.so.{}", CUFFT_VER_MAJOR);
  CufftLibrary cufft;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    cufft.why_absent = fmt::format("cannot load cuFFT: {}", ::dlerror());
    for (const std::string& folder : other_folders()) {
      library = ::dlopen((folder + "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
    }
  }
  if (library == nullptr) return cufft;
  cufft.why_absent.clear();
  find(library, "cufftCreate", cufft.create, cufft.why_absent);
  find(library, "cufftXtMakePlanMany", cufft.make_plan, cufft.why_absent);
  find(library, "cufftXtExec", cufft.execute, cufft.why_absent);
  find(library, "cufftDestroy", cufft.destroy, cufft.why_absent);
  return cufft;
}

}  // namespace

const CufftLibrary& cufft_library() {
  static const CufftLibrary cufft = load();
  return cufft;
}

}  // namespace weft::cuda
