#include "weft/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <numeric>
#include <utility>

#include "program/color_names.hpp"
#include "program/decision_tree.hpp"
#include "program/listing.hpp"
#include "program/pe_impl.hpp"
#include "program/races.hpp"
#include "program/rectangles.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

/// A program that a program function has written for PEs with the same results.
struct PeKind {
  ProgramHandle program;
  std::string name;
  ProgramNames names;
  std::vector<AtStart> at_start;
  std::vector<std::string> symbols;
  std::shared_ptr<PeProgram> written;  ///< to be built with checks
};

constexpr int kNobody = -1;

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

std::uint64_t next_design_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

struct Design::Impl {
  Impl(int width, int height)
      : layout(width, height),
        colors("the design", "color", kColors),
        control_entries("the design", "control entry", kControlTasks),
        kind_at(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNobody) {}

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(layout.width()) +
           static_cast<std::size_t>(x);
  }
  int& kind(int x, int y) { return kind_at[index(x, y)]; }
  int kind_of(int x, int y) const { return kind_at[index(x, y)]; }

  /// Nobody has the color in these PEs, nor in all.
  bool is_free(int color, const Rect& where) const {
    const std::vector<Rect>& all = users[static_cast<std::size_t>(color)];
    if (all.empty()) return colors.is_free(color);
    return std::ranges::none_of(all, [&](const Rect& r) { return overlap(r, where); });
  }
  Color take(int color, const std::string& name, const Rect& where) {
    std::string owners = name;
    if (!colors.is_free(color)) {
      const std::string& before = colors.owner(color);
      const bool is_new = (", " + before + ", ").find(", " + name + ", ") == std::string::npos;
      owners = is_new ? before + ", " + name : before;
      colors.give_back(color);
    }
    colors.claim(color, owners);
    users[static_cast<std::size_t>(color)].push_back(where);
    return {color};
  }

  /// A color that f is the first to use: free again, if it throws.
  Color first_used(Color own, const auto& f) {
    try {
      f();
    } catch (...) {
      colors.give_back(own);
      throw;
    }
    return own;
  }

  /// A layout that checks routes, some of which lead to the host.
  Layout only_streams() const {
    Layout only(layout.width(), layout.height());
    for (const Layout::HostStream& s : layout.host_streams())
      if (!s.input) only.host_output(s.name, s.where, s.edge, s.color);
    return only;
  }

  /// With these programs in place of its own, by kind, if there are any.
  Layout whole(const std::vector<Program>& programs) const;
  /// All programs, with code that checks views. Throws Error(program) for a race.
  std::vector<Program> checked() const;

  std::map<int, std::string> color_names() const {
    std::map<int, std::string> names;
    for (int c = 0; c < kColors; ++c)
      if (!colors.is_free(c)) names[c] = colors.owner(c);
    return names;
  }

  std::uint64_t id = next_design_id();
  Layout layout;  ///< with programs, filters, and the routes that name their queue
  std::vector<Layout::Routing> to_cores;  ///< routes whose queue the program chooses
  Allotment colors, control_entries;
  std::array<std::vector<Rect>, kColors> users;  ///< of colors that are for rectangles
  std::vector<PeKind> kinds;
  std::vector<int> kind_at;  ///< by PE, row by row
};

Design::Design(int width, int height) : impl_(std::make_unique<Impl>(width, height)) {}
Design::~Design() = default;
Design::Design(Design&&) noexcept = default;
Design& Design::operator=(Design&&) noexcept = default;

int Design::width() const noexcept { return impl_->layout.width(); }
int Design::height() const noexcept { return impl_->layout.height(); }
std::uint64_t Design::id() const noexcept { return impl_->id; }
int Design::programs() const noexcept { return static_cast<int>(impl_->kinds.size()); }

