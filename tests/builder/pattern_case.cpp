#include "pattern_case.hpp"

#include <gtest/gtest.h>

namespace weft::test {

std::vector<std::int32_t> cycles_of(Design& d, const Machine& machine,
                                    const std::function<void(PeProgram&)>& prepare,
                                    const std::function<void(PeProgram&)>& code) {
  d.program(d.all(), "timed", [&](PeProgram& pe) {
    const PeVector taken = pe.array<std::int32_t>("taken", 1);
    const PeScalar begin = pe.scalar<std::int32_t>("begin"), end = pe.scalar<std::int32_t>("end");
    prepare(pe);
    // All come to the same cycle, as a move takes its elements' number over its rate.
    const PeVector pad = pe.array<std::int32_t>("pad", 1);
    pe.dbase(Dsr{15}, static_cast<int>(pad.address()));
    pe.dbase(Dsr{14}, static_cast<int>(pad.address()));
    pe.tsc(begin);
    pe.mul(begin, begin, -machine.move32_rate);
    pe.dlenr(Dsr{14}, begin, 1000 * machine.move32_rate);
    pe.vmov32(Dsr{15}, Dsr{14});
    pe.tsc(begin);
    code(pe);
    pe.tsc(end);
    pe.sub(end, end, begin);
    pe.add(end, end, -machine.scalar_cycles);  // of the first reading
    pe.store(taken, end);
  });
  Fabric fabric = d.fabric(machine, test_options());
  fabric.run_until_idle(kFarLimit);
  return fabric.read<std::int32_t>(d.all(), "taken");
}

PeVector own_numbers(PeProgram& pe, const std::string& name, int n) {
  const PeVector v = pe.array<std::int32_t>(name, n);
  pe.at_start(v, [n](int x, int y) {
    std::vector<PeValue> values;
    for (int i = 0; i < n; ++i) values.emplace_back(own(x, y, i));
    return values;
  });
  return v;
}
void expect_elements(const Fabric& f, const Rect& where, const std::string& symbol, int n,
                     const std::function<int(int x, int y, int i)>& expected) {
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x) {
      const auto v = f.read<std::int32_t>({x, y, 1, 1}, symbol);
      for (int i = 0; i < n; ++i)
        EXPECT_EQ(v[static_cast<std::size_t>(i)], expected(x, y, i))
            << "PE (" << x << ", " << y << "), element " << i;
    }
}

}  // namespace weft::test
