#include <fmt/format.h>

#include "fabric/trace/encoder.hpp"

/// NumPy's format: a structured array, an element for each event.
namespace weft::fabric {
namespace {

class NpyEncoder : public Encoder {
 public:
  std::string front(std::uint64_t events) const override {
    constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
    constexpr std::size_t kLength = 256;  // with any number of events, and a multiple of 64
    std::string all(kMagic);
    put(kLength - kMagic.size() - 2, 2, all);
    all += fmt::format(
        "{{'descr': [('cycle', '<u8'), ('x', '<u2'), ('y', '<u2'), ('kind', '|u1'), ('number', "
        "'|u1'), ('from', '|u1'), ('value', '<u4')], 'fortran_order': False, 'shape': ({},), }}",
        events);
    all.resize(kLength - 1, ' ');
    return all + '\n';
  }

  void add(const Event& event, std::string& to) override {
    put(event.cycle, 8, to);
    put(event.x, 2, to);
    put(event.y, 2, to);
    put(static_cast<std::uint64_t>(event.kind), 1, to);
    put(event.number, 1, to);
    put(static_cast<std::uint64_t>(event.from), 1, to);
    put(event.value, 4, to);
  }

 private:
  /// Little-endian.
  static void put(std::uint64_t value, unsigned bytes, std::string& to) {
    for (unsigned n = 0; n < bytes; ++n) to += static_cast<char>(value >> 8 * n & 0xffU);
  }
};

}  // namespace

std::unique_ptr<Encoder> npy_encoder(const EventNames&) { return std::make_unique<NpyEncoder>(); }

}  // namespace weft::fabric
