#include "support/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace weft::test {
namespace {

constexpr std::uint32_t kUntouched = 0xdeadbeef;
constexpr std::uint32_t kMostCaught = 128;
constexpr Reg kScratch{12}, kNext{13}, kStamp{14}, kOrigin{15};

std::string out_name(std::size_t step) { return "out" + std::to_string(step); }
std::string stamp_name(std::size_t step) { return "issued" + std::to_string(step); }
std::string in_name(int queue) { return "in" + std::to_string(queue); }

std::uint32_t bytes_of(std::size_t words) { return static_cast<std::uint32_t>(4 * words); }

/// Notes r0 and the cycle of the first instruction.
void catch_task(ProgramBuilder& b) {
  b.tsc(kScratch);
  b.sw(Reg{0}, kNext, 0);
  b.sw(kScratch, kNext, 4);
  b.addi(kNext, kNext, 8);
  b.end();
}

}  // namespace

FabricOptions test_options(FabricOptions options) {
  const char* engine = std::getenv("WEFT_TEST_ENGINE");
  if (options.engine == Engine::host && engine != nullptr && engine == to_string(Engine::reference))
    options.engine = Engine::reference;
  return options;
}

Machine test_machine() {
  Machine m;
  m.name = "test";
  m.ramp_cycles = 2;
  m.scalar_cycles = 3;
  m.scalar_f32_cycles = 6;
  m.branch_taken_cycles = 5;
  m.vector_start_cycles = 7;
  m.task_start_cycles = 11;
  m.microthread_start_cycles = 4;
  m.router_write_cycles = 13;
  m.f32_add_rate = 4;
  m.f32_multiply_rate = 2;
  m.move32_rate = 8;
  m.two_source_divisor = 2;
  return m;
}

std::uint64_t first_element(const Machine& m) {
  return static_cast<std::uint64_t>(std::max(1, m.microthread_start_cycles));
}

std::uint64_t travel(const Machine& m, int hops) {
  // On-ramp, one cycle per router, off-ramp.
  return static_cast<std::uint64_t>(m.ramp_cycles + 1 + hops + m.ramp_cycles);
}

std::vector<std::uint32_t> payloads(const std::vector<Caught>& caught) {
  std::vector<std::uint32_t> all;
  for (const Caught& one : caught) all.push_back(one.payload);
  return all;
}

Pe& Pe::send(int queue, int color, std::vector<std::uint32_t> words, Mode mode) {
  steps_.push_back({Step::Kind::send, queue, color, false, mode, std::move(words)});
  return *this;
}

Pe& Pe::send_control(int queue, int color, std::vector<std::uint32_t> words) {
  steps_.push_back({Step::Kind::send, queue, color, true, Mode::sync, std::move(words)});
  return *this;
}

Pe& Pe::receive(int queue, int count) {
  steps_.push_back({Step::Kind::receive, queue, 0, false, Mode::async,
                    std::vector<std::uint32_t>(static_cast<std::size_t>(count), kUntouched)});
  return *this;
}

Pe& Pe::wait(int instructions) {
  return run([=](ProgramBuilder& b) {
    for (int i = 0; i < instructions; ++i) b.mov(kScratch, kScratch);
  });
}

Pe& Pe::run(std::function<void(ProgramBuilder&)> code) {
  Step step;
  step.code = std::move(code);
  steps_.push_back(std::move(step));
  return *this;
}

Pe& Pe::catch_data(int color) {
  data_.push_back(color);
  return *this;
}

Pe& Pe::catch_control(int id) {
  control_.push_back(id);
  return *this;
}

Pe& Pe::unblock(int color) {
  unblocked_.push_back(color);
  return *this;
}

