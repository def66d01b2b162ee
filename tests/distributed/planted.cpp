#include "distributed/planted.hpp"

#include <initializer_list>
#include <utility>

#include "fabric/access.hpp"
#include "isa/control.hpp"

namespace weft::test {
namespace {

constexpr int kWidth = 6, kHeight = 12, kAbove = 3, kBelow = 4;

Route to_core(PortSet from, int queue) {
  Route route{from, Port::ramp};
  route.input_queue = queue;
  return route;
}

/// Also to the core.
Route tap(Port from, PortSet to, int queue) {
  Route route{from, to | Port::ramp};
  route.input_queue = queue;
  return route;
}

/// A color from a core down its column, up to the row before `end`.
void send_down(Mesh& mesh, int color, int x, int begin, int end) {
  mesh.route({x, begin, 1, 1}, color, {Port::ramp, Port::south});
  if (end > begin + 1)
    mesh.route({x, begin + 1, 1, end - begin - 1}, color, {Port::north, Port::south});
}

/// Three colors want the link over the cut: from the north, from the west, from the core.
Mesh contested_link() {
  Mesh mesh(kWidth, kHeight);
  send_down(mesh, 0, 1, 0, kBelow + 1);
  mesh.route({1, kBelow + 1, 1, 1}, 0, to_core(Port::north, 0));
  mesh.route({0, kAbove, 1, 1}, 1, {Port::ramp, Port::east});
  mesh.route({1, kAbove, 1, 1}, 1, {Port::west, Port::south});
  mesh.route({1, kBelow, 1, 1}, 1, to_core(Port::north, 1));
  send_down(mesh, 2, 1, kAbove, 9);
  mesh.route({1, 9, 1, 1}, 2, to_core(Port::north, 2));
  mesh.pe(1, 0).send(0, 0, counting(30));
  mesh.pe(0, kAbove).send(0, 1, counting(30, 100));
  mesh.pe(1, kAbove).send(0, 2, counting(30, 200));
  mesh.pe(1, kBelow + 1).receive(0, 30);
  mesh.pe(1, kBelow).receive(1, 30);
  mesh.pe(1, 9).receive(2, 30);
  return mesh;
}

/// One wavelet to five cores, of which one takes it late: on both sides of the cut, and beyond the
/// next one.
Mesh multicast() {
  Mesh mesh(kWidth, kHeight);
  send_down(mesh, 3, 2, 0, kAbove);
  mesh.route({2, kAbove, 1, 1}, 3, tap(Port::north, {Port::south, Port::east}, 0));
  mesh.route({3, kAbove, 1, 1}, 3, to_core(Port::west, 0));
  mesh.route({2, kBelow, 1, 1}, 3, tap(Port::north, {Port::south, Port::west}, 0));
  mesh.route({1, kBelow, 1, 1}, 3, to_core(Port::east, 0));
  mesh.route({2, kBelow + 1, 1, 3}, 3, {Port::north, Port::south});
  mesh.route({2, 8, 1, 1}, 3, to_core(Port::north, 0));
  mesh.pe(2, 0).send(0, 3, counting(40));
  for (const auto& [x, y] : {std::pair{2, kAbove}, {3, kAbove}, {2, kBelow}, {2, 8}})
    mesh.pe(x, y).receive(0, 40);
  mesh.pe(1, kBelow).wait(200).receive(0, 40);
  return mesh;
}

/// A core that takes nothing for long: routers on both sides of the cut are full.
Mesh late_core() {
  Mesh mesh(kWidth, kHeight);
  send_down(mesh, 4, 5, kAbove, kBelow);
  mesh.route({5, kBelow, 1, 1}, 4, to_core(Port::north, 0));
  mesh.pe(5, kAbove).send(0, 4, counting(40));
  mesh.pe(5, kBelow).wait(300).receive(0, 40);
  return mesh;
}

/// Control wavelets over the cut move switches on its other side: down, and up.
Mesh switches() {
  ControlWavelet advance;
  advance.slots[0].command = ControlWavelet::Command::advance;
  Mesh mesh(kWidth, kHeight);
  const auto plant = [&](int x, int color, Port from, int begin, int step) {
    const Port to = opposite(from);
    const int at = begin + 2 * step;
    mesh.route({x, begin, 1, 1}, color, {Port::ramp, to});
    mesh.route({x, begin + step, 1, 1}, color, {from, to});
    Route turned = to_core(from, 0);
    turned.positions = {SwitchPosition::send(to)};
    mesh.route({x, at, 1, 1}, color, turned);
    mesh.route({x, at + step, 1, 1}, color, to_core(from, 0));
    mesh.pe(x, begin).send(0, color, counting(8)).send_control(0, color, {advance.payload()});
    mesh.pe(x, begin).send(0, color, counting(5, 50));
    mesh.pe(x, at).receive(0, 8);
    mesh.pe(x, at + step).receive(0, 5);
  };
  plant(0, 8, Port::north, kBelow - 2, 1);
  plant(3, 9, Port::south, kAbove + 2, -1);
  return mesh;
}

/// Filters on both sides of the cut take other wavelets of one stream.
Mesh filters() {
  Mesh mesh(kWidth, kHeight);
  send_down(mesh, 5, 0, 0, kAbove);
  mesh.route({0, kAbove, 1, 1}, 5, tap(Port::north, Port::south, 0));
  mesh.route({0, kBelow, 1, 1}, 5, tap(Port::north, Port::south, 0));
  mesh.route({0, kBelow + 1, 1, 1}, 5, to_core(Port::north, 0));
  mesh.filter({0, kAbove, 1, 1}, 5, {0, 3, 1});
  mesh.filter({0, kBelow, 1, 1}, 5, {2, 3, 1});
  mesh.pe(0, 0).send(0, 5, counting(32));
  mesh.pe(0, kAbove).receive(0, 16);
  mesh.pe(0, kBelow).receive(0, 16);
  mesh.pe(0, kBelow + 1).receive(0, 32);
  return mesh;
}

/// Two wavelets of a color meet in a router beside the cut, one of which has crossed it.
void plant_collision(Mesh& mesh, int x, int y, int color, Port over) {
  const int beyond = over == Port::north ? y - 1 : y + 1;
  mesh.route({x, beyond, 1, 1}, color, {Port::ramp, opposite(over)});
  mesh.route({x - 1, y, 1, 1}, color, {Port::ramp, Port::east});
  mesh.route({x, y, 1, 1}, color, to_core({over, Port::west}, 0));
  mesh.pe(x, beyond).send(0, color, counting(2));
  mesh.pe(x - 1, y).send(0, color, counting(2));
}

Mesh fault_below() {
  Mesh mesh(kWidth, kHeight);
  plant_collision(mesh, 2, kBelow, 6, Port::north);
  return mesh;
}

/// In the same cycle; the first by rows is that of the process above.
Mesh faults_on_both_sides() {
  Mesh mesh(kWidth, kHeight);
  plant_collision(mesh, 2, kBelow, 6, Port::north);
  plant_collision(mesh, 4, kAbove, 7, Port::south);
  return mesh;
}

}  // namespace

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }

const std::vector<Planted>& planted_at_cuts() {
  static const std::vector<Planted> all{
      {"contested link", contested_link, 390, 0},  // 30 words over 5, 2 and 6 links
      {"multicast", multicast, 400, 0},
      {"late core", late_core, 40, 0},
      {"switches", switches, 52, 0},
      {"filters", filters, 160, 32},
      {"fault below", fault_below, 2, 0, kBelow},
      {"faults on both sides", faults_on_both_sides, 4, 0, kAbove},
  };
  return all;
}

Compared compared_planted(const Planted& planted, FabricOptions options) {
  Compared compared{
      .width = kWidth, .height = kHeight, .memory_words = 256, .stops = {}, .make = {}};
  compared.make = [make = planted.make,
                   options = std::move(options)](std::shared_ptr<Processes> processes) {
    Mesh mesh = make();
    FabricOptions own = options;
    own.processes = std::move(processes);
    Fabric fabric(mesh.layout(), mesh.machine(), own);
    mesh.fill(fabric);
    return FabricAccess::take_stepper(std::move(fabric));
  };
  return compared;
}

}  // namespace weft::test
