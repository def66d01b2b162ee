// Parts that all forms of an exchange have in common, and the table of forms.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <ranges>
#include <string>

#include "fft/wsfft/transpose.hpp"
#include "fft/wsfft/transpose_form.hpp"
#include "weft/error.hpp"

namespace weft::wsfft {
namespace {

/// In the order of the enumeration.
constexpr const ExchangeCode* kForms[] = {&kTurns, &kTurns,  &kTurns,
                                          &kRing,  &kHalves, &kButterflies};

const ExchangeCode& code_of(Form form) { return *kForms[static_cast<std::size_t>(form)]; }

/// x / p is x factor >> shift, in 32 bits without a sign, for all x below `count`.
struct Division32 {
  std::uint32_t factor;
  int shift;
};

Division32 division_by(int p, int count) {
  for (int shift = 0; shift < 32; ++shift) {
    const std::uint64_t factor = (std::uint64_t{1} << shift) / static_cast<std::uint64_t>(p) + 1;
    const auto is_right = [&](int x) {
      const std::uint64_t product = static_cast<std::uint64_t>(x) * factor;
      return product >> 32 == 0 && static_cast<int>(product >> shift) == x / p;
    };
    if (std::ranges::all_of(std::views::iota(0, count), is_right))
      return {static_cast<std::uint32_t>(factor), shift};
  }
  throw Error(ErrorCategory::usage, fmt::format("no exchange among {} of {} PEs", p, count),
              "the division of their numbers exceeds 32 bits", "take a smaller mesh");
}

}  // namespace

Rect across(const Layout& layout, Axis axis, int line) {
  return axis == Axis::row ? Rect{line, 0, 1, layout.height()} : Rect{0, line, layout.width(), 1};
}

void emit_place(ProgramBuilder& p, const Exchange& exchange) {
  const bool rows = exchange.axis == Axis::row;
  if (rows)
    p.xcoord(kPlace);
  else
    p.ycoord(kPlace);
  if ((rows ? exchange.division.across : exchange.division.down) == 1) return;
  if (std::has_single_bit(static_cast<unsigned>(exchange.p()))) {
    p.li(kScratch, exchange.p() - 1);
    p.band(kPlace, kPlace, kScratch);
    return;
  }
  const auto [factor, shift] =
      division_by(exchange.p(), rows ? exchange.division.width() : exchange.division.height());
  p.muli(kScratch, kPlace, static_cast<std::int32_t>(factor));
  p.shri(kScratch, kScratch, shift);
  p.muli(kScratch, kScratch, exchange.p());
  p.sub(kPlace, kPlace, kScratch);
}

void emit_own_block(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const Blocks& blocks = exchange.blocks;
  const int bytes = 4 * exchange.words;
  p.muli(kScratch, kPlace, blocks.from_step * bytes);
  p.add(kScratch, kScratch, call.from);
  p.dbaser(kSendFrom[0], kScratch);
  p.dshape(kSendFrom[0], message_shape(p, exchange, blocks.from));
  p.muli(kScratch, kPlace, blocks.to_step * bytes);
  p.add(kScratch, kScratch, call.to);
  p.dbaser(kCatchTo[0], kScratch);
  p.dshape(kCatchTo[0], message_shape(p, exchange, blocks.to));
  p.vmov32(kCatchTo[0], kSendFrom[0]);
}

ShapeId message_shape(ProgramBuilder& p, const Exchange& exchange,
                      const std::array<int, 3>& strides) {
  const auto& extents = exchange.blocks.extents;
  const int words = exchange.words;
  return p.shape({dimension(extents[0], strides[0] * words),
                  dimension(extents[1], strides[1] * words),
                  dimension(extents[2], strides[2] * words), dimension(words, 1)});
}

void lay_out_exchange(Layout& layout, Form form, Axis axis, int p, int message) {
  if (p > 1) code_of(form).lay_out(layout, form, axis, p, message);
}

std::vector<std::uint32_t> finish_wavelets(Form form, Axis axis, bool plus) {
  return code_of(form).finish(form, axis, plus);
}

std::array<MemorySpan, 2> reserve_finish(ProgramBuilder& p, Form form, Axis axis) {
  const std::string name = axis == Axis::row ? "finish row " : "finish column ";
  const auto bytes = static_cast<std::uint32_t>(4 * finish_wavelets(form, axis, true).size());
  if (bytes == 0) return {};
  return {p.reserve(name + "plus", bytes), p.reserve(name + "minus", bytes)};
}

void emit_exchange_start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  if (exchange.p() > 1) return code_of(exchange.form).start(p, exchange, call);
  p.li(kPlace, 0);
  emit_own_block(p, exchange, call);
  p.activate(exchange.next);
}

void emit_exchange_tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  if (exchange.p() > 1) code_of(exchange.form).tasks(p, exchange, call);
}

}  // namespace weft::wsfft