Program Pe::build(const std::string& name) const {
  ProgramBuilder b(name);
  const MemorySpan caught = b.reserve("caught", 8 * kMostCaught);
  const Task main = b.local_task(0);
  b.start(main);
  b.li(kNext, static_cast<std::int32_t>(caught.address));
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.kind == Step::Kind::code) {
      step.code(b);
      continue;
    }
    const bool sends = step.kind == Step::Kind::send;
    const MemorySpan memory =
        b.reserve(sends ? out_name(i) : in_name(step.queue), bytes_of(step.words.size()));
    const MemorySpan stamp = b.reserve(stamp_name(i), 4);
    const Dsr fabric{14}, words{15};
    if (sends) {
      b.dfabout(fabric, step.queue, step.color, step.control);
    } else {
      b.dfabin(fabric, step.queue);
      b.dlen(fabric, static_cast<std::int32_t>(step.words.size()));
    }
    b.dbase(words, static_cast<std::int32_t>(memory.address));
    b.dlen(words, static_cast<std::int32_t>(step.words.size()));
    b.dstride(words, 1);
    VectorOptions options;
    options.async = step.mode == Mode::async;
    b.tsc(kStamp);
    if (sends) {
      b.vmov32(fabric, words, options);
    } else {
      b.vmov32(words, fabric, options);
    }
    b.sw(kStamp, kOrigin, static_cast<std::int32_t>(stamp.address));
  }
  b.end();
  for (const int color : data_) {
    b.data_task(color);
    catch_task(b);
  }
  for (const int id : control_) {
    b.control_task(id);
    catch_task(b);
  }
  for (const int color : unblocked_) b.start_unblocked(color);
  return b.build();
}

Mesh::Mesh(int width, int height, Machine machine)
    : machine_(std::move(machine)), layout_(width, height) {}

Mesh& Mesh::route(Rect where, int color, const Route& route) {
  layout_.route(where, color, route);
  return *this;
}

Mesh& Mesh::filter(Rect where, int color, const CounterFilter& filter) {
  layout_.filter(where, color, filter);
  return *this;
}

Mesh& Mesh::line(int color, int input_queue) {
  const int last = layout_.width() - 1;
  Route pass{Port::west, {Port::east, Port::ramp}};
  Route stop{Port::west, Port::ramp};
  pass.input_queue = stop.input_queue = input_queue;
  route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
  if (last > 1) route({1, 0, last - 1, 1}, color, pass);
  return route({last, 0, 1, 1}, color, stop);
}

Layout Mesh::layout() {
  Layout layout = layout_;
  for (const auto& [at, pe] : pes_) {
    const Program program =
        pe.build("pe-" + std::to_string(at.first) + "-" + std::to_string(at.second));
    layout.place({at.first, at.second, 1, 1}, program);
    programs_.insert_or_assign(at, program);
  }
  return layout;
}

void Mesh::fill(Fabric& fabric) const {
  for (const auto& [at, pe] : pes_)
    for (std::size_t i = 0; i < pe.steps_.size(); ++i) {
      const Pe::Step& step = pe.steps_[i];
      if (step.kind == Pe::Step::Kind::code) continue;
      const bool sends = step.kind == Pe::Step::Kind::send;
      const MemorySpan memory =
          programs_.at(at).symbols.at(sends ? out_name(i) : in_name(step.queue));
      fabric.write({at.first, at.second, 1, 1}, memory.address, step.words);
    }
}

Fabric& Mesh::start(FabricOptions options) {
  fabric_.emplace(layout(), machine_, test_options(std::move(options)));
  fill(*fabric_);
  return *fabric_;
}

Mesh& Mesh::run(std::uint64_t limit) {
  if (!fabric_) start();
  fabric_->run_until_idle(limit);
  return *this;
}

Mesh& Mesh::trace(std::uint64_t cycles) {
  if (!fabric_) start();
  for (std::uint64_t n = 0; n < cycles; ++n) {
    const std::uint64_t now = fabric_->cycle();
    fabric_->run(1);
    for (const auto& [at, pe] : pes_)
      for (const Pe::Step& step : pe.steps_) {
        if (step.kind != Pe::Step::Kind::receive) continue;
        std::vector<std::uint64_t>& seen = arrivals_[{at, in_name(step.queue)}];
        const std::size_t have = received(at.first, at.second, step.queue).size();
        while (seen.size() < have) seen.push_back(now);
      }
  }
  return *this;
}

