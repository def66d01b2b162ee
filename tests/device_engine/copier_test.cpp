// Rows of all lengths come through the copier's two buffers, there and back, and nothing else does.
#include "cuda/copier.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <vector>

#include "device_engine/device_engine_test.hpp"

namespace weft::test::copier_test {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

class CopierOnADevice : public DeviceEngineTest,
                        public testing::WithParamInterface<cuda::ByteRows> {};

TEST_P(CopierOnADevice, BringsTheRowsBack) {
  const cuda::ByteRows rows = GetParam();
  const std::size_t words = rows.count * rows.pitch / 4;
  std::mt19937 random(1);
  std::vector<std::uint32_t> there(words), back(words, 7);
  for (std::uint32_t& word : there) word = static_cast<std::uint32_t>(random());
  {
    const cuda::Stream stream;
    cuda::Copier copier(stream);
    const cuda::DeviceBuffer<std::uint32_t> device(words);
    copier.to_device(device.data(), there.data(), rows);
    copier.to_host(back.data(), device.data(), rows);
    copier.finish();
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words; ++i)
    wrong += back[i] != (i * 4 % rows.pitch < rows.bytes ? there[i] : 7U);
  EXPECT_EQ(wrong, 0U);
}

std::string name_of(const testing::TestParamInfo<cuda::ByteRows>& given) {
  const auto& [count, bytes, pitch] = given.param;
  return fmt::format("{}Of{}BytesEvery{}", count, bytes, pitch);
}

// Buffers have 8 MiB: many rows in one, some in each of several, a row in several.
INSTANTIATE_TEST_SUITE_P(
    Rows, CopierOnADevice,
    testing::Values(cuda::ByteRows{1, 4, 4}, cuda::ByteRows{1, 17 * kMiB, 17 * kMiB},
                    cuda::ByteRows{1000, 100, 128}, cuda::ByteRows{7, 3 * kMiB, 4 * kMiB},
                    cuda::ByteRows{2, 9 * kMiB, 10 * kMiB}, cuda::ByteRows{5, 0, 8}),
    name_of);

}  // namespace
}  // namespace weft::test::copier_test
