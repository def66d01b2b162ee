#pragma once

#include <complex>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "weft/fft.hpp"
#include "weft/processes.hpp"

/// Arrays of which processes have parts, and their way from one to another.
namespace weft::cli {

/// The arrays before a transform, or after it.
struct PartsOfAll {
  std::vector<FftPart> parts;                 ///< by process
  std::span<const std::complex<float>> mine;  ///< the numbers of this one
};

/// take(numbers) in the process `to`, of what make() gives in the process `from`. One message is
/// under way.
template <class Make, class Take>
void send_numbers(Processes& processes, int from, int to, const Make& make, const Take& take) {
  using Numbers = std::span<const std::complex<float>>;
  const int rank = processes.rank();
  if (rank == from && from == to) return take(Numbers(make()));
  std::vector<std::byte> message;
  if (rank == from) {
    processes.send(to, std::as_bytes(Numbers(make())));
    processes.receive(to, message);
  } else if (rank == to) {
    processes.receive(from, message);
    std::vector<std::complex<float>> numbers(message.size() / sizeof(std::complex<float>));
    std::memcpy(numbers.data(), message.data(), message.size());
    take(Numbers(numbers));
    processes.send(from, {});
  }
}

/// Arrays, one after the other, whole in the first process; the others get nothing of them.
class Collection {
 public:
  Collection(const PartsOfAll& all, const Shape3& shape, Processes& processes)
      : parts_(all.parts), rest_(all.mine), shape_(shape), processes_(processes) {}

  /// The next array. All call it alike. Throws Error(environment), the same in all, where there is
  /// no memory for it.
  Volume next();

 private:
  const std::vector<FftPart>& parts_;
  std::span<const std::complex<float>> rest_;  ///< this process's numbers of those to come
  Shape3 shape_;
  Processes& processes_;
  std::size_t array_ = 0;
};

}  // namespace weft::cli
