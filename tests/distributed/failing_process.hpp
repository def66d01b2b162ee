#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "weft/processes.hpp"

namespace weft::test {

/// How a process fails: in this call of send and receive, from 1 on; 0: never.
struct Failure {
  std::uint64_t call = 0;
  bool no_memory = false;
  bool for_good = false;  ///< in all calls after it, too
};

class Failing : public Processes {
 public:
  Failing(std::shared_ptr<Processes> all, const Failure& failure)
      : all_(std::move(all)), failure_(failure) {}

  int rank() const override { return all_->rank(); }
  int size() const override { return all_->size(); }
  int number_on_host() const override { return all_->number_on_host(); }
  void send(int to, std::span<const std::byte> message) override {
    count();
    all_->send(to, message);
  }
  void receive(int from, std::vector<std::byte>& message) override {
    count();
    all_->receive(from, message);
  }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    all_->gather(mine, all);
  }
  void broadcast(int from, std::span<std::byte> bytes) override { all_->broadcast(from, bytes); }

  std::uint64_t calls() const { return calls_; }

 private:
  void count() {
    const std::uint64_t call = ++calls_;
    if (call != failure_.call && !(failure_.for_good && call > failure_.call)) return;
    if (failure_.no_memory) throw std::bad_alloc();
    throw std::runtime_error("the wire is cut");
  }

  const std::shared_ptr<Processes> all_;
  const Failure failure_;
  std::atomic<std::uint64_t> calls_{0};
};

}  // namespace weft::test
