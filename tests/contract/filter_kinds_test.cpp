// Filters of every kind, against what the machine's documentation says they do.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::filter_kinds_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr int kColor = 4, kEntry = 5;
constexpr Reg r1{1}, r2{2}, kNext{13};

/// A wavelet that passes a router: data, a control wavelet, or one that cores do not see.
struct Item {
  enum class Kind { data, control, hidden } kind = Kind::data;
  std::uint32_t word = 0;  ///< not 0; of control wavelets the low 16 bits
  bool is_data() const { return kind == Kind::data; }
};

Item data(std::uint32_t word) { return {Item::Kind::data, word}; }
Item control(std::uint32_t low) { return {Item::Kind::control, low}; }

std::uint32_t payload(const Item& item) {
  if (item.is_data()) return item.word;
  ControlWavelet wavelet;
  wavelet.slots[0].no_core = item.kind == Item::Kind::hidden;
  wavelet.entry = kEntry;
  return (wavelet.payload() & 0xffff0000U) | item.word;
}

/// How a core notes an item that it gets.
std::uint32_t note(const Item& item) {
  return item.is_data() ? item.word : item.word | 0x80000000U;
}

Program sender(const std::vector<Item>& items) {
  ProgramBuilder b("sender");
  b.start(b.local_task(0));
  for (int n = 0; n < 80; ++n) b.mov(r1, r1);  // the listener may set its filter first
  for (const Item& item : items) {
    b.li(r1, static_cast<std::int32_t>(payload(item)));
    b.dfabout(Dsr{0}, 0, kColor, !item.is_data());
    b.dlen(Dsr{0}, 1);
    b.vmov32r(Dsr{0}, r1);
  }
  b.end();
  return b.build();
}

/// Notes what its core gets, from address 0; `first` runs before.
Program listener(std::size_t room, const std::function<void(ProgramBuilder&)>& first) {
  ProgramBuilder b("listener");
  b.reserve("heard", static_cast<std::uint32_t>(4 * room));
  const auto store = [&](Reg word) {
    b.sw(word, kNext);
    b.addi(kNext, kNext, 4);
    b.end();
  };
  b.start(b.local_task(0));
  first(b);
  b.end();
  b.data_task(kColor);
  store(Reg{0});
  b.control_task(kEntry);
  b.li(r2, static_cast<std::int32_t>(0x80000000U));
  b.bor(r2, r2, Reg{0});
  store(r2);
  return b.build();
}

/// Rows of three PEs: the first sends, the second filters, the third gets all.
struct Row {
  Filter filter;
  std::vector<Item> items;
};

struct Heard {
  Words filtered, passed_on;
};

std::vector<Heard> run_rows(
    const std::vector<Row>& rows,
    const std::function<void(ProgramBuilder&)>& first = [](ProgramBuilder&) {}) {
  const int height = static_cast<int>(rows.size());
  std::size_t room = 1;
  for (const Row& row : rows) room = std::max(room, row.items.size() + 1);
  Layout layout(3, height);
  Route tap{Port::west, {Port::east, Port::ramp}}, sink{Port::west, Port::ramp};
  tap.input_queue = sink.input_queue = 0;
  layout.route({0, 0, 1, height}, kColor, {Port::ramp, Port::east});
  layout.route({1, 0, 1, height}, kColor, tap);
  layout.route({2, 0, 1, height}, kColor, sink);
  layout.place({1, 0, 1, height}, listener(room, first));
  layout.place({2, 0, 1, height}, listener(room, [](ProgramBuilder&) {}));
  for (int y = 0; y < height; ++y) {
    layout.place({0, y, 1, 1}, sender(rows[static_cast<std::size_t>(y)].items));
    layout.filter({1, y, 1, 1}, kColor, rows[static_cast<std::size_t>(y)].filter);
  }
  Fabric fabric(layout, test_machine(), test_options());
  fabric.run_until_idle(100000);
  const auto heard = [&](int x, int y) {
    Words words(room);
    fabric.read({x, y, 1, 1}, 0, words);
    words.erase(std::find(words.begin(), words.end(), 0U), words.end());
    return words;
  };
  std::vector<Heard> all;
  for (int y = 0; y < height; ++y) all.push_back({heard(1, y), heard(2, y)});
  return all;
}

