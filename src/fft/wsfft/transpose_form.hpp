#pragma once

#include "fft/wsfft/transpose.hpp"

/// The code of exchanges: parts that all have in common, and those of the forms in which PEs take
/// turns (transpose.cpp).
namespace weft::wsfft {

/// One kind of exchange, between p PEs, p > 1. The functions are those of transpose.hpp.
struct ExchangeCode {
  void (*lay_out)(Layout& layout, Form form, Axis axis, int p, int message);
  std::vector<std::uint32_t> (*finish)(Form form, Axis axis, bool plus);
  void (*start)(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);
  void (*tasks)(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);
};

extern const ExchangeCode kTurns, kRing, kHalves, kButterflies;

inline constexpr Reg kPlace{4};  ///< this PE's number along the axis
inline constexpr Reg kScratch{0};

/// Sets kPlace, among the PEs that exchange.
void emit_place(ProgramBuilder& p, const Exchange& exchange);

/// The message of this PE to itself stays.
void emit_own_block(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);

/// A dimension in words. It fits: fft::check_fits lets a PE have 65,535 words at most.
inline Dimension dimension(int extent, int stride) {
  return {static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)};
}

/// A message at its sender or its receiver, where its axes have these strides.
ShapeId message_shape(ProgramBuilder& p, const Exchange& exchange,
                      const std::array<int, 3>& strides);

/// The PEs of a line across the axis.
Rect across(const Layout& layout, Axis axis, int line);

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
inline constexpr Dsr kSendFrom[] = {{2}, {6}}, kSendTo[] = {{3}, {7}};

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
