#include <algorithm>

#include "differential/case.hpp"
#include "isa/info.hpp"
#include "weft/error.hpp"

/// Cuts a failing case down: each pass tries smaller cases and keeps those that still fail.
namespace weft::test {
namespace {

class Shrinker {
 public:
  Shrinker(Case c, const std::function<bool(const Case&)>& fails)
      : best_(std::move(c)), fails_(fails) {}

  Case run() {
    do {
      smaller_ = false;
      crop_mesh();
      drop_from([](Case & c) -> auto& { return c.programs; });
      drop_from([](Case & c) -> auto& { return c.routes; });
      drop_from([](Case & c) -> auto& { return c.filters; });
      for (std::size_t p = 0; p < best_.programs.size(); ++p) shrink_program(p);
      for (std::size_t r = 0; r < best_.routes.size(); ++r) shrink_route(r);
      shrink_rectangles(
          [](Case & c) -> auto& { return c.programs; },
          [](auto& one) -> Rect& { return one.first; });
      shrink_rectangles(
          [](Case & c) -> auto& { return c.routes; }, [](auto& one) -> Rect& { return one.where; });
      shrink_run();
      shrink_machine();
    } while (smaller_);
    return best_;
  }

 private:
  /// Keeps what `change` makes of the best case if it still fails.
  template <class F>
  bool attempt(F change) {
    Case next = best_;
    change(next);
    try {
      if (!fails_(next)) return false;
    } catch (const Error&) {
      return false;  // no longer a fabric
    }
    best_ = std::move(next);
    smaller_ = true;
    return true;
  }

  /// Drops items of a list, many at once while that works.
  template <class List>
  void drop_from(List list) {
    for (std::size_t chunk = std::max<std::size_t>(1, list(best_).size() / 2);; chunk /= 2) {
      for (std::size_t at = 0; at + chunk <= list(best_).size();) {
        const bool dropped = attempt([&](Case& c) {
          const auto first = list(c).begin() + static_cast<std::ptrdiff_t>(at);
          list(c).erase(first, first + static_cast<std::ptrdiff_t>(chunk));
        });
        if (!dropped) at += chunk;
      }
      if (chunk <= 1) return;
    }
  }

  /// The rectangle without what is off the mesh; false: nothing is left.
  static bool crop(Rect& r, int dx, int dy, int width, int height) {
    const int x1 = std::min(r.x + r.width + dx, width), y1 = std::min(r.y + r.height + dy, height);
    r.x = std::max(r.x + dx, 0);
    r.y = std::max(r.y + dy, 0);
    r.width = x1 - r.x;
    r.height = y1 - r.y;
    return r.width > 0 && r.height > 0;
  }

  /// Moves everything by (dx, dy) and cuts the mesh to a size.
  void try_mesh(int dx, int dy, int width, int height) {
    if (width < 1 || height < 1) return;
    attempt([&](Case& c) {
      c.width = width;
      c.height = height;
      const auto gone = [&](auto& r) { return !crop(r, dx, dy, width, height); };
      std::erase_if(c.programs, [&](auto& one) { return gone(one.first); });
      std::erase_if(c.routes, [&](auto& one) { return gone(one.where); });
      std::erase_if(c.filters, [&](auto& one) { return gone(one.where); });
    });
  }

  void crop_mesh() {
    for (int by : {16, 4, 1, 1}) {
      try_mesh(0, 0, best_.width - by, best_.height);
      try_mesh(-by, 0, best_.width - by, best_.height);
      try_mesh(0, 0, best_.width, best_.height - by);
      try_mesh(0, -by, best_.width, best_.height - by);
    }
  }

  template <class List, class Where>
  void shrink_rectangles(List list, Where where) {
    for (std::size_t n = 0; n < list(best_).size(); ++n) {
      const auto shave = [&](int x, int y, int width, int height) {
        const Rect r = where(list(best_)[n]);
        if (r.width + width < 1 || r.height + height < 1) return false;
        return attempt([&](Case& c) {
          where(list(c)[n]) = {r.x + x, r.y + y, r.width + width, r.height + height};
        });
      };
      while (shave(0, 0, -1, 0)) {
      }
      while (shave(1, 0, -1, 0)) {
      }
      while (shave(0, 0, 0, -1)) {
      }
      while (shave(0, 1, 0, -1)) {
      }
    }
  }

