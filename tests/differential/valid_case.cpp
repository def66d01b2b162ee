#include "differential/valid_case.hpp"

#include <numeric>
#include <tuple>

#include "differential/random_case.hpp"
#include "differential/valid_weave.hpp"

namespace weft::test {
namespace {

Region region_of(const Rect& where, Dice& dice) {
  Region region{where, std::vector<int>(kColors), std::vector<int>(kInputQueues)};
  std::iota(region.colors.begin(), region.colors.end(), 0);
  std::iota(region.queues.begin(), region.queues.end(), 0);
  dice.shuffle(region.colors);
  dice.shuffle(region.queues);
  return region;
}

/// The second part's transfers beside those of the first one's first stage.
void put_beside(Part& part, const Part& other) {
  for (std::size_t pe = 0; pe < part.size(); ++pe) {
    if (other[pe].empty()) continue;
    if (part[pe].empty()) {
      part[pe] = other[pe];
      continue;
    }
    auto& transfers = part[pe][0].transfers;
    const auto& more = other[pe][0].transfers;
    transfers.insert(transfers.end(), more.begin(), more.end());
  }
}

void put_after(Part& part, const Part& other) {
  for (std::size_t pe = 0; pe < part.size(); ++pe)
    part[pe].insert(part[pe].end(), other[pe].begin(), other[pe].end());
}

bool only_takes(const std::vector<Stage>& stages) {
  if (stages.size() != 1 || stages[0].transfers.size() != 1) return false;
  const Transfer& one = stages[0].transfers[0];
  return one.kind == Transfer::Kind::take && !one.ended;
}

void add_strand(Weave& w, const Part& part) {
  const bool by_task = w.dice.chance(30), clocked = w.dice.chance(70), peeks = w.dice.chance(30);
  for (std::size_t pe = 0; pe < part.size(); ++pe) {
    if (part[pe].empty()) continue;
    w.work[pe].strands.push_back({w.rounds, part[pe], clocked, by_task && only_takes(part[pe])});
    for (Stage& stage : w.work[pe].strands.back().stages) stage.peeks = peeks;
  }
}

/// Cores wait for transfers where nothing else has to go on meanwhile.
void draw_waits(Weave& w, const Rect& r) {
  if (!w.dice.chance(40)) return;
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) {
      PeWork& work = w.work[w.pe(x, y)];
      work.waits = work.strands.size() == 1 && !work.strands[0].by_task;
    }
}

Port draw_way(Dice& dice, bool rows) {
  return rows ? dice.pick({Port::east, Port::west}) : dice.pick({Port::south, Port::north});
}

/// A pattern that fits in what is left of a region; an empty part: none was found.
Part draw_pattern(Weave& w, Region& region) {
  Dice& dice = w.dice;
  const Port way = draw_way(dice, dice.chance(50));
  switch (w.passes ? dice.pick({0, 0, 0, 3}) : dice.roll(0, 12)) {
    case 0:
    case 1:
      return region.fits(1, 1, 1) ? along_lines(w, region, way) : Part{};
    case 2:
      return region.fits(1, 1, 1) ? down_trees(w, region) : Part{};
    case 3:
      return region.fits(1, 1, 1) ? along_corners(w, region) : Part{};
    case 4: {
      std::vector<Port> ways{Port::west, Port::east, Port::south, Port::north};
      dice.shuffle(ways);
      ways.resize(static_cast<std::size_t>(dice.roll(1, 4)));
      const int n = static_cast<int>(ways.size());
      return region.fits(2 * n, n, n) ? between_neighbours(w, region, ways) : Part{};
    }
    case 5:
      return region.fits(4, 1, 1) ? around_rings(w, region, way) : Part{};
    case 6:
      return region.fits(2, 1, 1) ? through_cores(w, region, way) : Part{};
    case 7:
    case 8:
      return region.fits(1, 1, 1) ? in_turn(w, region, way) : Part{};
    case 9:
      return region.fits(1, 1, 1) ? to_themselves(w, region) : Part{};
    case 10:
    case 11:
      return region.fits(1, 1, 1) ? overheard(w, region, way) : Part{};
    default:
      return alone(w, region);
  }
}

/// Patterns side by side, some of them two that come one after the other.
void fill(Weave& w, const Rect& where) {
  Region region = region_of(where, w.dice);
  const bool large = where.width * where.height > 100;
  const int longest = std::max(where.width, where.height);
  w.rounds = w.dice.chance(40) ? 1 : w.dice.roll(1, std::clamp(80 / longest, 1, 12));
  const int most = (large ? 120 : 400) / w.rounds;
  w.words = w.dice.chance(15) ? most : std::min(most, 24);
  for (int n = w.passes ? 1 : w.dice.pick({1, 1, 2, 2, 3, 4}); n > 0; --n) {
    Part part = draw_pattern(w, region);
    if (part.empty()) continue;
    if (w.dice.chance(30))
      if (const Part next = draw_pattern(w, region); !next.empty()) put_after(part, next);
    add_strand(w, part);
  }
  draw_waits(w, where);
}

Rect whole(const Case& c) { return {0, 0, c.width, c.height}; }

/// Cuts the mesh into some rectangles.
std::vector<Rect> cut(const Case& c, Dice& dice) {
  std::vector<Rect> regions{whole(c)};
  for (int cuts = dice.pick({0, 0, 0, 1, 1, 2, 3}); cuts > 0; --cuts) {
    Rect& one =
        regions[static_cast<std::size_t>(dice.roll(0, static_cast<int>(regions.size()) - 1))];
    Rect other = one;
    if (dice.chance(50) ? one.width > 1 : one.height < 2 && one.width > 1) {
      const int at = dice.roll(1, one.width - 1);
      other.x += at;
      other.width -= at;
      one.width = at;
    } else if (one.height > 1) {
      const int at = dice.roll(1, one.height - 1);
      other.y += at;
      other.height -= at;
      one.height = at;
    } else {
      continue;
    }
    regions.push_back(other);
  }
  return regions;
}

/// Routes and filters in fewer rectangles: PEs side by side that have the same.
void merge_routes(Case& c) {
  std::ranges::sort(c.routes, [](const Layout::Routing& a, const Layout::Routing& b) {
    return std::tuple(a.color, a.where.y, a.where.x) < std::tuple(b.color, b.where.y, b.where.x);
  });
  std::vector<Layout::Routing> merged;
  for (const Layout::Routing& one : c.routes) {
    const bool extends = !merged.empty() && merged.back().color == one.color &&
                         merged.back().where.y == one.where.y &&
                         merged.back().where.x + merged.back().where.width == one.where.x &&
                         same(merged.back().route, one.route);
    if (extends)
      ++merged.back().where.width;
    else
      merged.push_back(one);
  }
  c.routes = std::move(merged);
}

/// One program for all PEs that do the same.
void write_programs(Weave& w) {
  Case& c = w.c;
  std::vector<std::pair<const PeWork*, Program>> known;
  std::uint32_t bytes = 1024;
  const PeWork* last = nullptr;
  for (int y = 0; y < c.height; ++y, last = nullptr)
    for (int x = 0; x < c.width; ++x) {
      const PeWork& work = w.work[w.pe(x, y)];
      if (last != nullptr && *last == work) {
        ++c.programs.back().first.width;
        continue;
      }
      last = nullptr;
      if (work.strands.empty() && work.hears.empty()) continue;
      last = &work;
      auto one = std::ranges::find_if(known, [&](const auto& k) { return *k.first == work; });
      if (one == known.end()) one = known.insert(known.end(), {&work, program_of(work)});
      bytes = std::max(bytes, one->second.memory_bytes);
      c.programs.emplace_back(Rect{x, y, 1, 1}, one->second);
    }
  c.machine.pe_memory_bytes = static_cast<int>(bytes);
}

void finish(Weave& w) {
  write_programs(w);
  merge_routes(w.c);
  w.c.limit = 8000;
}

/// Where to stop and compare on the way.
void draw_stops(Case& c, Dice& dice) {
  if (c.width * c.height <= 12 && dice.chance(30)) return;
  std::vector<std::uint64_t> stops;
  for (int n = dice.pick({0, 0, 1, 2, 3}); n > 0; --n)
    stops.push_back(static_cast<std::uint64_t>(dice.roll(1, 400)));
  std::ranges::sort(stops);
  c.stops = stops;
  c.threads = dice.roll(1, 2);
  if (dice.chance(50)) c.block = dice.roll(1, 32);
}

void choose_valid_mesh(Case& c, Dice& dice) {
  const int kind = dice.roll(0, 99);
  if (kind < 4) {
    c.width = c.height = 1;
  } else if (kind < 70) {
    c.width = dice.roll(1, 8);
    c.height = dice.roll(1, 6);
  } else if (kind < 92) {
    c.width = dice.roll(12, 20);
    c.height = dice.roll(1, 10);
  } else {
    c.width = dice.roll(20, 40);
    c.height = dice.roll(1, 12);
  }
  if (dice.chance(25)) std::swap(c.width, c.height);
}

/// A mesh of several strips in a row, or below one another, through which streams pass.
void choose_long_mesh(Weave& w) {
  w.passes = true;
  w.c.machine.hop_cycles = w.dice.pick({1, 1, 1, 2});
  const bool wide = w.dice.chance(50);
  w.c.width = wide ? w.dice.roll(40, 70) : w.dice.roll(1, 20);
  w.c.height = wide ? w.dice.roll(1, 5) : w.dice.roll(14, 24);
}

/// Patterns along rows, or along columns; one or two of them at the same time. A ring passes PEs
/// that have done their part: where they go on to the other direction, lines would meet.
Part draw_straight(Weave& w, Region& region, bool rows, bool rings) {
  Dice& dice = w.dice;
  const Port way = draw_way(dice, rows);
  switch (dice.roll(0, rings ? 11 : 9)) {
    case 0:
    case 1:
      return along_lines(w, region, way);
    case 2:
    case 3: {
      Part part = along_lines(w, region, way, false);
      put_beside(part, along_lines(w, region, opposite(way), false));
      return part;
    }
    case 4:
    case 5:
      return in_turn(w, region, way);
    case 6: {
      Part part = in_turn(w, region, way);
      put_after(part, in_turn(w, region, opposite(way)));
      return part;
    }
    case 7:
      return through_cores(w, region, way);
    case 8:
      return between_neighbours(w, region, {way, opposite(way)});
    case 9:
    case 10:
      return overheard(w, region, way);
    default:
      return around_rings(w, region, way);
  }
}

void choose_valid_lines(Case& c, Dice& dice) {
  const int kind = dice.roll(0, 99);
  c.width = dice.roll(1, kind < 70 ? 8 : 24);
  c.height = dice.roll(1, kind < 70 ? 8 : 12);
  if (kind >= 95) c.width = dice.roll(60, 70);
  if (kind >= 95) c.height = dice.roll(1, 4);
  if (dice.chance(50)) std::swap(c.width, c.height);
}

Machine valid_machine(Machine machine) {
  machine.name = "valid";
  return machine;
}

/// A mesh whose lines will do the same, without any work yet.
Weave straight_weave(Case& c, Dice& dice, std::uint64_t seed) {
  c.memory_seed = seed | 1U;
  c.machine = valid_machine(random_machine_for_lines(dice));
  choose_valid_lines(c, dice);
  Weave w{c, dice, true};
  w.work.resize(static_cast<std::size_t>(c.width * c.height));
  return w;
}

void finish_straight(Weave& w, const Part& part) {
  add_strand(w, part);
  draw_waits(w, whole(w.c));
  finish(w);
  w.c.stops.emplace();
  w.c.threads = w.dice.roll(1, 2);
}

}  // namespace