/// The rules, as documented: one object per kind would say the same at more length.
class Rules {
 public:
  explicit Rules(const Filter& filter) : filter_(filter) {
    if (const auto* c = std::get_if<CounterFilter>(&filter_)) {
      counter_ = c->counter;
      limit_ = c->limit1;
    } else if (const auto* s = std::get_if<SparseCounterFilter>(&filter_)) {
      counter_ = s->counter;
      limit_ = s->limit1;
      has_next_ = s->limit2.has_value();
      next_limit_ = s->limit2.value_or(0);
    }
  }

  bool accept(const Item& item) {
    if (const auto* range = std::get_if<RangeFilter>(&filter_)) {
      const std::uint32_t index = item.word >> 16U;
      return !item.is_data() || (range->min_index <= index && index <= range->max_index);
    }
    if (const auto* sparse = std::get_if<SparseCounterFilter>(&filter_)) {
      if (off_ || !counts(*sparse, item)) return true;
      const bool inside = counter_ <= sparse->max_counter;
      if (counter_ != limit_) {
        ++counter_;
      } else if (has_next_) {
        limit_ = next_limit_;
        has_next_ = false;
        counter_ = 0;
      } else {
        off_ = true;
      }
      return inside;
    }
    const auto& plain = std::get<CounterFilter>(filter_);
    const bool inside = plain.filter_control
                            ? !item.is_data() && counter_ == plain.max_counter
                            : !counts(plain, item) || counter_ <= plain.max_counter;
    if (counts(plain, item)) counter_ = counter_ == limit_ ? 0 : counter_ + 1;
    return inside;
  }

 private:
  template <class Counting>
  static bool counts(const Counting& filter, const Item& item) {
    return item.is_data() ? filter.count_data : filter.count_control;
  }

  Filter filter_;
  std::uint32_t counter_ = 0, limit_ = 0, next_limit_ = 0;
  bool has_next_ = false, off_ = false;
};

/// Runs the rows, and compares what cores get with the rules.
void expect_rules(const std::vector<Row>& rows) {
  const std::vector<Heard> heard = run_rows(rows);
  for (std::size_t y = 0; y < rows.size(); ++y) {
    Rules rules(rows[y].filter);
    Words wanted, all;
    for (const Item& item : rows[y].items) {
      const bool accepted = rules.accept(item);
      if (item.kind == Item::Kind::hidden) continue;
      all.push_back(note(item));
      if (accepted) wanted.push_back(note(item));
    }
    EXPECT_EQ(heard[y].filtered, wanted) << "row " << y;
    EXPECT_EQ(heard[y].passed_on, all) << "row " << y << ": a filter must not touch what goes on";
  }
}

std::vector<Item> numbered(std::uint32_t count) {
  std::vector<Item> items;
  for (std::uint32_t n = 1; n <= count; ++n) items.push_back(data(n));
  return items;
}

std::vector<Item> mixed(std::mt19937& random, std::uint32_t count) {
  std::vector<Item> items;
  for (std::uint32_t n = 1; n <= count; ++n)
    items.push_back({static_cast<Item::Kind>(random() % 3), n});
  return items;
}

Words filtered(const Filter& filter, const std::vector<Item>& items) {
  return run_rows({{filter, items}}).front().filtered;
}

TEST(RangeFilter, BothEndsOfTheRangeAreIncluded) {
  std::vector<Item> items;
  for (std::uint32_t index = 1; index <= 7; ++index) items.push_back(data(index << 16U | 0xffffU));
  EXPECT_EQ(filtered(RangeFilter{3, 5}, items), (Words{0x3ffff, 0x4ffff, 0x5ffff}));
  EXPECT_EQ(filtered(RangeFilter{6, 6}, items), (Words{0x6ffff}));
  EXPECT_EQ(filtered(RangeFilter{0, 0xffff}, items).size(), 7U);
  EXPECT_EQ(filtered(RangeFilter{8, 0xffff}, items), Words{});
}

