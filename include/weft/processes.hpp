#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace weft::inline v0 {

/// Processes that share one fabric: each runs the same program, and makes the same calls of Fabric
/// in the same order. weft/mpi.hpp has those of MPI; a program with another library of messages
/// derives a class. A fabric of several threads calls `send` and `receive` from two of them at the
/// same time, each with a process of its own at the other end; all else comes from one thread.
/// What `send` or `receive` throws in a run ends the run: all processes throw Error(environment),
/// which names the process and has the exception's words, and the fabric is lost. A process that
/// cannot send that, or fails in `gather`, throws the exception alone, and others may wait for it.
class Processes {
 public:
  Processes() = default;
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;
  virtual ~Processes() = default;

  virtual int rank() const = 0;  ///< of this process, from 0
  virtual int size() const = 0;  ///< how many there are
  /// The most of them that are on one host, and so share its memory: plans count with that.
  virtual int most_on_a_host() const { return 1; }
  /// Of this process, among those on its host, from 0: with the engine cuda it takes the device of
  /// that number.
  virtual int number_on_host() const { return 0; }

  /// Sends a message, perhaps an empty one, to another process, and does not wait for it. Those
  /// from one process to another come in order.
  virtual void send(int to, std::span<const std::byte> message) = 0;
  /// Waits for the next message of another process.
  virtual void receive(int from, std::vector<std::byte>& message) = 0;

  // Called by all processes alike; each waits for all others.

  /// `all`: what each process gives as `mine`, by rank, as many bytes of each.
  virtual void gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
  /// Copies the bytes of one process to all others.
  virtual void broadcast(int from, std::span<std::byte> bytes) = 0;
};

}  // namespace weft::inline v0
