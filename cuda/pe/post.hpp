#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "cuda/pe/mail.hpp"
#include "cuda/pe/record.hpp"
#include "cuda/runtime.hpp"
#include "engine/share.hpp"
#include "engine/ticker.hpp"

namespace weft::pe_kernel {

/// The host's side of a part of a mesh: while a launch runs, it brings what the device writes into
/// the mail to other processes, and what they send to the device.
class Post {
 public:
  /// For a mesh of `width` columns. Throws Error(environment).
  Post(engine::Share& share, int width);
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  engine::Share& share() const { return share_; }
  Mail mail() const { return mail_; }

  /// Before a mesh's first cycle.
  void start();

  /// After a launch from this clock and so many cycles on, until its last block of cycles: at most
  /// so many of them. `runs`
  /// throws if the launch has failed, and is false once it has ended. Returns why the run is to end
  /// early, if so: some process's callback for the progress has thrown. Whatever it throws itself
  /// ends the launch.
  std::exception_ptr attend(engine::Clock clock, std::uint64_t stepped, int blocks,
                            engine::Ticker& ticker, const std::function<bool()>& runs);

  /// After what may fail in one process, and before all meet: throws if it has. Returns what all
  /// have told.
  engine::BlockNews meet(const engine::BlockNews& mine = {});

  /// The end of a run in which something was thrown: as Share::end_given_up. `thrown`: here.
  [[noreturn]] void end(const std::exception_ptr& thrown);

 private:
  using Runs = std::function<bool()>;

  /// Between a cut's mail and its wire.
  struct Route {
    CutMail* mail;
    engine::Wire* wire;
  };

  template <class Done>
  void wait(const Runs& runs, const Done& done) const;
  void send(const Route& route, Stepped now, const Runs& runs);
  void receive(const Route& route, Stepped now);
  engine::BlockFacts facts_of_device(std::uint64_t stepped, const Runs& runs) const;
  void tell(const engine::BlockFacts& all, bool last, std::uint64_t stepped);

  engine::Share& share_;
  const int width_;
  bool announced_ = false;  ///< where all have met: the run is given up
  std::vector<cuda::PinnedBuffer<std::uint64_t>> records_{};
  std::vector<cuda::PinnedBuffer<std::uint32_t>> notes_{};
  cuda::PinnedBuffer<Meeting> meetings_{2};
  cuda::PinnedBuffer<std::uint32_t> given_up_{1};
  Mail mail_{};
  std::vector<Route> routes_{};
  std::vector<std::uint32_t> words_{};  ///< of a message
};

}  // namespace weft::pe_kernel
