#include "fft/traffic.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "fft/wsfft/division.hpp"
#include "fft/wsfft/halves.hpp"
#include "weft/patterns.hpp"

namespace weft::fft {
namespace {

using wsfft::Axis;
using wsfft::Form;

std::uint64_t sum(const std::vector<std::uint64_t>& of) {
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

std::uint64_t most(const std::vector<std::uint64_t>& of) {
  return of.empty() ? 0 : std::ranges::max(of);
}

/// Of streams that each run to the end of the line (wsfft/transpose.cpp). Order: along a direction.
void add_streams(LineTraffic& line, Form form, int p, int message, bool plus) {
  constexpr std::uint64_t kUnused = 1;
  const std::uint64_t ends = wsfft::finish_wavelets(form, Axis::row, plus).size();
  const auto place = [&](int order) {
    return static_cast<std::size_t>(plus ? order : p - 1 - order);
  };
  for (int sender = 0; sender < p - 1; ++sender) {
    const auto numbers =
        static_cast<std::uint64_t>(message) * static_cast<std::uint64_t>(p - 1 - sender);
    const std::uint64_t stream = kUnused + numbers + ends;
    line.out[place(sender)] += stream;
    for (int order = sender; order < p - 1; ++order) {
      const std::size_t link = plus ? place(order) : place(order) - 1;
      (plus ? line.plus : line.minus)[link] += stream;
      // Each core sees each interlocked end, the next one alone a published one.
      const bool sees_end = form == Form::interlocked || order == sender;
      line.in[place(order + 1)] += static_cast<std::uint64_t>(message) + (sees_end ? 1 : 0);
    }
  }
}

/// A stream that goes from a PE to another.
void add_way(LineTraffic& line, int from, int to, std::uint64_t wavelets) {
  line.out[static_cast<std::size_t>(from)] += wavelets;
  for (int pe = from; pe < to; ++pe) line.plus[static_cast<std::size_t>(pe)] += wavelets;
  for (int pe = to; pe < from; ++pe) line.minus[static_cast<std::size_t>(pe)] += wavelets;
}

void add_ring(LineTraffic& line, int p, Around way, std::uint64_t wavelets) {
  for (int place = 0; place < p; ++place) {
    const int to = RingShift::pe_at((place + (way == Around::onwards ? 1 : p - 1)) % p, p);
    add_way(line, RingShift::pe_at(place, p), to, wavelets);
    line.in[static_cast<std::size_t>(to)] += wavelets;
  }
}

/// Of messages that go on from place to place, the shorter way round (patterns/ring_code.cpp).
void add_ring(LineTraffic& line, int p, int message) {
  for (const Around way : {Around::onwards, Around::backwards}) {
    const auto places = static_cast<std::uint64_t>(way == Around::onwards ? p / 2 : (p - 1) / 2);
    add_ring(line, p, way, places * (places + 1) / 2 * static_cast<std::uint64_t>(message));
  }
}

LineTraffic none_of(int p) {
  const auto pes = static_cast<std::size_t>(p);
  LineTraffic line;
  line.plus.resize(pes - 1);
  line.minus.resize(pes - 1);
  line.in.resize(pes);
  line.out.resize(pes);
  return line;
}

/// Of the PEs of one half of a level to the other half (wsfft/halves.cpp); `beside` are the two PEs
/// at the middle.
void add_half(LineTraffic& line, const wsfft::Level& level, int sender_beside, int receiver_beside,
              int message) {
  const int step = receiver_beside - sender_beside;
  const auto wavelets = static_cast<std::uint64_t>(message);
  for (int s = 0; s < level.half; ++s) {
    const int sender = sender_beside - s * step;
    // A control wavelet ends each stream, or each message that goes to one receiver.
    if (level.filters)
      add_way(line, sender, receiver_beside + (level.half - 1) * step,
              static_cast<std::uint64_t>(level.half) * wavelets + 1);
    for (int r = 0; r < level.half; ++r) {
      const int receiver = receiver_beside + r * step;
      line.in[static_cast<std::size_t>(receiver)] += wavelets;
      if (!level.filters) add_way(line, sender, receiver, wavelets + (level.half > 1 ? 1 : 0));
    }
  }
}

void add_halves(LineTraffic& line, int p, int message) {
  for (int number = 0; number < wsfft::levels_of(p); ++number) {
    const wsfft::Level level = wsfft::level_of(Axis::row, p, number);
    for (int middle = level.half; middle < p; middle += 2 * level.half) {
      add_half(line, level, middle - 1, middle, message);
      add_half(line, level, middle, middle - 1, message);
    }
  }
}

/// Of all levels of butterflies, between mirror images (wsfft/butterflies.cpp).
void add_butterflies(LineTraffic& line, int p, int message) {
  for (int half = p / 2; half > 0; half /= 2)
    for (int place = 0; place < p; ++place) {
      const int partner = place ^ (2 * half - 1);
      const auto wavelets = static_cast<std::uint64_t>(message);
      add_way(line, place, partner, wavelets + (half > 1 ? 1 : 0));
      line.in[static_cast<std::size_t>(partner)] += wavelets;
    }
}

}  // namespace

LineTraffic line_traffic(Form form, int p, int message) {
  LineTraffic line = none_of(p);
  if (p == 1) return line;
  if (form == Form::ring)
    add_ring(line, p, message);
  else if (form == Form::halves)
    add_halves(line, p, message);
  else if (form == Form::butterflies)
    add_butterflies(line, p, message);
  else
    for (const bool plus : {true, false}) add_streams(line, form, p, message, plus);
  return line;
}

LineTraffic ring_traffic(int p, Around way, std::uint64_t wavelets) {
  LineTraffic line = none_of(p);
  if (p > 1) add_ring(line, p, way, wavelets);
  return line;
}

Traffic sum_of(const std::vector<StageTraffic>& stages) {
  Traffic all;
  std::uint64_t in = 0, out = 0;
  std::array<std::vector<std::uint64_t>, 4> links;  // of the busiest lines, by axis and direction
  for (const StageTraffic& stage : stages) {
    LineTraffic busiest;
    const auto raise = [](std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& by) {
      to.resize(by.size());
      for (std::size_t k = 0; k < by.size(); ++k) to[k] = std::max(to[k], by[k]);
    };
    for (const auto& [line, lines] : stage.lines) {
      for (const auto part :
           {&LineTraffic::plus, &LineTraffic::minus, &LineTraffic::in, &LineTraffic::out})
        raise(busiest.*part, line.*part);
      all.wavelets += lines * sum(line.out);
      all.hops += lines * (sum(line.plus) + sum(line.minus));
      all.delivered += lines * sum(line.in);
    }
    in += most(busiest.in);
    out += most(busiest.out);
    for (const bool plus : {true, false}) {
      const std::vector<std::uint64_t>& here = plus ? busiest.plus : busiest.minus;
      std::vector<std::uint64_t>& so_far =
          links[(stage.axis == Axis::row ? 0 : 2) + (plus ? 0 : 1)];
      so_far.resize(std::max(so_far.size(), here.size()));
      for (std::size_t k = 0; k < here.size(); ++k) so_far[k] += here[k];
    }
  }
  for (const std::vector<std::uint64_t>& of_a_direction : links)
    all.busiest_link = std::max(all.busiest_link, most(of_a_direction));
  all.busiest_ramp = std::max(in, out);
  return all;
}

Traffic traffic_of(const wsfft::Transform& t, int times) {
  const wsfft::Division& division = t.division;
  const auto order = wsfft::exchanges_of(division, t.direction);
  const auto arrangements = wsfft::arrangements_of(division, t.direction);
  std::vector<StageTraffic> stages;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Axis axis = order[k];
    const int p = division.along(axis);
    const int message =
        wsfft::blocks_of(division, arrangements[k], axis).numbers() * t.numbers.words();
    const std::uint64_t lines = static_cast<std::uint64_t>(division.width()) *
                                static_cast<std::uint64_t>(division.height()) /
                                static_cast<std::uint64_t>(p);
    stages.push_back({axis, {{line_traffic(t.form, p, message), lines}}});
  }
  Traffic all = sum_of(stages);
  for (const auto count : {&Traffic::busiest_link, &Traffic::busiest_ramp, &Traffic::wavelets,
                           &Traffic::hops, &Traffic::delivered})
    all.*count *= static_cast<std::uint64_t>(times);
  return all;
}

void note_traffic(RunReport& report, const Traffic& traffic) {
  if (!traffic.agrees(report.counters)) return;
  report.busiest_link = traffic.busiest_link;
  report.busiest_ramp = traffic.busiest_ramp;
}

double peak_share(double operations, const wsfft::Division& division, FftPrecision precision,
                  const Machine& machine, std::uint64_t cycles) {
  const int rate = precision == FftPrecision::fp16 ? machine.f16_rate : machine.f32_multiply_rate;
  // A multiply-add is two.
  return operations /
         (2.0 * rate * division.width() * division.height() * static_cast<double>(cycles));
}

}  // namespace weft::fft