Color Design::color(const std::string& name, std::optional<int> number) {
  if (number) {
    impl_->colors.claim(*number, name);
    return {*number};
  }
  std::vector<int> order(kColors);
  std::iota(order.begin(), order.end(), 0);
  return {impl_->colors.next(order, name)};
}

ColorPair Design::color_pair(const std::string& name) {
  std::vector<int> order;
  for (int c = 0; c < kColors; c += 2)
    if (impl_->colors.is_free(c) && impl_->colors.is_free(c + 1)) order.push_back(c);
  const Color even{impl_->colors.next(order, name)};
  return {even, color(name, even + 1)};
}

Color Design::color(const std::string& name, const Rect& where) {
  Layout(width(), height()).place(where, Program{});  // only checks
  for (int c = 0; c < kColors; ++c)
    if (impl_->is_free(c, where)) return impl_->take(c, name, where);
  return {impl_->colors.next({}, name)};  // throws
}

ColorPair Design::color_pair(const std::string& name, const Rect& where) {
  Layout(width(), height()).place(where, Program{});  // only checks
  for (int c = 0; c < kColors; c += 2)
    if (impl_->is_free(c, where) && impl_->is_free(c + 1, where))
      return {impl_->take(c, name, where), impl_->take(c + 1, name, where)};
  return {{impl_->colors.next({}, name)}, {}};  // throws
}

int Design::control_entry(const std::string& name, std::optional<int> number) {
  if (number) {
    if (*number == kNoEntry)
      throw Error(ErrorCategory::program,
                  fmt::format("invalid control entry of {}: {}", name, kNoEntry),
                  "it means that no task starts", "choose another one");
    impl_->control_entries.claim(*number, name);
    return *number;
  }
  std::vector<int> order;
  for (int entry = 0; entry < kControlTasks; ++entry)
    if (entry != kNoEntry) order.push_back(entry);
  return impl_->control_entries.next(order, name);
}

void Design::route(const Rect& where, Color color, const Route& route) {
  Route checked = route;
  bool to_core = route.tx.has(Port::ramp);
  for (const SwitchPosition& p : route.positions)
    to_core |= p.side == SwitchPosition::Side::tx && p.port == Port::ramp;
  if (!to_core || route.input_queue) return impl_->layout.route(where, color, route);
  checked.input_queue = 0;  // of a layout that only checks
  impl_->only_streams().route(where, color, checked);
  impl_->to_cores.push_back({where, color, route});
}

Color Design::host_input(const std::string& name, const Rect& where, Port edge) {
  const Color own = color(name);
  return impl_->first_used(own, [&] {
    host_input(name, where, edge, own);
    route(where, own, {.rx = edge, .tx = Port::ramp});
  });
}

Color Design::host_output(const std::string& name, const Rect& where, Port edge,
                          std::optional<std::size_t> limit) {
  const Color own = color(name);
  return impl_->first_used(own, [&] {
    host_output(name, where, edge, own, limit);
    route(where, own, {.rx = Port::ramp, .tx = edge});
  });
}

void Design::host_input(const std::string& name, const Rect& where, Port edge, Color color) {
  impl_->layout.host_input(name, where, edge, color);
}

void Design::host_output(const std::string& name, const Rect& where, Port edge, Color color,
                         std::optional<std::size_t> limit) {
  impl_->layout.host_output(name, where, edge, color, limit);
}

void Design::filter(const Rect& where, Color color, const Filter& filter) {
  impl_->layout.filter(where, color, filter);
}

