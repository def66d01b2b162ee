#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace weft::cuda_on_host {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

/// For ThreadSanitizer: a thread that arrives passes on its writes, and one that leaves takes them
/// over.
void announce_arrival(char* token);
void announce_leaving(char* token);

/// While this lives, ThreadSanitizer does not look at this fiber's reads and writes: those of the
/// scheduler are not the kernel's.
class Unwatched {
 public:
  Unwatched();
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;
  ~Unwatched();
};

/// An OS thread's own stack, from which its fibers are resumed. They have seen all that it did
/// before; when it ends, that thread has seen all that they did.
struct Home {
  Home();
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  ~Home();

  void* stack_pointer = nullptr;
  void* tsan_fiber = nullptr;
  void* asan_fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
  char start_token = 0, end_token = 0;
};

/// A function on a stack of its own, which runs when resumed until it suspends itself.
class Fiber {
 public:
  Fiber(Home& home, std::span<std::byte> stack, std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  /// Both under an Unwatched. A call that is suspended when the fiber ends is never resumed.
  void resume();   ///< called at home
  void suspend();  ///< called by the fiber; back home

 private:
  enum class State { fresh, suspended, left, abandoned };

  static void enter(Fiber* fiber);
  [[noreturn]] void leave();

  Home& home_;
  std::span<std::byte> stack_;
  std::function<void()> body_;
  State state_ = State::fresh;
  void* stack_pointer_ = nullptr;
  void* tsan_fiber_ = nullptr;
  void* asan_fake_stack_ = nullptr;
};

/// Stacks, each with a page below it that nobody may touch.
class Stacks {
 public:
  Stacks(std::size_t count, std::size_t bytes);
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks();

  std::span<std::byte> operator[](std::size_t i) const;

 private:
  std::size_t count_, bytes_;
  std::byte* memory_;
};

}  // namespace weft::cuda_on_host
