#include "cuda/pe/post.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

#include "engine/given_up.hpp"
#include "engine/process_ends.hpp"
#include "weft/error.hpp"

namespace weft::pe_kernel {
namespace {

using engine::BlockFacts;

/// Looks at the mail before the device is asked whether it still runs, which takes a microsecond.
constexpr int kLooks = 1000;

template <class T>
T load(const T* word) {
  return std::atomic_ref(*const_cast<T*>(word)).load(std::memory_order_acquire);
}
template <class T>
void store(T* word, T value) {
  std::atomic_ref(*word).store(value, std::memory_order_release);
}

struct LoadAll {
  template <class How, class T>
  void operator()(How /*how*/, T& copy, const T& mail) const {
    copy = load(&mail);
  }
};
struct StoreAll {
  template <class How, class T>
  void operator()(How /*how*/, T& mail, const T& value) const {
    store(&mail, value);
  }
};

}  // namespace

Post::Post(engine::Share& share, int width) : share_(share), width_(width) {
  const auto words = 2 * static_cast<std::size_t>(width);  // by parity
  records_.reserve(4);
  notes_.reserve(4);
  const auto letters = [&]() -> Letters {
    return {records_.emplace_back(words).data(), notes_.emplace_back(words).data()};
  };
  const auto add = [&](CutMail& mail, engine::Wire* wire) {
    if (wire == nullptr) return;
    mail.out = letters();
    mail.in = letters();
    routes_.push_back({&mail, wire});
  };
  routes_.reserve(2);
  add(mail_.north, share.north());
  add(mail_.south, share.south());
  mail_.mine = meetings_.data();
  mail_.all = meetings_.data() + 1;
  mail_.given_up = given_up_.data();
  start();
}

void Post::start() {
  for (auto& records : records_) std::ranges::fill(records.span(), 0U);
  for (auto& notes : notes_) std::ranges::fill(notes.span(), 0U);
  std::ranges::fill(meetings_.span(), Meeting{});
  *given_up_.data() = 0;
}

template <class Done>
void Post::wait(const Runs& runs, const Done& done) const {
  for (;;) {
    for (int look = 0; look < kLooks; ++look)
      if (done()) return;
    const bool ended = !runs();
    if (done()) return;
    if (ended)
      throw Error(ErrorCategory::emulator, "the kernel has ended before the run",
                  "the process still waits for what leaves its rows, or for facts of them",
                  "please report it");
    std::this_thread::yield();
  }
}

void Post::send(const Route& route, Stepped now, const Runs& runs) {
  const Letters& out = route.mail->out;
  words_.clear();
  for (int x = 0; x < width_; ++x) {
    const int at = Letters::at(width_, now.parity(), x);
    Record record{};
    wait(runs, [&] {
      record.word = load(out.records + at);
      return record.turn() == now.turn();
    });
    if (record.nothing()) continue;
    words_.push_back(static_cast<std::uint32_t>(x));
    engine::put_two(words_, record.word);
    if (record.note()) words_.push_back(load(out.notes + at));
  }
  route.wire->send(words_);
}

void Post::receive(const Route& route, Stepped now) {
  const Letters& in = route.mail->in;
  const auto tell = [&](int x, Record record) {
    store(in.records + Letters::at(width_, now.parity(), x), record.word);
  };
  int next = 0;
  const auto tell_nothing = [&](int end) {
    Record nothing{0};
    nothing.set_turn(now.turn());
    for (; next < end; ++next) tell(next, nothing);
  };
  for (engine::Words words(route.wire->receive()); words.any(); ++next) {
    tell_nothing(static_cast<int>(words.next()));
    const Record record{words.next_two()};
    if (record.note()) store(in.notes + Letters::at(width_, now.parity(), next), words.next());
    tell(next, record);
  }
  tell_nothing(width_);
}

BlockFacts Post::facts_of_device(std::uint64_t stepped, const Runs& runs) const {
  wait(runs, [&] { return load(&mail_.mine->stepped) == stepped; });
  BlockFacts facts;
  BlockFacts::each(facts, mail_.mine->facts, LoadAll{});
  return facts;
}

void Post::tell(const BlockFacts& all, bool last, std::uint64_t stepped) {
  BlockFacts::each(mail_.all->facts, all, StoreAll{});
  store(&mail_.all->last, last ? 1U : 0U);
  store(&mail_.all->stepped, stepped);
}

engine::BlockNews Post::meet(const engine::BlockNews& mine) {
  const engine::BlockNews all = share_.exchange(mine, {});
  announced_ = all.failed != 0;
  if (announced_) throw engine::GivenUp();
  return all;
}

std::exception_ptr Post::attend(engine::Clock clock, std::uint64_t stepped, int blocks,
                                engine::Ticker& ticker, const Runs& runs) {
  try {
    for (engine::Stop stop{};;) {
      const int cycles = clock.cycles(engine::kMostCycles);
      for (int k = 0; k < cycles; ++k) {
        const Stepped now{stepped + static_cast<std::uint64_t>(k)};
        for (const Route& route : routes_) send(route, now, runs);
        for (const Route& route : routes_) receive(route, now);
      }
      stepped += static_cast<std::uint64_t>(cycles);
      engine::BlockNews mine{.facts = facts_of_device(stepped, runs)};
      std::exception_ptr thrown;
      try {
        ticker.tick(clock.from);
      } catch (...) {
        thrown = std::current_exception();
        mine.stop = 1;
      }
      const engine::BlockNews all = meet(mine);
      if (all.stop != 0 && thrown == nullptr)
        thrown = std::make_exception_ptr(engine::stopped_by(share_.stopped_by()));
      const bool last = all.stop != 0 || --blocks == 0;
      tell(all.facts, last, stepped);
      if (!clock.advance(all.facts, cycles, stop) || last) return thrown;
    }
  } catch (...) {
    store(given_up_.data(), 1U);
    throw;
  }
}

void Post::end(const std::exception_ptr& thrown) {
  store(given_up_.data(), 1U);
  share_.end_given_up(thrown, announced_);
}

}  // namespace weft::pe_kernel
