#pragma once

#include "fft/wsfft/transpose.hpp"

/// The common part of the two forms of an exchange, and the parts of each.
namespace weft::wsfft {

/// One direction of an exchange.
struct Stream {
  int side;  ///< 0: plus, 1: minus
  int color;
  int queue;  ///< its input and its output queue
  Port from, to;
  int end_entry;                          ///< control task: a stream has ended
  int caught_task, turn_task, sent_task;  ///< local tasks

  Task data() const { return {TaskKind::data, static_cast<std::uint8_t>(color)}; }
};

Stream stream(Axis axis, bool plus);

/// Of an asynchronous instruction.
VectorOptions then_activate(int local_task);

// Registers, beside those of ExchangeCall, by side.
inline constexpr Reg kOwn[] = {{5}, {7}};      // what the form keeps
inline constexpr Reg kToCatch[] = {{6}, {8}};  // streams still to come
inline constexpr Reg kStart[] = {{10},
                                 {11}};  // the filter's first counter: r for each PE before it
inline constexpr Reg kLimit{12};         // the filter's first limit: r (p - 1)

// Descriptors.
inline constexpr Dsr kCatchTo[] = {{0}, {4}}, kCatchFrom[] = {{1}, {5}};

/// One form: how routers and cores hand streams on.
struct FormParts {
  PopMode pop;
  bool ring;
  /// Positions 1 and on of the switch of a PE that passes streams on, and of the last one.
  std::vector<SwitchPosition> (*passing)(const Stream& s);
  std::vector<SwitchPosition> (*last)(const Stream& s);
  /// The control wavelets that end a stream.
  std::vector<std::uint32_t> (*finish)(const Stream& s);
  /// Sets kOwn at the start of an exchange.
  void (*start)(ProgramBuilder& p, const Stream& s);
  /// Starts the microthread that takes the next message.
  void (*take)(ProgramBuilder& p, const Stream& s);
  /// The tasks from a message's arrival to this PE's turn, which goes on at `send`, or at `sent` if
  /// no PE is left to send to.
  void (*tasks)(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call,
                const Stream& s, Label send, Label sent);
  /// The core runs other tasks while the control wavelets that end its stream go out; caught_task
  /// is free then, and tells when they have.
  bool core_goes_on;
};

extern const FormParts kPublished, kPublishedInTurn, kInterlocked;

/// Where the next message goes.
void emit_next_place(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call,
                     const Stream& s);

}  // namespace weft::wsfft