  /// Takes instructions out; what pointed behind them still does. The last one always stays.
  static void cut(Program& p, std::size_t at, std::size_t n) {
    const auto moved = [&](std::int32_t& target) {
      if (target >= static_cast<std::int32_t>(at + n))
        target -= static_cast<std::int32_t>(n);
      else if (target > static_cast<std::int32_t>(at))
        target = static_cast<std::int32_t>(at);
    };
    const auto first = p.code.begin() + static_cast<std::ptrdiff_t>(at);
    p.code.erase(first, first + static_cast<std::ptrdiff_t>(n));
    for (Instruction& i : p.code)
      if (isa::goes_to_target(i.op)) moved(i.imm);
    for (std::int32_t& entry : p.local_entry) moved(entry);
    for (std::int32_t& entry : p.data_entry) moved(entry);
    for (std::int32_t& entry : p.control_entry) moved(entry);
  }

  void shrink_program(std::size_t p) {
    const auto code = [&]() -> std::vector<Instruction>& { return best_.programs[p].second.code; };
    for (std::size_t chunk = std::max<std::size_t>(1, code().size() / 2);; chunk /= 2) {
      for (std::size_t at = 0; at + chunk < code().size();)
        if (!attempt([&](Case& c) { cut(c.programs[p].second, at, chunk); })) at += chunk;
      if (chunk <= 1) break;
    }
    for (std::size_t i = 0; i < code().size(); ++i) {
      if (isa::goes_to_target(code()[i].op) || code()[i].op == Op::dshape) continue;
      for (const std::int32_t imm : {0, 1, code()[i].imm / 2}) {
        const std::int32_t now = code()[i].imm;
        if (now == imm || (now >= 0 && now < imm)) continue;
        attempt([&](Case& c) { c.programs[p].second.code[i].imm = imm; });
      }
    }
    const auto clear = [&](auto member) {
      if (best_.programs[p].second.*member != 0)
        attempt([&](Case& c) { c.programs[p].second.*member = 0; });
    };
    clear(&Program::blocked_local);
    clear(&Program::unblocked_colors);
    clear(&Program::high_local);
    clear(&Program::high_data);
    clear(&Program::high_control);
    const auto unbind = [&](auto member) {
      for (std::size_t i = 0; i < (best_.programs[p].second.*member).size(); ++i)
        if ((best_.programs[p].second.*member)[i] != Program::kUnbound)
          attempt([&](Case& c) { (c.programs[p].second.*member)[i] = Program::kUnbound; });
    };
    unbind(&Program::data_entry);
    unbind(&Program::control_entry);
    for (std::size_t id = 0; id < kLocalTasks; ++id)
      if ((best_.programs[p].second.started_local >> id & 1U) != 0)
        attempt([&](Case& c) { c.programs[p].second.started_local &= ~(1U << id); });
    unbind(&Program::local_entry);
    shrink_shapes(p);
    shrink_fifos(p);
  }

  /// Takes number `gone` out of a list that instructions name; false: it is in use.
  template <class Field, class Member>
  static bool drop_number(Program& p, std::size_t gone, Member list, bool (*names)(Op),
                          Field field) {
    const auto number = static_cast<std::int32_t>(gone);
    for (const Instruction& i : p.code)
      if (names(i.op) && i.*field == number) return false;
    for (Instruction& i : p.code)
      if (names(i.op) && i.*field > number) --(i.*field);
    (p.*list).erase((p.*list).begin() + number);
    return true;
  }

  void shrink_shapes(std::size_t p) {
    const auto shapes = [p](Case & c) -> auto& { return c.programs[p].second.shapes; };
    const auto names = [](Op op) { return op == Op::dshape; };
    for (std::size_t n = shapes(best_).size(); n-- > 0;) {
      Case next = best_;
      if (drop_number(next.programs[p].second, n, &Program::shapes, names, &Instruction::imm) &&
          attempt([&](Case& c) { c = next; }))
        continue;
      for (std::size_t k = 0; k < kDimensions; ++k) {
        const Dimension one{1, 0}, two{2, 1}, now = shapes(best_)[n][k];
        if (now == one || attempt([&](Case& c) { shapes(c)[n][k] = one; }) || now == two) continue;
        if (now.extent >= 2) attempt([&](Case& c) { shapes(c)[n][k] = two; });
      }
    }
  }