std::vector<std::uint32_t> Mesh::words(int x, int y, const std::string& symbol) const {
  const MemorySpan span = programs_.at({x, y}).symbols.at(symbol);
  std::vector<std::uint32_t> all(span.bytes / 4);
  fabric_->read({x, y, 1, 1}, span.address, all);
  return all;
}

std::vector<Caught> Mesh::caught(int x, int y) const {
  const std::vector<std::uint32_t> all = words(x, y, "caught");
  std::vector<Caught> caught;
  for (std::size_t i = 0; i < all.size() && all[i + 1] != 0; i += 2)
    caught.push_back({all[i], all[i + 1] - static_cast<std::uint64_t>(machine_.task_start_cycles)});
  return caught;
}

std::vector<std::uint32_t> Mesh::received(int x, int y, int queue) const {
  std::vector<std::uint32_t> all = words(x, y, in_name(queue));
  all.erase(std::find(all.begin(), all.end(), kUntouched), all.end());
  return all;
}

std::vector<std::uint64_t> Mesh::arrivals(int x, int y, int queue) const {
  const auto seen = arrivals_.find({{x, y}, in_name(queue)});
  return seen == arrivals_.end() ? std::vector<std::uint64_t>{} : seen->second;
}

std::uint64_t Mesh::issued(int x, int y, std::size_t step) const {
  return words(x, y, stamp_name(step)).front() + static_cast<std::uint64_t>(machine_.scalar_cycles);
}

std::uint32_t Mesh::word(int x, int y, std::uint32_t address) const {
  std::uint32_t value = 0;
  fabric_->read({x, y, 1, 1}, address, {&value, 1});
  return value;
}

std::vector<std::uint32_t> run_alone(std::size_t count,
                                     const std::function<void(ProgramBuilder&)>& code,
                                     const Machine& machine) {
  ProgramBuilder b("alone");
  b.reserve("result", bytes_of(count));
  b.start(b.local_task(0));
  code(b);
  b.end();
  Fabric fabric(alone(b.build()), machine, test_options());
  fabric.run_until_idle(1000000);
  std::vector<std::uint32_t> result(count);
  fabric.read({0, 0, 1, 1}, 0, result);
  return result;
}

Layout alone(const Program& program) {
  Layout layout(1, 1);
  layout.place({0, 0, 1, 1}, program);
  return layout;
}

Program counting_task() {
  ProgramBuilder b("counting");
  b.reserve<std::uint32_t>("cycle", 1);
  b.reserve<std::uint32_t>("count", 1);
  b.start(b.local_task(0));
  b.end();
  b.local_task(5);
  b.tsc(Reg{1});
  b.sw(Reg{1}, Reg{15}, 0);
  b.addi(Reg{2}, Reg{2}, 1);
  b.sw(Reg{2}, Reg{15}, 4);
  b.end();
  return b.build();
}

std::vector<std::uint32_t> counting(int count, std::uint32_t base) {
  std::vector<std::uint32_t> words;
  for (int i = 1; i <= count; ++i) words.push_back(base + static_cast<std::uint32_t>(i));
  return words;
}

Mesh stream_along_row(const Machine& machine, int width, int count) {
  Mesh mesh(width, 1, machine);
  mesh.line(7);
  mesh.pe(0).send(0, 7, counting(count));
  for (int x = 1; x < width; ++x) mesh.pe(x).receive(0, count);
  return mesh;
}

void expect_same_in_pieces(const Machine& machine, int count) {
  constexpr int kWidth = 6;
  Mesh whole = stream_along_row(machine, kWidth, count);
  const std::uint64_t end = whole.run().fabric().cycle();
  for (const std::uint64_t piece : {1U, 3U, 7U}) {
    Mesh mesh = stream_along_row(machine, kWidth, count);
    Fabric& fabric = mesh.start();
    while (fabric.cycle() + piece < end) ASSERT_EQ(fabric.run(piece), RunEnd::limit);
    fabric.run(end - fabric.cycle());
    EXPECT_EQ(mesh.received(kWidth - 1, 0, 0), counting(count)) << "pieces of " << piece;
    EXPECT_EQ(fabric.run(100), RunEnd::idle);
  }
}

}  // namespace weft::test
