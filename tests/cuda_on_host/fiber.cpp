#include "cuda_on_host/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

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

Home::Home() : tsan_fiber(__tsan_get_current_fiber()) { announce_arrival(&start_token); }

// TSan's fibers that ran to their end, for the next ones: to make one costs as much as a short
// kernel. (Kernels run one after the other, so nothing is ordered by that which was not before.)
static std::mutex idle_fibers_mutex;
static std::vector<void*> idle_fibers;

static void* take_tsan_fiber() {
  const std::lock_guard lock(idle_fibers_mutex);
  if (idle_fibers.empty()) return __tsan_create_fiber(0);
  void* const fiber = idle_fibers.back();
  idle_fibers.pop_back();
  return fiber;
}
// One that did not run to its end has calls on TSan's stack that never return.
static void drop_tsan_fiber(void* fiber, bool has_left) {
  if (!has_left) return __tsan_destroy_fiber(fiber);
  const std::lock_guard lock(idle_fibers_mutex);
  idle_fibers.push_back(fiber);
}
#define WEFT_UNWATCHED_FUNCTION __attribute__((no_sanitize_thread))
#else
#define WEFT_UNWATCHED_FUNCTION
#define WEFT_TELL_TSAN(fiber) static_cast<void>(fiber)

void announce_arrival(char*) {}
void announce_leaving(char*) {}
Unwatched::Unwatched() {}
static void watch_again() {}
Home::Home() {}
static void* take_tsan_fiber() { return nullptr; }
static void drop_tsan_fiber(void*, bool) {}
#endif

Home::~Home() { announce_leaving(&end_token); }

Unwatched::~Unwatched() { watch_again(); }

Fiber::Fiber(Home& home, std::span<std::byte> stack, std::function<void()> body)
    : home_(home), stack_(stack), body_(std::move(body)), tsan_fiber_(take_tsan_fiber()) {
  stack_pointer_ = fresh_stack(stack, &Fiber::enter, this);
}

Fiber::~Fiber() {
  const bool has_left = state_ == State::left;
  if (state_ == State::suspended) {
    state_ = State::abandoned;
    resume();
  }
  drop_tsan_fiber(tsan_fiber_, has_left);
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

// It never returns, so that TSan may not count it as a call.
WEFT_UNWATCHED_FUNCTION void Fiber::enter(Fiber* fiber) {
  announce_leaving(&fiber->home_.start_token);
  switched(nullptr, &fiber->home_.stack_bottom, &fiber->home_.stack_bytes);
  fiber->body_();
  fiber->leave();
}

WEFT_UNWATCHED_FUNCTION void Fiber::leave() {
  state_ = State::left;
  announce_arrival(&home_.end_token);
  about_to_switch(nullptr, home_.stack_bottom, home_.stack_bytes);
  WEFT_TELL_TSAN(home_.tsan_fiber);
  weft_switch_stack(&stack_pointer_, home_.stack_pointer);
  __builtin_unreachable();
}

namespace {

// Stacks that no block uses now. To map new ones is dear under ThreadSanitizer, which marks all of
// their bytes.
std::mutex idle_mutex;
std::multimap<std::pair<std::size_t, std::size_t>, std::byte*> idle_stacks;

std::byte* take_idle(std::size_t count, std::size_t bytes) {
  const std::lock_guard lock(idle_mutex);
  const auto found = idle_stacks.find({count, bytes});
  return found == idle_stacks.end() ? nullptr : idle_stacks.extract(found).mapped();
}

std::byte* map_stacks(std::size_t count, std::size_t bytes) {
  void* memory = mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const stacks = static_cast<std::byte*>(memory);
  for (std::size_t i = 0; i < count; ++i) mprotect(stacks + i * bytes, kPage, PROT_NONE);
  return stacks;
}

}  // namespace

Stacks::Stacks(std::size_t count, std::size_t bytes)
    : count_(count), bytes_(bytes + kPage), memory_(take_idle(count_, bytes_)) {
  if (memory_ == nullptr) memory_ = map_stacks(count_, bytes_);
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(memory_, count_ * bytes_);  // abandoned stacks may have stood here
#endif
}

Stacks::~Stacks() {
  const std::lock_guard lock(idle_mutex);
  idle_stacks.emplace(std::pair{count_, bytes_}, memory_);
}

std::span<std::byte> Stacks::operator[](std::size_t i) const {
  return {memory_ + i * bytes_ + kPage, bytes_ - kPage};
}

}  // namespace weft::cuda_on_host
