#pragma once

#include <array>
#include <cstdint>

#include "weft/layout.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// The axis along which p PEs exchange their numbers: rows swap i and k, columns i and j.
enum class Axis { row, column };

/// Registers with which an exchange is entered.
struct ExchangeCall {
  Reg from{1};   ///< byte address of p complex numbers; number k goes to PE k
  Reg to{2};     ///< byte address of as much room; number k comes from PE k
  Reg zero{15};  ///< holds 0
};

/// What the emitted parts of one exchange share.
struct Exchange {
  Axis axis;
  int p;                       ///< PEs along the axis
  int words;                   ///< wavelets of a number: 1 or 2
  Task next;                   ///< local task that is activated when the PE has all and sent all
  std::array<Span, 2> finish;  ///< the two control wavelets that end a stream; plus, minus
};

/// Words around each pencil that a stream's first, unused wavelet may be read from.
inline constexpr std::uint32_t kPadBytes = 4;

/// Routes, switches and filters of the exchange over the whole p x p fabric.
void lay_out_exchange(Layout& layout, Axis axis, int p, int words);

/// Reserves the control wavelets under "finish ..." names.
std::array<Span, 2> reserve_finish(ProgramBuilder& p, Axis axis);

/// What the host writes there: two words.
std::array<std::uint32_t, 2> finish_wavelets(Axis axis, bool plus);

/// Starts the exchange at the end of a task; the task must end next.
void emit_exchange_start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);

/// The tasks that carry it on.
void emit_exchange_tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call);

}  // namespace weft::wsfft