TEST(RangeFilter, ComparesUnsigned) {
  const std::vector<Item> items = {data(0x00010000), data(0x7fff0000), data(0x80000000),
                                   data(0xffff0000), data(0x0000ffff)};
  EXPECT_EQ(filtered(RangeFilter{0x8000, 0xffff}, items), (Words{0x80000000, 0xffff0000}));
  EXPECT_EQ(filtered(RangeFilter{0, 0x7fff}, items), (Words{0x00010000, 0x7fff0000, 0x0000ffff}));
}

TEST(RangeFilter, ControlWaveletsAlwaysPass) {
  const std::vector<Item> items = {control(7), data(0x00020001), control(8), data(0x00090002)};
  EXPECT_EQ(filtered(RangeFilter{9, 9}, items),
            (Words{note(items[0]), note(items[2]), 0x00090002}));
}

TEST(RangeFilter, RefusesInTheCounters) {
  Layout layout(2, 1);
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  layout.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  layout.route({1, 0, 1, 1}, kColor, sink);
  layout.filter({1, 0, 1, 1}, kColor, RangeFilter{1, 1});
  layout.place({0, 0, 1, 1}, sender({data(0x20000), data(0x10001), data(0x10001), data(0x20000)}));
  layout.place({1, 0, 1, 1}, listener(8, [](ProgramBuilder&) {}));
  Fabric fabric(layout, test_machine(), test_options());
  fabric.run_until_idle(10000);
  EXPECT_EQ(fabric.counters().filtered, 2U);
  EXPECT_EQ(fabric.counters().delivered, 2U);
}

TEST(SparseCounterFilter, TakesItsSecondLimitThenTurnsOff) {
  // Periods of four and of two words, of each the first is accepted; then everything.
  EXPECT_EQ(filtered(SparseCounterFilter{0, 3, 0, 1}, numbered(10)), (Words{1, 5, 7, 8, 9, 10}));
}

TEST(SparseCounterFilter, WithoutSecondLimitTurnsOffAtTheFirst) {
  EXPECT_EQ(filtered(SparseCounterFilter{0, 3, 0, {}}, numbered(7)), (Words{1, 5, 6, 7}));
  EXPECT_EQ(filtered(SparseCounterFilter{2, 3, 0, {}}, numbered(5)), (Words{3, 4, 5}));
}

TEST(SparseCounterFilter, AgreesWithTheRules) {
  std::mt19937 random(11);
  std::vector<Row> rows;
  for (int n = 0; n < 96; ++n) {
    SparseCounterFilter filter;
    filter.limit1 = static_cast<std::uint32_t>(random() % 6);
    filter.counter = static_cast<std::uint32_t>(random()) % (filter.limit1 + 1);
    filter.max_counter = static_cast<std::uint32_t>(random() % 5);
    if (random() % 3 != 0) filter.limit2 = static_cast<std::uint32_t>(random() % 6);
    filter.count_data = random() % 4 != 0;
    filter.count_control = random() % 2 != 0;
    rows.push_back({filter, mixed(random, 24)});
  }
  expect_rules(rows);
}

TEST(FilterControl, OnlyControlWaveletsAtTheMaximumPass) {
  CounterFilter filter{0, 3, 2};
  filter.filter_control = true;
  // The data counts: 0, 1 | 2, control is due | 3 | 0, 1, 2 due again.
  const std::vector<Item> items = {control(1), data(2), data(3), control(4), control(5), data(6),
                                   control(7), data(8), data(9), data(10),   control(11)};
  EXPECT_EQ(filtered(filter, items), (Words{note(items[3]), note(items[4]), note(items[10])}));
}

TEST(FilterControl, ControlWaveletsMayCountThemselves) {
  CounterFilter filter{0, 3, 2, false, true, true};
  std::vector<Item> items;
  for (std::uint32_t n = 1; n <= 12; ++n) items.push_back(control(n));
  EXPECT_EQ(filtered(filter, items), (Words{note(items[2]), note(items[6]), note(items[10])}));
}

