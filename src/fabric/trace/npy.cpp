#include "fabric/profile/npy.hpp"

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
    append(all, kLength - kMagic.size() - 2, 2);
    all += fmt::format(
        "{{'descr': [('cycle', '<u8'), ('x', '<u2'), ('y', '<u2'), ('kind', '|u1'), ('number', "
        "'|u1'), ('from', '|u1'), ('value', '<u4')], 'fortran_order': False, 'shape': ({},), }}",
        events);
    all.resize(kLength - 1, ' ');
    return all + '\n';
  }

  void add(const Event& event, std::string& to) override {
    append(to, event.cycle, 8);
    append(to, event.x, 2);
    append(to, event.y, 2);
    append(to, static_cast<std::uint64_t>(event.kind), 1);
    append(to, event.number, 1);
    append(to, static_cast<std::uint64_t>(event.from), 1);
    append(to, event.value, 4);
  }
};

}  // namespace

std::unique_ptr<Encoder> npy_encoder(const EventNames&) { return std::make_unique<NpyEncoder>(); }

}  // namespace weft::fabric
