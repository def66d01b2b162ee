#include "cuda_on_host/memory.hpp"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>

#include "cuda_on_host/device.hpp"

// The linker's names for the two ends of the section that __shared__ variables stand in; null in a
// program without any.
extern "C" {
extern char __start_weft_shared[] __attribute__((weak));
extern char __stop_weft_shared[] __attribute__((weak));
}

namespace weft::cuda_on_host {
namespace {

// The section is part of a module's thread-local image; each OS thread has a copy of the image.
int poison_copy_of_section(dl_phdr_info* module, std::size_t, void*) {
  const std::span headers(module->dlpi_phdr, module->dlpi_phnum);
  const auto tls = std::ranges::find(headers, static_cast<ElfW(Word)>(PT_TLS), &ElfW(Phdr)::p_type);
  if (tls == headers.end() || module->dlpi_tls_data == nullptr) return 0;
  const auto image = module->dlpi_addr + tls->p_vaddr;
  const auto first = reinterpret_cast<ElfW(Addr)>(__start_weft_shared);
  const auto last = reinterpret_cast<ElfW(Addr)>(__stop_weft_shared);
  if (first < image || last > image + tls->p_memsz) return 0;
  std::memset(static_cast<char*>(module->dlpi_tls_data) + (first - image), kPoison, last - first);
  return 0;
}

}  // namespace

void FreeMemory::operator()(std::byte* data) const { std::free(data); }

Memory poisoned_memory(std::size_t bytes, std::size_t alignment) {
  void* data = nullptr;
  if (posix_memalign(&data, alignment, bytes) != 0) return nullptr;
  std::memset(data, kPoison, bytes);
  return Memory(static_cast<std::byte*>(data));
}

void poison_shared_variables() {
  if (__start_weft_shared != nullptr) dl_iterate_phdr(poison_copy_of_section, nullptr);
}

}  // namespace weft::cuda_on_host
