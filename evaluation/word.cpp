#include "evaluation/word.hpp"

#include <array>
#include <memory>

#include "fabric/stepper/stepper.hpp"
#include "weft/program.hpp"

namespace weft::evaluation {
namespace {

constexpr int kColor = 0, kQueue = 0;
constexpr std::uint32_t kWord = 1;
constexpr Rect kSender{0, 0, 1, 1}, kReceiver{1, 0, 1, 1};

/// Moves one word from memory to the fabric, or back.
Program mover(bool sends) {
  ProgramBuilder p(sends ? "sender" : "receiver");
  const MemorySpan word = p.reserve<std::uint32_t>("word", 1);
  constexpr Dsr kMemory{0}, kFabric{1};
  p.start(p.local_task(0));
  p.dbase(kMemory, static_cast<std::int32_t>(word.address));
  p.dlen(kMemory, 1);
  p.dstride(kMemory, 1);
  if (sends) {
    p.dfabout(kFabric, kQueue, kColor);
    p.vmov32(kFabric, kMemory);
  } else {
    p.dfabin(kFabric, kQueue);
    p.dlen(kFabric, 1);
    p.vmov32(kMemory, kFabric);
  }
  p.end();
  return p.build();
}

}  // namespace

std::uint64_t cycles_of_word(const Machine& machine) {
  Layout layout(2, 1);
  const Program sender = mover(true);
  const std::size_t at = sender.symbols.at("word").address / 4;
  layout.place(kSender, sender);
  layout.place(kReceiver, mover(false));
  layout.route(kSender, kColor, {Port::ramp, Port::east});
  Route stop{Port::west, Port::ramp};
  stop.input_queue = kQueue;
  layout.route(kReceiver, kColor, stop);
  const std::unique_ptr<fabric::Stepper> stepper = fabric::make_stepper(layout, machine, {});
  stepper->write(kSender, at, std::array{kWord});
  std::array<std::uint32_t, 1> word{};
  std::uint64_t put = 0;
  engine::RunOptions options;
  options.pause = {};
  do {
    ++options.limit;
    stepper->run(options);
    // A queue of the ramp, which counters look at when a wavelet leaves it.
    if (put == 0 && !stepper->pe_state(0, 0).output[kQueue].wavelets.empty()) put = options.limit;
    stepper->read(kReceiver, at, word);
  } while (word[0] != kWord && stepper->anything_left());
  return options.limit - put;
}

}  // namespace weft::evaluation