void Design::program(const Rect& where, const std::string& name,
                     const std::function<void(PeProgram&)>& function) {
  Layout(width(), height()).place(where, Program{});  // only checks
  const auto each = [&](const auto& f) {
    for (int y = where.y; y < where.y + where.height; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) f(x, y);
  };
  const auto check_free = [&](int x, int y) {
    if (const int other = impl_->kind(x, y); other != kNobody)
      throw Error(
          ErrorCategory::layout, fmt::format("PE ({}, {}) has two programs", x, y),
          fmt::format("{} and {}", impl_->kinds[static_cast<std::size_t>(other)].name, name),
          "give programs to rectangles that do not overlap");
  };
  each(check_free);
  // First all programs, so that a function that throws changes nothing.
  std::vector<PeKind> kinds;
  DecisionTree tree;
  Questions questions{.pick = {},
                      .width = width(),
                      .height = height(),
                      .design = impl_->id,
                      .colors = &impl_->colors};
  const auto run = [&](const std::function<int(const DecisionTree::Question&)>& ask) {
    const std::size_t n = kinds.size();
    PeProgram program(n == 0 ? name : fmt::format("{} ({})", name, n + 1));
    questions.pick = ask;
    auto& impl = PeProgramAccess::impl(program);
    impl.questions = &questions;
    function(program);
    BuiltProgram built = impl.build(false);
    built.program.notes.local_tasks = built.names.local_tasks;
    impl.questions = nullptr;
    impl.forget_what_only_writing_needs();
    std::vector<AtStart> at_start = std::move(impl.at_start);
    std::vector<std::string> symbols;
    symbols.reserve(built.program.symbols.size());
    for (const auto& [symbol, span] : built.program.symbols) symbols.push_back(symbol);
    kinds.push_back({impl_->layout.add(std::move(built.program)), impl.name, std::move(built.names),
                     std::move(at_start), std::move(symbols),
                     std::make_shared<PeProgram>(std::move(program))});
    return static_cast<int>(n);
  };
  std::vector<int> kind_of;
  each([&](int x, int y) { kind_of.push_back(tree.kind_of(x, y, run)); });

  each(check_free);  // the function may have given PEs another one
  const auto before = static_cast<int>(impl_->kinds.size());
  std::ranges::move(kinds, std::back_inserter(impl_->kinds));
  auto kind = kind_of.begin();
  each([&](int x, int y) { impl_->kind(x, y) = before + *kind++; });
}

std::vector<std::pair<Rect, std::string>> Design::symbols() const {
  std::vector<std::pair<Rect, std::string>> all;
  for (const auto& [where, kind] :
       rectangles<int>(this->all(), [&](int x, int y) { return impl_->kind_of(x, y); }))
    if (kind != kNobody)
      for (const std::string& symbol : impl_->kinds[static_cast<std::size_t>(kind)].symbols)
        all.emplace_back(where, symbol);
  return all;
}

Layout Design::layout() const { return impl_->whole({}); }

Layout Design::Impl::whole(const std::vector<Program>& programs) const {
  Layout made = layout;
  std::vector<ProgramHandle> handles(kinds.size());
  std::ranges::transform(kinds, handles.begin(), &PeKind::program);
  for (std::size_t n = 0; n < programs.size(); ++n) handles[n] = made.add(programs[n]);
  for (const auto& [color, name] : color_names()) made.name_color(color, name);
  const Rect all{0, 0, layout.width(), layout.height()};
  const auto at_pe = [&](int x, int y) { return kind_of(x, y); };
  for (const auto& [where, kind] : rectangles<int>(all, at_pe))
    if (kind != kNobody) made.place(where, handles[static_cast<std::size_t>(kind)]);

  for (const Layout::Routing& routing : to_cores) {
    const auto queue_at = [&](int x, int y) {
      const int kind = kind_of(x, y);
      if (kind == kNobody) return kNobody;
      const PeKind& k = kinds[static_cast<std::size_t>(kind)];
      const auto at = k.names.queues.input.find(routing.color);
      return at == k.names.queues.input.end() ? kNobody : at->second;
    };
    for (const auto& [where, queue] : rectangles<int>(routing.where, queue_at)) {
      if (queue == kNobody)
        throw Error(
            ErrorCategory::layout,
            fmt::format("{} leads to the core of PE ({}, {}), and nobody takes it there",
                        color_text(routing.color, color_names()), where.x, where.y),
            "the program of that PE does not use the color as a source or starts a task by it",
            "receive it there, or end the route before that core, or name an input queue");
      Route route = routing.route;
      route.input_queue = queue;
      made.route(where, routing.color, route);
    }
  }
  return made;
}

