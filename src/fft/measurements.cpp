#include "fft/measurements.hpp"

#include <cstddef>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/exchange_cycles.hpp"
#include "fft/own_forms.hpp"
#include "weft/fabric.hpp"

namespace weft::fft {
namespace {

double superstep_cycles(const wsfft::Transform& t, int superstep, const Machine& machine) {
  const wsfft::TransformProgram program = wsfft::build_superstep(t, superstep);
  const Rect pe{0, 0, 1, 1};
  Layout layout(1, 1);
  layout.place(pe, program.program);
  FabricOptions options;
  options.data = false;
  options.engine = Engine::host;  // another run may have the device
  Fabric fabric(layout, machine, options);
  fabric.run_until_idle(kCycleLimit);
  std::vector<std::uint32_t> stamps(wsfft::kStamps);
  fabric.read(pe, program.stamps.address, stamps);
  const auto end = 2 * static_cast<std::size_t>(superstep);
  return stamps[end] - (superstep > 0 ? stamps[end - 1] : 0);
}

}  // namespace

double Measurements::superstep(const wsfft::Division& d, FftDirection direction, FftPencil pencil,
                               int superstep) {
  const SuperstepKey key{
      pencil,  direction, superstep, d.sides,
      d.inner, d.px,      d.py,      {d.digits, d.real, d.in_place, d.back, d.least_roots}};
  if (const auto found = known_supersteps_.find(key); found != known_supersteps_.end())
    return found->second;
  const wsfft::Transform t{
      d,     {precision_}, direction, superstep_scales(d, norm_, direction), wsfft::Form::published,
      pencil};
  return known_supersteps_[key] = superstep_cycles(t, superstep, machine_);
}

double Measurements::supersteps(const wsfft::Division& division, FftDirection direction,
                                FftPencil pencil) {
  double sum = 0;
  const auto count = static_cast<int>(wsfft::arrangements_of(division, direction).size());
  for (int number = 0; number < count; ++number)
    sum += superstep(division, direction, pencil, number);
  return sum;
}

LineExchange Measurements::line_of(const wsfft::Division& division, FftDirection direction,
                                   int superstep) const {
  const auto number = static_cast<std::size_t>(superstep);
  const wsfft::Axis axis = wsfft::exchanges_of(division, direction)[number];
  const wsfft::Arrangement before = wsfft::arrangements_of(division, direction)[number];
  const bool row = axis == wsfft::Axis::row;
  const auto scales = superstep_scales(division, norm_, direction);
  return {axis,
          division.along(axis),
          wsfft::blocks_of(division, before, axis).numbers(),
          precision_,
          row ? division.across : division.down,
          division.in_place && scales[row ? 0 : 1] != 1};
}

double Measurements::exchange(const wsfft::Division& division, FftDirection direction,
                              FftTranspose form, int superstep) {
  const LineExchange line = line_of(division, direction, superstep);
  if (line.p == 1) {
    const auto number = static_cast<std::size_t>(superstep);
    return cycles_in_a_pe(division, wsfft::arrangements_of(division, direction)[number], line.axis,
                          precision_, machine_);
  }
  if (division.back && form == FftTranspose::automatic) form = FftTranspose::interlocked;
  const std::pair key{form, line};
  if (const auto found = known_lines_.find(key); found != known_lines_.end()) return found->second;
  const OwnForm* const own = own_form(form);
  return known_lines_[key] =
             own != nullptr ? own->cycles(line, machine_) : turns_cycles(form, line, machine_);
}

double Measurements::least(const wsfft::Division& division, FftDirection direction,
                           FftPencil pencil, FftTranspose form) {
  double sum = supersteps(division, direction, pencil);
  const OwnForm* const own = own_form(form);
  const auto count = static_cast<int>(wsfft::exchanges_of(division, direction).size());
  for (int number = 0; number < count; ++number) {
    const LineExchange line = line_of(division, direction, number);
    sum += own != nullptr ? own->streams(line.p, line.wavelets())
                          : turns_streams(line.p, line.wavelets());
  }
  return sum;
}

}  // namespace weft::fft
