// No more comes from the device than somebody asks for.
#include <algorithm>

#include "cuda/pe/pe_memory.hpp"
#include "cuda/pe/places.hpp"
#include "cuda/pe/plan.hpp"
#include "device_engine/device_engine_test.hpp"
#include "differential/dice.hpp"
#include "support/broadcast.hpp"
#include "support/mesh.hpp"

namespace weft::test::copies_test {
namespace {

constexpr std::uint64_t kLimit = 100000;
constexpr int kPes = 8 * 64;
constexpr std::size_t kPatchRow = std::size_t{4} * pe::kPatch;  // bytes of a word of a patch's PEs

class CopiesFromADevice : public DeviceEngineTest {
 protected:
  /// A fabric of kPes PEs that has come to rest on the device.
  static std::unique_ptr<fabric::DeviceStepper> at_rest() {
    auto stepper =
        fabric::make_device_stepper(Broadcast{64, 8, 2, Heading::south}.layout(), Machine{}, {});
    EXPECT_EQ(stepper->run({kLimit, 1, {}, 0}).stop, engine::Stop::quiet);
    return stepper;
  }
  template <class F>
  static std::size_t bytes_of(F ask) {
    const std::size_t before = cuda_on_host::counters().copied_bytes;
    ask();
    return cuda_on_host::counters().copied_bytes - before;
  }
};

TEST_F(CopiesFromADevice, WhetherAnythingIsLeftTakesFewBytesOfAPe) {
  const auto stepper = at_rest();
  const auto ask = [&] { EXPECT_FALSE(stepper->anything_left()); };
  EXPECT_LT(bytes_of(ask), std::size_t{200} * kPes);
  const std::size_t all = bytes_of([&] { static_cast<void>(stepper->pe_state(7, 63)); });
  EXPECT_GT(all, std::size_t{1000} * kPes);
  EXPECT_EQ(bytes_of(ask), 0U);
}

TEST_F(CopiesFromADevice, TheFirstFaultTakesFewBytesOfAPe) {
  const auto stepper = at_rest();
  const auto ask = [&] { EXPECT_EQ(stepper->first_fault().kind, FaultKind::none); };
  EXPECT_LT(bytes_of(ask), std::size_t{50} * kPes);
}

TEST_F(CopiesFromADevice, WordsThatAreFarApartComeWithoutThoseBetween) {
  const auto stepper = at_rest();
  std::vector<std::uint32_t> words(3);
  const auto read = [&](std::size_t first) {
    return bytes_of([&] { stepper->read({0, 0, 1, 1}, first, words); });
  };
  EXPECT_EQ(read(0), 3 * kPatchRow);
  EXPECT_EQ(read(12000), 3 * kPatchRow);
  EXPECT_EQ(read(1), 1 * kPatchRow);
  EXPECT_EQ(read(20), (20 + 3 - 4) * kPatchRow) << "near: with those between";
  EXPECT_EQ(read(10), 0U);
  EXPECT_EQ(read(12000), 0U);
}

TEST_F(CopiesFromADevice, WordsThatAreFarApartAreUploadedWithoutThoseBetween) {
  const auto bytes_of_a_run = [](std::size_t second) {
    const auto stepper = at_rest();
    stepper->write({0, 0, 1, 1}, 100, std::vector<std::uint32_t>(3, 7));
    stepper->write({0, 0, 1, 1}, second, std::vector<std::uint32_t>(3, 7));
    return bytes_of([&] { stepper->run({kLimit, 1, {}, 0}); });
  };
  EXPECT_EQ(bytes_of_a_run(12000), bytes_of_a_run(103));
}

/// The host's words beside those that a device has, in the same order.
struct Model {
  static constexpr int kWidth = 20, kHeight = 10, kWords = 900;
  using Words = std::vector<std::uint32_t>;

  pe::Places places = pe_kernel::places_of(pe_kernel::choose_tiles(2, kWidth, kHeight));
  pe_kernel::PeMemory host{places, kWords};
  Words device = Words(places.all_pes() * kWords);
  Words present = device;  ///< both, as one memory would have them

  /// f(word, its number) of `present`, in the order of Fabric::write.
  template <class F>
  void for_words(const Rect& r, std::size_t first, std::size_t end, F f) {
    std::size_t number = 0;
    for (int y = r.y; y < r.y + r.height; ++y)
      for (int x = r.x; x < r.x + r.width; ++x) {
        std::uint32_t* const own =
            pe::CoreArrays::interleaved(present.data(), places.index(x, y), kWords);
        for (std::size_t w = first; w < end; ++w) f(own[w * pe::kPatch], number++);
      }
  }
  static void copy(std::uint32_t* to, const std::uint32_t* from,
                   const std::vector<pe_kernel::MemoryPart>& parts) {
    for (const pe_kernel::MemoryPart& part : parts)
      for (std::size_t patch = part.patch; patch < part.patch + part.patches; ++patch) {
        const std::size_t at = (patch * kWords + part.first) * pe::kPatch;
        std::copy_n(from + at, (part.end - part.first) * pe::kPatch, to + at);
      }
  }
  void run(Dice& dice) {
    copy(device.data(), host.data(), host.written());
    EXPECT_EQ(device, present);
    for (std::uint32_t& word : device) word += static_cast<std::uint32_t>(dice.bits()) & 1U;
    present = device;
    host.forget();
  }
};

TEST_F(CopiesFromADevice, AnyReadsAndWritesFindThePresentWords) {
  Dice dice(7);
  Model model;
  for (int step = 0; step < (sanitized() ? 300 : 3000) && !HasFailure(); ++step) {
    const int x = dice.roll(0, Model::kWidth - 1), y = dice.roll(0, Model::kHeight - 1);
    const Rect where{x, y, dice.roll(1, Model::kWidth - x), dice.roll(1, Model::kHeight - y)};
    const int from = dice.roll(0, Model::kWords - 1);
    const auto first = static_cast<std::size_t>(from);
    const std::size_t end =
        first + static_cast<std::size_t>(dice.roll(1, std::min(80, Model::kWords - from)));
    Model::copy(model.host.data(), model.device.data(), model.host.take_missing(where, first, end));
    Model::Words words(static_cast<std::size_t>(where.width * where.height) * (end - first));
    if (dice.chance(50)) {
      for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(dice.bits());
      model.host.mark_written(where, first, end);
      model.host.write(where, first, end, words);
      model.for_words(where, first, end,
                      [&](std::uint32_t& word, std::size_t n) { word = words[n]; });
    }
    model.host.read(where, first, end, words);
    std::size_t wrong = 0;
    model.for_words(where, first, end,
                    [&](std::uint32_t word, std::size_t n) { wrong += words[n] != word; });
    EXPECT_EQ(wrong, 0U) << step;
    if (dice.chance(5)) model.run(dice);
  }
}

}  // namespace
}  // namespace weft::test::copies_test
