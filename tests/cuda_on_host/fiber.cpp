#include "cuda_on_host/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

// Saves what a call must preserve, exchanges the stacks and returns on the other one.
// void weft_switch_stack(void** save_stack_pointer, void* stack_pointer)
asm(R"(
.pushsection .text
.type weft_switch_stack, @function
weft_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size weft_switch_stack, . - weft_switch_stack
.type weft_enter_stack, @function
weft_enter_stack:
  movq %r12, %rdi
  call *%r13
  ud2
.size weft_enter_stack, . - weft_enter_stack
.popsection
)");
extern "C" {
void weft_switch_stack(void** save_stack_pointer, void* stack_pointer);
void weft_enter_stack();  // of a fresh stack: calls r13 with r12
}

namespace weft::cuda_on_host {
namespace {

constexpr std::size_t kPage = 4096;

// A stack as weft_switch_stack leaves it; the entry finds the stack aligned as before a call.
void* fresh_stack(std::span<std::byte> stack, void (*entry)(Fiber*), Fiber* fiber) {
  enum { r15, r14, r13, r12, rbx, rbp, return_address, words = 9 };
  auto* top = reinterpret_cast<std::uintptr_t*>(stack.data() + stack.size()) - words;
  top[r13] = reinterpret_cast<std::uintptr_t>(entry);
  top[r12] = reinterpret_cast<std::uintptr_t>(fiber);
  top[rbp] = 0;
  top[return_address] = reinterpret_cast<std::uintptr_t>(&weft_enter_stack);
  return top;
}

// ASan keeps shadow of the stack in use, and must know of each change.
void about_to_switch([[maybe_unused]] void** save, [[maybe_unused]] const void* bottom,
                     [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(save, bottom, bytes);
#endif
}

void switched([[maybe_unused]] void* saved, [[maybe_unused]] const void** from_bottom,
              [[maybe_unused]] std::size_t* from_bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(saved, from_bottom, from_bytes);
#endif
}

}  // namespace

// TSan is told in the same function that switches: any call in between would be put on the wrong
// one of its shadow stacks.
#if defined(__SANITIZE_THREAD__)
#define WEFT_TELL_TSAN(fiber) __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync)

void announce_arrival(char* token) { __tsan_release(token); }
void announce_leaving(char* token) { __tsan_acquire(token); }

Unwatched::Unwatched() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
static void watch_again() {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

Home::Home() : tsan_fiber(__tsan_get_current_fiber()) {}
#else
#define WEFT_TELL_TSAN(fiber) static_cast<void>(fiber)

void announce_arrival(char*) {}
void announce_leaving(char*) {}
Unwatched::Unwatched() {}
static void watch_again() {}
Home::Home() {}
#endif

Home::~Home() { announce_leaving(&end_token); }

Unwatched::~Unwatched() { watch_again(); }

Fiber::Fiber(Home& home, std::span<std::byte> stack, std::function<void()> body)
    : home_(home), stack_(stack), body_(std::move(body)) {
  stack_pointer_ = fresh_stack(stack, &Fiber::enter, this);
#if defined(__SANITIZE_THREAD__)
  tsan_fiber_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
  if (state_ == State::suspended) {
    state_ = State::abandoned;
    resume();
  }
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(tsan_fiber_);
#endif
}

void Fiber::resume() {
  if (state_ == State::fresh) state_ = State::suspended;
  about_to_switch(&home_.asan_fake_stack, stack_.data(), stack_.size());
  WEFT_TELL_TSAN(tsan_fiber_);
  weft_switch_stack(&home_.stack_pointer, stack_pointer_);
  switched(home_.asan_fake_stack, nullptr, nullptr);
}

void Fiber::suspend() {
  about_to_switch(&asan_fake_stack_, home_.stack_bottom, home_.stack_bytes);
  WEFT_TELL_TSAN(home_.tsan_fiber);
  weft_switch_stack(&stack_pointer_, home_.stack_pointer);
  switched(asan_fake_stack_, &home_.stack_bottom, &home_.stack_bytes);
  if (state_ != State::abandoned) return;
  watch_again();  // ThreadSanitizer wants this of every fiber before it ends
  leave();
}

void Fiber::enter(Fiber* fiber) {
  switched(nullptr, &fiber->home_.stack_bottom, &fiber->home_.stack_bytes);
  fiber->body_();
  fiber->leave();
}

void Fiber::leave() {
  state_ = State::left;
  announce_arrival(&home_.end_token);
  about_to_switch(nullptr, home_.stack_bottom, home_.stack_bytes);
  WEFT_TELL_TSAN(home_.tsan_fiber);
  weft_switch_stack(&stack_pointer_, home_.stack_pointer);
  __builtin_unreachable();
}

Stacks::Stacks(std::size_t count, std::size_t bytes) : count_(count), bytes_(bytes + kPage) {
  void* memory = mmap(nullptr, count_ * bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < count_; ++i) mprotect(memory_ + i * bytes_, kPage, PROT_NONE);
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(memory_, count_ * bytes_);  // abandoned stacks may have stood here
#endif
}

Stacks::~Stacks() { munmap(memory_, count_ * bytes_); }

std::span<std::byte> Stacks::operator[](std::size_t i) const {
  return {memory_ + i * bytes_ + kPage, bytes_ - kPage};
}

}  // namespace weft::cuda_on_host