Case valid_case(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x76616c6964U));
  Case c;
  c.memory_seed = seed | 1U;
  c.machine = valid_machine(random_machine(dice));
  Weave w{c, dice, false};
  if (dice.chance(15))
    choose_long_mesh(w);
  else
    choose_valid_mesh(c, dice);
  w.work.resize(static_cast<std::size_t>(c.width * c.height));
  const std::vector<Rect> regions = w.passes ? std::vector{whole(c)} : cut(c, dice);
  for (const Rect& where : regions) fill(w, where);
  finish(w);
  draw_stops(c, dice);
  return c;
}

Case valid_straight_case(std::uint64_t seed) {
  Dice dice(mixed(~seed ^ 0x76616c6964U));
  Case c;
  Weave w = straight_weave(c, dice, seed);
  const int longest = std::max(c.width, c.height);
  Region region = region_of(whole(c), dice);
  const int kind = dice.roll(0, 3);  // rows, columns, or both in turn
  // Rows that go on to their next round before others have done their columns meet these.
  const int most = kind > 1 && dice.chance(70) ? 1 : std::clamp(80 / longest, 1, 6);
  w.rounds = dice.chance(50) ? 1 : dice.roll(1, most);
  w.words = dice.chance(20) ? 300 / w.rounds : 24;
  Part part = draw_straight(w, region, kind != 0, kind < 2);
  if (kind > 1) put_after(part, draw_straight(w, region, false, false));
  finish_straight(w, part);
  return c;
}

Case valid_meeting_case(std::uint64_t seed) {
  Dice dice(mixed(~seed ^ 0x6d656574U));
  Case c;
  Weave w = straight_weave(c, dice, seed);
  Region region = region_of(whole(c), dice);
  w.rounds = dice.pick({1, 2, 2, 3});
  w.words = dice.pick({4, 24, 100 / w.rounds});
  const auto draw = [&](bool rows, int percent) {
    return dice.chance(percent) ? overheard(w, region, draw_way(dice, rows))
                                : draw_straight(w, region, rows, false);
  };
  Part part = draw(true, 70);
  put_after(part, draw(false, 50));
  // What comes along columns may change what is heard along rows.
  const int limit = dice.roll(0, 9), counter = dice.roll(0, limit);
  if (dice.chance(60))
    for (PeWork& work : w.work)
      if (work.hears.size() > 1)
        work.hears[1].writes = {{Op::flimit, work.hears[0].color, limit},
                                {Op::fcount, work.hears[0].color, counter}};
  finish_straight(w, part);
  return c;
}

}  // namespace weft::test
