#pragma once

#include <vector>

#include "differential/random_case.hpp"

/// Programs that send, receive, compute and start each other.
namespace weft::test {

inline constexpr int kFree = 12;            ///< registers 0 to 11 hold anything
inline constexpr std::uint8_t kPlace = 12;  ///< a coordinate, perhaps shifted
inline constexpr std::uint8_t kLink = 13, kCount = 14, kZero = 15;
inline constexpr int kFreeDsr = 6;    ///< descriptors 0 to 5 name anything
inline constexpr int kFifoDsr = 6;    ///< 6 and 7 name FIFOs
inline constexpr int kFabricDsr = 8;  ///< 8 names a queue beside a FIFO

/// Writes one program, piece by piece.
class Writer {
 public:
  Writer(const Plan& plan, Dice& dice) : plan_(plan), dice_(dice) {
    program_.name = "random";
    program_.data_entry.fill(Program::kUnbound);
    program_.local_entry.fill(Program::kUnbound);
    program_.control_entry.fill(Program::kUnbound);
  }

  Program write();

 private:
  void put(Op op, int d = 0, int a = 0, int b = 0, std::int32_t imm = 0) {
    program_.code.push_back({op, static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(a),
                             static_cast<std::uint8_t>(b), imm});
  }
  std::int32_t here() const { return static_cast<std::int32_t>(program_.code.size()); }

  int reg() { return dice_.roll(0, kFree - 1); }
  int source() { return dice_.chance(15) ? dice_.pick({kPlace, kZero}) : reg(); }
  int dsr() { return dice_.roll(0, (plan_.wild ? kDescriptors : kFreeDsr) - 1); }
  std::size_t flow() {
    return static_cast<std::size_t>(dice_.roll(0, static_cast<int>(plan_.colors.size()) - 1));
  }
  int local() {
    return dice_.chance(98) ? dice_.roll(0, locals_ - 1) : dice_.roll(0, kLocalTasks - 1);
  }
  int length() {
    const int kind = dice_.roll(0, 99);
    if (dice_.roll(0, 499) == 0) return dice_.pick({100, 0xffff, 0x10000, -1});
    return kind < 6 ? 0 : kind < 80 ? dice_.roll(1, 5) : dice_.roll(1, 16);
  }
  int address(int width) {
    if (plan_.wild && dice_.chance(20)) return dice_.roll(-8, plan_.memory_bytes + 40);
    return dice_.roll(0, (plan_.memory_bytes - 4) / width) * width;
  }

  // The declarations of a program, and its tasks: random_program.cpp.
  void declare_shapes();
  void declare_fifos();
  void bind_tasks();
  void task(int pieces);
  void piece();
  void scalar();
  void place();
  void tasks();
  void router();
  void branch();
  void loop();
  void call();

  // Vector instructions and what they work on: random_vectors.cpp.
  void memory_dsr(int d, int width);
  void set_length(int d);
  void descriptor();
  std::int32_t options(bool mostly_async = true);
  void output_dsr(int d);
  void send();
  void receive();
  void vector_in_memory();
  void take_turns();

  // With FIFOs: random_fifos.cpp.
  int fifo() { return dice_.roll(0, static_cast<int>(program_.fifos.size()) - 1); }
  bool is_wide(int f) const { return program_.fifos[static_cast<std::size_t>(f)].bytes == 4; }
  void with_fifo();
  void fifo_dsr(int d, int f);
  int source_beside_fifo(int d, bool& fabric);
  void push(int f);
  void pop(int f);
  void pop_second(int f);
  void relay(int from);
  void misuse(int f);

  const Plan& plan_;
  Dice& dice_;
  Program program_;
  int locals_ = 1;
  int control_register_ = -1;
  bool looping_ = false;
  std::vector<std::size_t> calls_;
};

}  // namespace weft::test
