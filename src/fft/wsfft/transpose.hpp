#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fft/wsfft/division.hpp"
#include "weft/layout.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// How PEs exchange their messages: in turns, where published.cpp and interlocked.cpp keep a stream
/// from a filter that is not ready for it, around a ring (ring.cpp), or by halves (halves.cpp); or
/// butterflies in their place (butterflies.cpp).
enum class Form {
  published,
  interlocked,
  published_in_turn,  ///< for a program that exchanges along an axis several times
  ring,
  halves,
  butterflies,
};

/// Registers with which an exchange is entered.
struct ExchangeCall {
  Reg from{1};   ///< byte address of the PE's numbers
  Reg to{2};     ///< byte address of as much room
  Reg zero{15};  ///< holds 0
};

/// Shared by the emitted parts of one exchange.
struct Exchange {
  Form form;
  Axis axis;
  const Division& division;
  Blocks blocks;
  int words;  ///< wavelets of a number: 1 or 2
  Task next;  ///< local task that is activated when the PE has all and sent all
  std::array<MemorySpan, 2> finish;  ///< the control wavelets that end a stream; plus, minus
  // Of butterflies.
  MemorySpan roots{};   ///< of unity, times the factor of a level
  bool scaled = false;  ///< that is not 1

  int p() const { return division.along(axis); }            ///< PEs that exchange
  int message() const { return blocks.numbers() * words; }  ///< wavelets
};

/// Words around the numbers that a stream's first, unused wavelet may be read from.
inline constexpr std::uint32_t kPadBytes = 4;

/// Routes, switches and filters of the exchange along the axis: each p PEs of a row or column of
/// the layout exchange messages of so many wavelets.
void lay_out_exchange(Layout& layout, Form form, Axis axis, int p, int message);

/// Reserves the control wavelets, of a form that has them, under "finish ..." names.
std::array<MemorySpan, 2> reserve_finish(ProgramBuilder& p, Form form, Axis axis);

/// The words that the host writes there.
std::vector<std::uint32_t> finish_wavelets(Form form, Axis axis, bool plus);

/// Starts the exchange at the end of a task; the task must end next. A program may do it once for
/// each axis, in Form::published; else several times.
void emit_exchange_start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);

/// The tasks that carry it on.
void emit_exchange_tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);

}  // namespace weft::wsfft
