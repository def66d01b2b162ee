#pragma once

#include <cstddef>
#include <cstdint>

#include "model/lanes/lanes.hpp"
#include "model/state/timing.hpp"

/// The routers of a strip. Fields stand in the order in which a hop reads them, so that it touches
/// few cache lines; the mark in brackets says of which kind each is. No mark: the machine has it.
///   [built]    follows from the layout, and changes only when a program writes routes or switches
///   [derived]  follows from other fields, and can be found anew from them at any time
///   [fast]     kept by an acceleration
namespace weft::model {

/// Wavelets of one color that wait at one input of a strip's routers; entry 0 is the head.
struct PortQueue {
  Mask valid[kMaxRouterDepth];
  Mask more_room;  ///< lanes of a FarQueue that can take one more [derived]
  std::uint64_t fresh_cycle;
  Mask fresh;  ///< lanes to which a link brought one in cycle fresh_cycle, where hops take two
  std::uint32_t far;  ///< one more than its place in View::far_queues; 0: it is not there [built]
  Mask control[kMaxRouterDepth];
  Vector payload[kMaxRouterDepth];
};

/// A wavelet that has come by a far link (Timing::is_far).
struct FarWavelet {
  std::uint64_t leaves;  ///< the first cycle in which it may
  std::uint32_t payload;
  bool control;
};

/// All that a PortQueue holds in the lanes to which far links lead, where these take longer than
/// others: the PortQueue has the first of these wavelets too.
struct FarQueue {
  Mask lanes;                   ///< such links lead to them [built]
  std::size_t ring;             ///< of the first lane, in View::far_wavelets [built]
  std::uint32_t first[kLanes];  ///< entry of its ring that is the head
  std::uint32_t held[kLanes];   ///< entries from there on
  std::uint32_t shown[kLanes];  ///< of these, in the PortQueue at the end of the last step 2
};

/// Filters of one color. Range filters keep their ends in limit1 and max_counter.
struct FilterState {
  Vector counter, limit1, max_counter, limit2;
  Mask count_data, count_control;
  Mask in_window;  ///< lanes with counter <= max_counter [derived]
  Mask range;      ///< lanes with a range filter [built]
  Mask
      filter_control;  ///< lanes that accept only control wavelets at counter = max_counter [built]
  Mask sparse;         ///< lanes whose filter turns off at its limit [built]
  Mask has_limit2;
};

/// How filters of one color have decided since launch, for the report of a deadlock. Not kept where
/// lanes are lines.
struct FilterTally {
  Vector let_in;   ///< data wavelets
  Vector control;  ///< control wavelets let in
  Vector refused;  ///< of both
};

/// Switches of one color: ports open at each position (bit per port), already composed.
struct SwitchState {
  std::uint8_t rx[kMaxPositions][kLanes], tx[kMaxPositions][kLanes];  ///< [built]
  std::uint8_t code[kMaxPositions][kLanes];  ///< as named: direction, and 8 for an input [built]
  std::uint8_t position[kLanes];
  std::uint8_t last[kLanes], initial[kLanes], pop[kLanes];  ///< [built]
  Mask ring;                                                ///< [built]
};

/// One color in one strip. A hop's fields come first; those that the strips beside it read are one
/// cache line.
struct alignas(64) ColorState {
  Mask rx[kPorts];             ///< lanes whose present position opens the input [derived]
  std::int32_t queue[kPorts];  ///< in View::port_queues; -1: no lane ever opens the port [built]
  std::uint8_t ports;          ///< bit per port that has a queue [built]
  std::uint8_t filled;  ///< bit per port: at the start of the cycle some lane has a wavelet there
                        ///< [derived]
  std::uint8_t exits;   ///< bit per link that some position of some lane opens, or once did [built]
  std::uint8_t inputs;  ///< bit per input queue that some lane's ramp output leads to [built]

  Mask tx[kPorts];  ///< lanes whose present position opens the output [derived]
  Mask torn_down;   ///< lanes in which the color is held
  std::int32_t
      beyond[kLinks];  ///< this color in the strip that the link leads to; -1: none [built]

  Mask sent[kLinks];  ///< lanes that put a wavelet on the link in the strip's left_cycle; stale
                      ///< unless StripState::sent has the color
  Mask room[kPorts];  ///< lanes whose queue can take one more, at the start of the cycle [derived]

  Mask opens[kPorts];           ///< lanes of which some position opens the input [built]
  Mask filtered;                ///< lanes with a filter [built]
  std::int32_t filter;          ///< in View::filters; -1: none [built]
  Mask to_queue[kInputQueues];  ///< lanes whose ramp output leads to the input queue [built]
  Mask routed;                  ///< lanes that have a route for the color [built]
  Mask shares;                  ///< lanes whose input queue serves another color too [built]
  Mask swap[kPorts];  ///< lanes where an arrival changes to the color that differs in bit 0 [built]
};
static_assert(offsetof(ColorState, sent) % 64 == 0);  // a line, with the links' room

/// The way of a strip's only busy color that comes by one side and leaves by the other: all that
/// fast/shortcuts.hpp has to know of its routers, in one place. Forgotten when one of them
/// changes.
struct Shortcut {
  std::uint32_t color_bit;  ///< as in StripState::busy; 0: none is known
  std::int32_t color;       ///< in View::colors
  std::int32_t queue;       ///< in View::port_queues
  std::int32_t downstream,
      upstream;     ///< the color in the strips that it goes to and comes from; -1: none
  Port link;        ///< by which it leaves
  bool keeps_room;  ///< the color has this queue only, of two wavelets or more: while they go on,
                    ///< `room` and `filled` stay as they are
  Mask plain;       ///< lanes in which it goes that way and no other
};

/// One strip's routers. A hop's fields come first.
struct StripState {
  std::uint32_t colors;        ///< colors that some lane routes [built]
  std::uint32_t swaps;         ///< colors that some lane swaps [built]
  std::uint32_t busy;          ///< of these, colors with a wavelet at an open input [derived]
  std::uint32_t left;          ///< colors of which something left in cycle left_cycle
  std::uint32_t sent[kLinks];  ///< of these, colors that left by the link
  std::uint64_t left_cycle;
  std::uint32_t outputs_held;  ///< bit per queue of its cores: some lane's queue may hold wavelets
                               ///< [derived]
  bool straight;               ///< all that left in cycle left_cycle did by `way` [fast]
  bool programmed;  ///< some lane has, or had, a program: else its cores never do anything [built]
  bool stuck;       ///< its wavelets stay where they are until something else happens [fast]
  std::uint64_t hops, delivered;

  Shortcut way;  ///< [fast]
  Mask link_control[kLinks];
  std::uint64_t wavelets, filtered;
  std::int32_t color_state[kColors];  ///< in View::colors and View::switches; -1: none [built]
  std::uint64_t room_grew;  ///< the last cycle in which wavelets left its routers, or a core wrote
                            ///< to one [fast]
  Vector link[kLinks];      ///< link registers: what left to the west, east, south and north
  Vector command;           ///< control wavelets that leave, as the router obeys them
};

}  // namespace weft::model
