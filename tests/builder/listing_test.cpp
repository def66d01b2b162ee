#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "program/color_names.hpp"
#include "run.hpp"

/// Design::listing: a PE by the names that the user gave.
namespace weft::test::listing_test {
namespace {

/// PE (0, 0) sends to the east, PE (1, 0) receives, PE (2, 0) has no program.
Design named() {
  Design d(3, 1);
  const Color words = d.color("words", 5);
  d.route({0, 0, 1, 1}, words, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, words, {.rx = Port::west, .tx = {Port::ramp, Port::east}});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {2, 3}), h = pe.array<Half>("h", 1);
    const PeScalar left = pe.scalar<int>("left");
    pe.set(left, 3);
    pe.wait({pe.send(words, u.row(0))});
    pe.activate(pe.task("rest", [] {}));
    pe.copy(h, h);
  });
  d.program({1, 0, 1, 1}, "receiver",
            [&](PeProgram& pe) { pe.receive(pe.array<float>("v", 3), words); });
  return d;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Listing, NamesWhatAPeHas) {
  const std::string text = named().listing(0, 0);
  for (const char* part :
       {"PE (0, 0): program sender, ", "Memory\n  u                bytes 0 to 24, float, 2 x 3\n",
        "  h                bytes 24 to 26, Half, 1\n",
        "  color 5 (words): from ramp to east; output queue 3\n", "  register 1: left\n",
        "local task 0: the main task\n", "local task 1: a wait for 1 operation\n",
        "local task 2: rest\n", "li       r1, 3\n", "color 5 (words)\n"})
    EXPECT_TRUE(has(text, part)) << part << "\nis not in\n" << text;
  const std::string receiver = named().listing(1, 0);
  EXPECT_TRUE(has(receiver, "  color 5 (words): from west to east, ramp; input queue 0\n"))
      << receiver;
  EXPECT_EQ(named().listing(2, 0), "PE (2, 0): no program\n");
  expect_error(
      ErrorCategory::layout, [] { (void)named().listing(3, 0); }, "");
}

TEST(Listing, NamesTasksAndCodeInOrder) {
  Design d(1, 1);
  d.program(d.all(), "p", [](PeProgram& pe) {
    const PeFifo f = pe.fifo("f", 16, 2);
    const PeVector h = pe.array<Half>("h", 1);
    const Task later = pe.declare_task("later");
    const PeSubroutine twice = pe.subroutine("twice", [&] { pe.copy(f, h); });
    pe.call(twice);
    pe.pause();
    pe.task(later, [&] { pe.call(twice); });
  });
  const std::string text = d.listing(0, 0);
  std::size_t at = 0;
  for (const char* part :
       {"  f                bytes 0 to 32\n", "  register 1: returns of subroutines, level 0\n",
        "  FIFO 0           16 elements of 2 bytes from byte 0\n", "local task 0: the main task\n",
        "call     r1, ", "activate local 30\n", "local task 30: the code below a pause\n",
        "subroutine twice:\n", "vmov16", "ret      r1\n", "local task 1: later\n",
        "call     r1, "}) {
    const std::size_t next = text.find(part, at);
    EXPECT_NE(next, std::string::npos) << part << "\nis not in\n" << text.substr(at);
    if (next != std::string::npos) at = next;
  }
}

TEST(Listing, NamesColorsBehindTheirNumbers) {
  const std::map<int, std::string> names{{1, "one"}, {12, "twelve"}};
  EXPECT_EQ(color_text(1, names), "color 1 (one)");
  EXPECT_EQ(color_text(12, names), "color 12 (twelve)");
  EXPECT_EQ(color_text(2, names), "color 2");
}

TEST(Listing, NamesTheColorOfATask) {
  Design d(2, 1);
  const Color words = d.color("words", 5);
  d.route({0, 0, 1, 1}, words, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, words, {.rx = Port::west, .tx = Port::ramp});
  d.program({1, 0, 1, 1}, "taker", [&](PeProgram& pe) {
    const Task taken = pe.on_data<float>(words, [](PeScalar) {});
    pe.block(taken);
  });
  const std::string text = d.listing(1, 0);
  EXPECT_TRUE(has(text, "block    color 5 (words)\n")) << text;
}

}  // namespace
}  // namespace weft::test::listing_test
