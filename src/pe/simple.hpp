#pragma once

#include "pe/code.hpp"

/// Simple instructions, a row each: what they do, in the terms of Does and Factors.
namespace weft::pe {

struct Simple {
  Op op;
  std::uint32_t does;
  Factors factors;
};
inline constexpr std::uint32_t kWrites = static_cast<std::uint32_t>(Does::writes),
                               kLoads = kWrites | static_cast<std::uint32_t>(Does::accesses),
                               kStores = static_cast<std::uint32_t>(Does::accesses) |
                                         static_cast<std::uint32_t>(Does::stores),
                               kLess = static_cast<std::uint32_t>(Does::goes_less),
                               kEqual = static_cast<std::uint32_t>(Does::goes_equal),
                               kGreater = static_cast<std::uint32_t>(Does::goes_greater),
                               kSigned = static_cast<std::uint32_t>(Does::with_sign);
inline constexpr Simple kSimple[] = {
    {Op::li, kWrites, {0, 0, 1, 0}},
    {Op::mov, kWrites, {1, 0, 0, 0}},
    {Op::add, kWrites, {1, 0, 1, 0}},
    {Op::addi, kWrites, {1, 0, 1, 0}},
    {Op::sub, kWrites, {1, 0, -1, 0}},
    {Op::mul, kWrites, {0, 1, 0, 0}},
    {Op::muli, kWrites, {0, 1, 0, 0}},
    {Op::shli, kWrites, {0, 1, 0, 0}},  // its immediate is the power of two then
    {Op::band, kWrites, {0, 0, 0, 1}},
    {Op::bandi, kWrites, {0, 0, 0, 1}},
    {Op::bor, kWrites, {1, 0, 1, -1}},
    {Op::bori, kWrites, {1, 0, 1, -1}},
    {Op::bxor, kWrites, {1, 0, 1, -2}},
    {Op::bxori, kWrites, {1, 0, 1, -2}},
    {Op::lw, kLoads, {1, 0, 1, 0}},
    {Op::sw, kStores, {1, 0, 1, 0}},
    {Op::jump, kLess | kEqual | kGreater, {}},
    {Op::beq, kEqual, {}},
    {Op::bne, kLess | kGreater, {}},
    {Op::blt, kLess | kSigned, {}},
    {Op::bge, kEqual | kGreater | kSigned, {}},
    {Op::bltu, kLess, {}},
    {Op::bgeu, kEqual | kGreater, {}},
};

/// Its row in kSimple; -1: it is not simple.
constexpr int simple_row(Op op) {
  int row = 0;
  for (const Simple& simple : kSimple) {
    if (simple.op == op) return row;
    ++row;
  }
  return -1;
}

}  // namespace weft::pe