TEST(CounterFilter, AgreesWithTheRules) {
  std::mt19937 random(12);
  std::vector<Row> rows;
  for (int n = 0; n < 96; ++n) {
    CounterFilter filter;
    filter.limit1 = static_cast<std::uint32_t>(random() % 6);
    filter.counter = static_cast<std::uint32_t>(random()) % (filter.limit1 + 1);
    filter.max_counter = static_cast<std::uint32_t>(random() % 7);
    filter.count_data = random() % 4 != 0;
    filter.count_control = random() % 2 != 0;
    filter.filter_control = random() % 2 != 0;
    rows.push_back({filter, mixed(random, 24)});
  }
  expect_rules(rows);
}

TEST(RangeFilter, AgreesWithTheRules) {
  std::mt19937 random(13);
  std::vector<Row> rows;
  for (int n = 0; n < 64; ++n) {
    const auto low = static_cast<std::uint16_t>(random() % 8);
    const auto high = static_cast<std::uint16_t>(low + random() % 4);
    std::vector<Item> items = mixed(random, 16);
    for (Item& item : items)
      if (item.is_data()) item.word |= static_cast<std::uint32_t>(random() % 12) << 16U;
    rows.push_back({RangeFilter{low, high}, items});
  }
  expect_rules(rows);
}

/// A PE with `count` filtered colors, each with an input queue of its own.
void build_with_filters(int count, const Machine& machine) {
  Layout layout(2, 1);
  for (int color = 0; color < count; ++color) {
    Route sink{Port::west, Port::ramp};
    sink.input_queue = color;
    layout.route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
    layout.route({1, 0, 1, 1}, color, sink);
    const Filter kinds[] = {CounterFilter{}, SparseCounterFilter{}, RangeFilter{}};
    layout.filter({1, 0, 1, 1}, color, kinds[color % 3]);
  }
  const Fabric fabric(layout, machine, test_options());
}

TEST(Filters, APeHasAsManyAsTheMachineSays) {
  Machine machine = test_machine();
  EXPECT_NO_THROW(build_with_filters(6, machine));
  expect_error(
      ErrorCategory::layout, [&] { build_with_filters(7, machine); }, "PE (1, 0)", "7 filters", "6",
      "filters_per_pe");
  machine.filters_per_pe = 0;
  EXPECT_NO_THROW(build_with_filters(0, machine));
  EXPECT_THROW(build_with_filters(1, machine), Error);
  machine.filters_per_pe = 8;
  EXPECT_NO_THROW(build_with_filters(8, machine));
}

TEST(Filters, ARangeFilterHasNoCounterToSet) {
  using Write = void (*)(ProgramBuilder&);
  for (const Write write : {Write{[](ProgramBuilder& b) { b.fcount(kColor, r1); }},
                            Write{[](ProgramBuilder& b) { b.flimit(kColor, r1); }},
                            Write{[](ProgramBuilder& b) { b.fmax(kColor, r1); }}}) {
    try {
      run_rows({{RangeFilter{1, 2}, {data(1)}}}, write);
      ADD_FAILURE() << "nothing was caught";
    } catch (const FaultError& error) {
      EXPECT_EQ(error.fault().kind, FaultKind::bad_filter) << error.what();
      EXPECT_EQ(error.fault().color, kColor) << error.what();
      EXPECT_EQ(error.fault().x, 1) << error.what();
      EXPECT_EQ(error.fault().cycle, 11U) << "the first instruction of the first task";
    }
  }
}

TEST(Filters, ASparseCounterCanBeSetAtRunTime) {
  const auto set = [](ProgramBuilder& b) {
    b.li(r1, 2);
    b.flimit(kColor, r1);
    b.li(r1, 1);
    b.fcount(kColor, r1);
  };
  const std::vector<Heard> heard = run_rows({{SparseCounterFilter{0, 9, 0, 1}, numbered(8)}}, set);
  // At 1 and 2 nothing; then a period of two; then off.
  EXPECT_EQ(heard.front().filtered, (Words{3, 5, 6, 7, 8}));
}

}  // namespace
}  // namespace weft::test::filter_kinds_test
