// The instruction table and the disassembler.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "isa/elements.hpp"
#include "isa/info.hpp"
#include "weft/program.hpp"

namespace weft::test::program_text_test {
namespace {

TEST(InstructionTable, NamesAreUniqueAndRowsAreWhole) {
  std::set<std::string_view> names;
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands twice";
  }
}

TEST(InstructionTable, OnlyVectorsHaveVectorRates) {
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    EXPECT_EQ(isa::is_vector(row.format), row.name.starts_with("v")) << row.name;
    EXPECT_EQ(isa::is_vector(row.format), isa::info(row.cost).vector) << row.name;
  }
}

TEST(InstructionTable, WhatReadsItsDestinationIsSaidTo) {
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    if (row.cost == isa::Cost::branch) continue;  // these compare it
    const auto result = [&](isa::Word d) {
      return isa::element(static_cast<Op>(op), d, 0x3c003c00, 0x40004000);
    };
    EXPECT_EQ(result(0) != result(0x41004100), row.accumulates) << row.name;
    EXPECT_EQ(isa::accumulates(static_cast<Op>(op)), row.accumulates) << row.name;
  }
}

TEST(InstructionTable, WhatOthersSeeDoesNotRunAhead) {
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    const isa::Group group = isa::info(row.format).group;
    const bool seen = group == isa::Group::tasks || group == isa::Group::router;
    EXPECT_EQ(isa::runs_ahead(static_cast<Op>(op)), !seen) << row.name;
  }
}

TEST(Disassembler, ShowsEveryKindOfOperand) {
  ProgramBuilder b("sample");
  b.reserve("pencil", 64);
  const Label again = b.label();
  b.start(b.local_task(2));
  b.li(Reg{1}, -7);
  b.place(again);
  b.add(Reg{2}, Reg{1}, Reg{3});
  b.lw(Reg{4}, Reg{5}, 12);
  b.blt(Reg{1}, Reg{2}, again);
  b.dbase(Dsr{0}, 64);
  b.dadd(Dsr{0}, Reg{1}, 4);
  b.dfabin(Dsr{1}, 3);
  b.dfabout(Dsr{2}, 4, 21, true);
  b.vmov32(Dsr{0}, Dsr{1}, {true, VectorOptions::AtEnd::activate, TaskKind::local, 9});
  b.vfmacsr(Dsr{3}, Dsr{0}, Reg{6});
  b.dshape(Dsr{0}, b.shape({{4, 16}, {8, -1}}));
  b.dfifo(Dsr{4}, b.fifo("line", 6, 2));
  b.fifolen(Reg{1}, FifoId{0});
  b.fcount(21, Reg{7});
  b.unblock({TaskKind::data, 5});
  b.end();
  b.data_task(5);
  b.end();
  EXPECT_EQ(disassemble(b.build()),
            "program sample, 212 bytes\n"
            "  line             bytes 64 to 76\n"
            "  pencil           bytes 0 to 64\n"
            "  shape 0          4 elements 16 apart, 8 elements -1 apart\n"
            "  FIFO 0           6 elements of 2 bytes from byte 64\n"
            "local task 2:\n"
            "    0  li       r1, -7\n"
            "    1  add      r2, r1, r3\n"
            "    2  lw       r4, [r5 + 12]\n"
            "    3  blt      r1, r2, 1\n"
            "    4  dbase    d0, 64\n"
            "    5  dadd     d0, r1 + 4\n"
            "    6  dfabin   d1, input queue 3\n"
            "    7  dfabout  d2, output queue 4, color 21, control\n"
            "    8  vmov32   d0, d1 async, then activate 9\n"
            "    9  vfmacsr  d3, d0, r6\n"
            "   10  dshape   d0, shape 0\n"
            "   11  dfifo    d4, FIFO 0\n"
            "   12  fifolen  r1, FIFO 0\n"
            "   13  fcount   color 21, r7\n"
            "   14  unblock  color 5\n"
            "   15  end\n"
            "data task 5:\n"
            "   16  end\n");
}

}  // namespace
}  // namespace weft::test::program_text_test