std::vector<Program> Design::Impl::checked() const {
  std::vector<Program> programs;
  for (const PeKind& kind : kinds) {
    const auto& written = PeProgramAccess::impl(*kind.written);
    Program& program = programs.emplace_back(written.build(true).program);
    program.notes.local_tasks = kind.names.local_tasks;
    for (const ErrorText& race : races_of(written, program))
      throw Error(ErrorCategory::program, race);
  }
  return programs;
}

std::string Design::listing(int x, int y) const {
  ListedPe pe{.where = {x, y, 1, 1}};
  Layout only = impl_->layout;
  only.place(pe.where, Program{});  // only checks
  const auto covers = [&](const auto& at) { return overlap(at.where, pe.where); };
  std::ranges::copy_if(impl_->layout.routings(), std::back_inserter(pe.routes), covers);
  std::ranges::copy_if(impl_->to_cores, std::back_inserter(pe.routes), covers);
  std::ranges::copy_if(impl_->layout.filterings(), std::back_inserter(pe.filters), covers);
  pe.colors = impl_->color_names();
  if (const int kind = impl_->kind(x, y); kind != kNobody) {
    const PeKind& k = impl_->kinds[static_cast<std::size_t>(kind)];
    only.place(pe.where, k.program);
    pe.program = only.placements().back().program.get();
    pe.names = k.names;
  }
  return weft::listing(pe);
}

namespace {

/// Values as words of memory.
std::vector<std::uint32_t> words_of(const AtStart& start, const std::vector<PeValue>& values) {
  const ElementType type = start.symbol.type();
  if (static_cast<int>(values.size()) != start.symbol.size())
    throw Error(ErrorCategory::program,
                fmt::format("{} values are given for {}", values.size(), start.symbol.name()),
                fmt::format("it has {} elements", start.symbol.size()), "give as many");
  const bool halves = element_bytes(type) == 2;
  std::vector<std::uint32_t> words(halves ? (values.size() + 1) / 2 : values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (halves)
      words[i / 2] |= (values[i].bits(type) & 0xffffU) << (i % 2 * 16);
    else
      words[i] = values[i].bits(type);
  return words;
}

/// Those of a PE.
std::vector<std::uint32_t> words_at(const AtStart& start, int x, int y) {
  const std::vector<PeValue> values = start.values(x, y);
  try {
    return words_of(start, values);
  } catch (const Error& e) {
    throw Error(e.category(),
                fmt::format("invalid values of {} at PE ({}, {})", start.symbol.name(), x, y),
                e.reason().empty() ? e.problem() : fmt::format("{}: {}", e.problem(), e.reason()),
                e.remedy());
  }
}

}  // namespace

Fabric Design::fabric(const Machine& machine, const FabricOptions& options, bool check) const {
  Fabric fabric(check ? impl_->whole(impl_->checked()) : layout(), machine, options);
  const auto kind_at = [&](int x, int y) { return impl_->kind(x, y); };
  for (const auto& [where, number] : rectangles<int>(all(), kind_at)) {
    if (number == kNobody) continue;
    for (const AtStart& start : impl_->kinds[static_cast<std::size_t>(number)].at_start) {
      std::vector<std::uint32_t> words;
      for (int y = where.y; y < where.y + where.height; ++y)
        for (int x = where.x; x < where.x + where.width; ++x) {
          const std::vector<std::uint32_t> own = words_at(start, x, y);
          words.insert(words.end(), own.begin(), own.end());
        }
      fabric.write(where, start.symbol.address(), words);
    }
  }
  return fabric;
}

}  // namespace weft::inline v0
