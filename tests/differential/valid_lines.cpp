#include "differential/valid_weave.hpp"

/// Patterns along the lines of a region.
namespace weft::test {
namespace {

std::uint32_t end_of_stream(int color) {
  ControlWavelet end;
  end.entry = color;
  end.slots[0].no_core = false;
  return end.payload();
}

PortSet onward(Port to, bool goes_on, bool tapped) {
  if (!goes_on) return Port::ramp;
  return tapped ? PortSet{to, Port::ramp} : PortSet(to);
}

/// Lines that are cut into pieces: where each piece begins.
std::vector<int> cut(Weave& w, int length) {
  std::vector<int> begins{0};
  if (length > 3 && w.dice.chance(30))
    for (int n = w.dice.roll(1, 3); n > 0; --n) begins.push_back(w.dice.roll(1, length - 1));
  std::ranges::sort(begins);
  begins.erase(std::ranges::unique(begins).begin(), begins.end());
  begins.push_back(length);
  return begins;
}

/// A stream from the first PE of a piece of a line to its last.
struct Stream {
  int color, in, out;
  int words;
  Window window{};
  bool filtered = false, ended = false;  ///< a control wavelet ends it
};

Stream draw_stream(Weave& w, Region& region) {
  Stream s{region.color(), region.input(), region.output(), draw_stream_words(w)};
  s.filtered = w.dice.chance(w.straight ? 70 : 50);
  s.ended = w.dice.chance(25);
  if (!s.filtered) return s;
  s.window.period = w.dice.roll(1, std::min(40, s.words));
  s.window.window = w.dice.roll(1, std::min(w.dice.pick({4, 40}), s.window.period));
  s.words = s.words / s.window.period * s.window.period;
  return s;
}

/// The words that its last PE, or one on the way, takes of it in a round.
Stage tap(Weave& w, const Stream& s, int x, int y, bool filtered, const Pause& pause) {
  int words = s.words;
  if (filtered) {
    w.c.filters.push_back({{x, y, 1, 1}, s.color, draw_filter(w, s.window)});
    words = s.words / s.window.period * s.window.window;
  }
  Stage stage{pause, {draw_take(w, s.color, s.in, words)}};
  stage.transfers[0].ended = s.ended;
  return stage;
}

/// How the PE at a place of a piece treats the stream.
struct Tap {
  bool tapped, filtered;
};

}  // namespace

Part along_lines(Weave& w, Region& region, Port to, bool breaks) {
  const Frame frame{region.where, to};
  const Stream s = draw_stream(w, region);
  const std::vector<int> begins = cut(w, frame.length());
  const bool alike = w.straight || w.dice.chance(70);
  const int tapped = w.passes ? 0 : w.dice.pick({0, 0, 60, 100, 100}),
            filtered = w.dice.pick({80, 100});
  const Pause before_send = draw_pause(w), before_take = draw_pause(w);
  Transfer send = draw_send(w, s.color, s.out, s.words);
  if (s.ended) send.controls = {end_of_stream(s.color)};
  std::vector<Stage> sending{Stage{before_send, {send}}};
  // A control wavelet that starts nothing comes between: not where a filter may have let all that
  // is taken through before it.
  if (breaks && s.words > 1 && (s.ended || !s.filtered) && w.dice.chance(20)) {
    Transfer first = send;
    first.words = w.dice.roll(1, s.words - 1);
    first.controls = {end_of_stream(kNoEntry)};
    sending[0].transfers[0].words -= first.words;
    sending.insert(sending.begin(), Stage{draw_pause(w), {first}});
  }
  Part part = w.part();
  for (std::size_t piece = 0; piece + 1 < begins.size(); ++piece) {
    const int first = begins[piece], last = begins[piece + 1] - 1;
    if (first == last) continue;
    std::vector<Tap> taps;
    const auto draw_taps = [&] {
      taps.clear();
      for (int place = first; place <= last; ++place)
        taps.push_back(
            {place == last || w.dice.chance(tapped), s.filtered && w.dice.chance(filtered)});
    };
    draw_taps();
    for (int line = 0; line < frame.lines(); ++line) {
      if (!alike) draw_taps();
      for (int place = first; place <= last; ++place) {
        const auto [x, y] = frame.at(line, place);
        const Tap& one = taps[static_cast<std::size_t>(place - first)];
        if (place == first) {
          w.route(x, y, s.color, {.rx = Port::ramp, .tx = to});
          part[w.pe(x, y)] = sending;
          continue;
        }
        w.route(
            x, y, s.color,
            {.rx = opposite(to), .tx = onward(to, place < last, one.tapped), .input_queue = s.in});
        if (one.tapped) part[w.pe(x, y)] = {tap(w, s, x, y, one.filtered, before_take)};
      }
    }
  }
  return part;
}

Part through_cores(Weave& w, Region& region, Port to) {
  const Frame frame{region.where, to};
  const int colors[] = {region.color(), region.color()};
  const int in = region.input(), out = region.output();
  const int words = draw_words(w);
  const Pause pause = draw_pause(w);
  const Transfer send = draw_send(w, colors[0], out, words);
  Transfer take = draw_take(w, 0, in, words), relay = draw_take(w, 0, in, words);
  relay.kind = Transfer::Kind::relay;
  relay.out = out;
  if (relay.op == Op::vmov16) relay.op = Op::vmov32;
  Part part = w.part();
  for (int line = 0; line < frame.lines(); ++line)
    for (int place = 0; place < frame.length() && frame.length() > 1; ++place) {
      const auto [x, y] = frame.at(line, place);
      const bool first = place == 0, last = place + 1 == frame.length();
      const int comes = colors[(place + 1) % 2], goes = colors[place % 2];
      if (!first) w.route(x, y, comes, {.rx = opposite(to), .tx = Port::ramp, .input_queue = in});
      if (!last) w.route(x, y, goes, {.rx = Port::ramp, .tx = to});
      Transfer transfer = first ? send : last ? take : relay;
      transfer.color = last ? comes : goes;
      part[w.pe(x, y)] = {Stage{pause, {transfer}}};
    }
  return part;
}

// PE 0 sends first, then PE 1, ... Each stream runs to the end of the line, and is followed by two
// control wavelets. They take the next PE's switch from {before -> after, ramp} over
// {before -> after} to {ramp -> after}; the first one starts the core's turn, the second one takes
// the sender's switch back. Wavelets that come too early wait at a closed input. Filters count all
// streams alike, so nobody has to set them.
Part in_turn(Weave& w, Region& region, Port to) {
  const Frame frame{region.where, to};
  const int color = region.color(), in = region.input(), out = region.output();
  const int most = std::max(2, std::min(draw_words(w), 300 / frame.length()));
  Window window{1, w.dice.roll(1, most)};
  window.window = w.dice.roll(1, std::min(3, window.period));
  const int repeats = w.dice.roll(1, most / window.period);
  const Pause before_send = draw_pause(w), before_take = draw_pause(w);
  using Command = ControlWavelet::Command;
  ControlWavelet first, second;
  first.entry = color;
  first.slots[1] = {Command::advance, false};
  second.slots[0] = {Command::reset, true};
  second.slots[1] = {Command::advance, true};
  Transfer send = draw_send(w, color, out, window.period * repeats);
  send.controls = {first.payload(), second.payload()};
  Transfer take = draw_take(w, color, in, 1);
  take.ended = true;
  Part part = w.part();
  for (int line = 0; line < frame.lines(); ++line)
    for (int place = 0; place < frame.length() && frame.length() > 1; ++place) {
      const auto [x, y] = frame.at(line, place);
      const bool sends = place + 1 < frame.length();
      Route route{.rx = Port::ramp, .tx = to, .pop = PopMode::always_pop};
      if (place > 0) {
        route.rx = opposite(to);
        route.tx = onward(to, sends, true);
        route.input_queue = in;
        if (sends)
          route.positions = {SwitchPosition::send(to), SwitchPosition::receive(Port::ramp)};
        w.c.filters.push_back({{x, y, 1, 1}, color, draw_filter(w, window)});
        take.words = place * window.window * repeats;
        part[w.pe(x, y)].push_back({before_take, {take}});
      }
      w.route(x, y, color, route);
      if (sends) part[w.pe(x, y)].push_back({before_send, {send}});
    }
  return part;
}

// A data task takes all that a filter lets in, so that nobody waits for a number of words. In a
// part after another one, streams may pass PEs that have not come to it yet.
Part overheard(Weave& w, Region& region, Port to) {
  const Frame frame{region.where, to};
  const int color = region.color(), in = region.input(), out = region.output();
  const Transfer send = draw_send(w, color, out, draw_stream_words(w));
  const Pause before_send = draw_pause(w);
  const int hearing = w.dice.pick({20, 60, 100});
  const bool switched = w.dice.chance(30), held = w.dice.chance(20);
  const int most = w.dice.pick({4, 40});
  const auto draw_writes = [&] {
    std::vector<RouterWrite> writes;
    const int limit = w.dice.roll(0, most);
    writes.push_back({Op::flimit, color, limit});
    if (w.dice.chance(60)) writes.push_back({Op::fcount, color, w.dice.roll(0, limit)});
    if (w.dice.chance(40)) writes.push_back({Op::fmax, color, w.dice.roll(0, limit)});
    if (switched) writes.push_back({Op::setpos, color, w.dice.roll(0, 1)});
    if (held) writes.push_back({Op::texit, color});
    return writes;
  };
  struct Listener {
    bool hears = false, held = false;
    CounterFilter filter{};
    std::vector<Stage> stages{};
  };
  const auto draw_listeners = [&] {
    std::vector<Listener> all(static_cast<std::size_t>(frame.length()));
    for (Listener& one : all) {
      one.hears = w.dice.chance(hearing);
      one.held = held && w.dice.chance(20);
      const int period = w.dice.roll(1, most);
      one.filter = draw_filter(w, {w.dice.roll(1, period), period});
      for (int n = one.held ? 1 : w.dice.pick({0, 1, 1, 2, 3}); n > 0; --n)
        one.stages.push_back({.pause = draw_pause(w), .transfers = {}, .writes = draw_writes()});
    }
    return all;
  };
  std::vector<Listener> listeners = draw_listeners();
  const bool alike = w.straight || w.dice.chance(70);
  Part part = w.part();
  for (int line = 0; line < frame.lines() && frame.length() > 1; ++line) {
    if (!alike) listeners = draw_listeners();
    for (int place = 0; place < frame.length(); ++place) {
      const auto [x, y] = frame.at(line, place);
      if (place == 0) {
        w.route(x, y, color, {.rx = Port::ramp, .tx = to});
        part[w.pe(x, y)] = {Stage{before_send, {send}}};
        continue;
      }
      const bool last = place + 1 == frame.length();
      const Listener& one = listeners[static_cast<std::size_t>(place)];
      if (!last && !one.hears) {
        w.route(x, y, color, {.rx = opposite(to), .tx = to});
        continue;
      }
      Route route{.rx = opposite(to), .tx = onward(to, !last, true), .input_queue = in};
      route.positions = {SwitchPosition::send(last ? Port::ramp : to)};
      route.teardown = one.held;
      w.route(x, y, color, route);
      w.c.filters.push_back({{x, y, 1, 1}, color, one.filter});
      w.work[w.pe(x, y)].hears.push_back({color});
      part[w.pe(x, y)] = one.stages;
    }
  }
  return part;
}

// The way there passes every second PE, the way back the others.
Part around_rings(Weave& w, Region& region, Port to) {
  const Frame frame{region.where, to};
  const int there[] = {region.color(), region.color()}, back[] = {region.color(), region.color()};
  const int in = region.input(), out = region.output();
  const int length = frame.length(), words = draw_words(w);
  const bool token = w.dice.chance(30);  // sent on when it has come
  const Pause pause = draw_pause(w);
  const Transfer send = draw_send(w, 0, out, words), take = draw_take(w, 0, in, words);
  Part part = w.part();
  // From a place to the next one of the ring.
  const auto link = [&](int line, int from, int next, int color) {
    const Port way = next > from ? to : opposite(to);
    const auto [x, y] = frame.at(line, from);
    w.route(x, y, color, {.rx = Port::ramp, .tx = way});
    if (const int between = (from + next) / 2; std::abs(next - from) == 2) {
      const auto [bx, by] = frame.at(line, between);
      w.route(bx, by, color, {.rx = opposite(way), .tx = way});
    }
    const auto [nx, ny] = frame.at(line, next);
    w.route(nx, ny, color, {.rx = opposite(way), .tx = Port::ramp, .input_queue = in});
    Transfer sends = send, takes = take;
    sends.color = takes.color = color;
    std::vector<Stage>&stages = part[w.pe(x, y)], &after = part[w.pe(nx, ny)];
    if (token) {
      stages.push_back({pause, {sends}});
      if (next != 0) after.push_back({pause, {takes}});
      if (next == 0) after.push_back({{}, {takes}});
      return;
    }
    if (stages.empty()) stages.push_back({pause, {}});
    if (after.empty()) after.push_back({pause, {}});
    stages[0].transfers.push_back(sends);
    after[0].transfers.push_back(takes);
  };
  for (int line = 0; line < frame.lines() && length > 1; ++line) {
    int from = 0;
    for (; from + 2 < length; from += 2) link(line, from, from + 2, there[from / 2 % 2]);
    // Now at the last even place; to the last odd one, one PE on or back.
    const int turn = length % 2 == 0 ? from + 1 : from - 1;
    link(line, from, turn, turn > from ? there[from / 2 % 2] : back[(turn / 2 + 1) % 2]);
    for (from = turn; from > 1; from -= 2) link(line, from, from - 2, back[from / 2 % 2]);
    link(line, 1, 0, back[0]);
  }
  return part;
}

}  // namespace weft::test