  void shrink_fifos(std::size_t p) {
    const auto fifos = [p](Case & c) -> auto& { return c.programs[p].second.fifos; };
    const auto names = [](Op op) { return op == Op::dfifo || op == Op::fifolen; };
    for (std::size_t n = fifos(best_).size(); n-- > 0;) {
      Case next = best_;
      if (drop_number(next.programs[p].second, n, &Program::fifos, names, &Instruction::a) &&
          attempt([&](Case& c) { c = next; }))
        continue;
      const auto set = [&](auto member, auto value) {
        if (fifos(best_)[n].*member != value)
          attempt([&](Case& c) { fifos(c)[n].*member = value; });
      };
      set(&Fifo::push_task, -1);
      set(&Fifo::pop_task, -1);
      set(&Fifo::address, 0U);
      while (fifos(best_)[n].capacity > 1 && attempt([&](Case& c) { --fifos(c)[n].capacity; })) {
      }
    }
  }

  void shrink_route(std::size_t r) {
    const auto now = [&]() -> Route& { return best_.routes[r].route; };
    while (!now().positions.empty() &&
           attempt([&](Case& c) { c.routes[r].route.positions.pop_back(); })) {
    }
    if (now().ring) attempt([&](Case& c) { c.routes[r].route.ring = false; });
    if (now().initial != 0) attempt([&](Case& c) { c.routes[r].route.initial = 0; });
    if (now().pop != PopMode::no_pop)
      attempt([&](Case& c) { c.routes[r].route.pop = PopMode::no_pop; });
    for (const auto flag : {&Route::swap_north_south, &Route::swap_east_west, &Route::teardown})
      if (now().*flag) attempt([&](Case& c) { c.routes[r].route.*flag = false; });
    if (now().tx != PortSet(Port::ramp))
      attempt([&](Case& c) { c.routes[r].route.tx = Port::ramp; });
    for (int port = 0; port < kPorts; ++port) {
      const auto only = static_cast<Port>(port);
      if (now().rx != PortSet(only) && now().rx.has(only))
        attempt([&](Case& c) { c.routes[r].route.rx = only; });
      if (now().tx != PortSet(only) && now().tx.has(only))
        attempt([&](Case& c) { c.routes[r].route.tx = only; });
    }
  }

  void shrink_run() {
    for (std::size_t n = best_.sends.size(); n-- > 0;)
      while (best_.sends[n].each > 0 && attempt([&](Case& c) { --c.sends[n].each; })) {
      }
    if (best_.receives) attempt([](Case& c) { c.receives = false; });
    if (best_.block != 0) attempt([](Case& c) { c.block = 0; });
    if (best_.threads != 1) attempt([](Case& c) { c.threads = 1; });
    if (best_.stops) attempt([](Case& c) { c.stops.reset(); });
    if (best_.stops && !best_.stops->empty()) attempt([](Case& c) { c.stops->clear(); });
    while (best_.limit > 1 && attempt([](Case& c) { c.limit /= 2; })) {
    }
    while (best_.limit > 1 && attempt([](Case& c) { --c.limit; })) {
    }
    if (best_.memory_seed != 0) attempt([](Case& c) { c.memory_seed = 0; });
  }

  void shrink_machine() {
    const Machine usual;
    for (const MachineConstant& constant : machine_constants())
      if (best_.machine.*constant.member != usual.*constant.member)
        attempt([&](Case& c) { c.machine.*constant.member = usual.*constant.member; });
  }

  Case best_;
  const std::function<bool(const Case&)>& fails_;
  bool smaller_ = false;
};

}  // namespace

Case shrink(Case c, const std::function<bool(const Case&)>& fails) {
  return Shrinker(std::move(c), fails).run();
}

}  // namespace weft::test
