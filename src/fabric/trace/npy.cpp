#include "fabric/profile/npy.hpp"

#include "fabric/trace/encoder.hpp"

/// NumPy's format: a structured array, an element for each event.
namespace weft::fabric {
namespace {

class NpyEncoder : public Encoder {
 public:
  std::string front(std::uint64_t events) const override {
    constexpr std::size_t kLength = 256;  // with any number of events, and a multiple of 64
    return npy_header(
        {{"cycle", 8}, {"x", 2}, {"y", 2}, {"kind", 1}, {"number", 1}, {"from", 1}, {"value", 4}},
        {events}, kLength);
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
