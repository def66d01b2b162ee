#pragma once

#include <array>
#include <vector>

#include "differential/case.hpp"
#include "differential/dice.hpp"

/// Parts of random_case.
namespace weft::test {

/// Shared by the routes and programs of a case.
struct Plan {
  std::vector<int> colors;
  std::vector<int> input_queue, output_queue;  ///< of each of them
  std::array<std::size_t, 2> shared{};         ///< the colors of one input queue
  bool shares = false;                         ///< there are such
  int memory_bytes = 1024;
  bool filtered = false;  ///< every color has a filter wherever it is routed
  bool ranges = false;    ///< range filters, too: no filter is written then
  bool wild = false;      ///< operands may be anything: mostly faults
  bool straight = false;  ///< colors lead along rows or along columns; no swaps, no FIFOs, and no
                          ///< program changes a route
};

Machine random_machine(Dice& dice);
/// One whose links do not rest in a crowd: else lines are not stepped apart.
Machine random_machine_for_lines(Dice& dice);
/// Routes and filters of all colors.
void add_routes(Case& c, const Plan& plan, Dice& dice);
/// Host streams, to a case that has its routes and its stops.
void add_host(Case& c, const Plan& plan, Dice& dice);
Program random_program(const Plan& plan, Dice& dice);
std::uint32_t random_control(Dice& dice);
/// Of routes without swaps and teardown.
bool same(const Route& a, const Route& b);
/// The set of some bits, one per port; at least one.
PortSet port_set(unsigned bits);

}  // namespace weft::test
