// How meshes are cut into tiles, and what of them is near.
#include "cuda/pe/plan.hpp"

#include <gtest/gtest.h>

#include "cuda/pe/kernel.hpp"
#include "weft/error.hpp"

namespace weft::test::plan_test {
namespace {

using pe_kernel::choose_tiles, pe_kernel::Tiles;

constexpr int kH100 = 132, kA100 = 108;

TEST(PePlan, ATileIsAsSmallAsTheMultiprocessorsAllow) {
  const auto expect = [](int width, int height, int pes, int tiles) {
    const Tiles t = choose_tiles(kH100, width, height);
    EXPECT_EQ(t.pes(), pes) << width << " x " << height;
    EXPECT_EQ(t.count(), tiles) << width << " x " << height;
  };
  expect(64, 64, 128, 32);
  expect(128, 128, 128, 128);
  expect(256, 256, 512, 128);
  expect(512, 512, 2048, 128);
}

TEST(PePlan, AMeshIsCovered) {
  for (const int multiprocessors : {1, 2, kA100, kH100})
    for (const auto& [width, height] : {std::pair(1, 1), std::pair(1, 1000), std::pair(750, 1),
                                        std::pair(9, 5), std::pair(100, 75)}) {
      const Tiles t = choose_tiles(multiprocessors, width, height);
      EXPECT_LE(t.count(), multiprocessors) << width << " x " << height;
      EXPECT_GE(t.across * t.width, width);
      EXPECT_GE(t.down * t.height, height);
      EXPECT_EQ(t.width % pe_kernel::kPatchWidth, 0);
      EXPECT_EQ(t.height % pe_kernel::kPatchHeight, 0);
    }
}

TEST(PePlan, AThreadStepsPesOfSeveralSetsInLargeTiles) {
  EXPECT_EQ(pe_kernel::threads_of(choose_tiles(kH100, 128, 128)), 128);
  EXPECT_EQ(pe_kernel::threads_of(choose_tiles(kH100, 512, 512)), 1024);
  const Tiles wse2 = choose_tiles(kH100, 757, 996);
  EXPECT_LE(wse2.pes(), 6 * pe_kernel::threads_of(wse2));
}

TEST(PePlan, AMeshThatIsTooLargeIsRefused) { EXPECT_THROW(choose_tiles(1, 256, 256), Error); }

/// 512 x 512 PEs, each with four rings.
template <class S>
pe_kernel::Fabric<S> large_fabric(int multiprocessors = kH100) {
  pe_kernel::Fabric<S> fabric{};
  fabric.tiles = choose_tiles(multiprocessors, 512, 512);
  const auto pes = static_cast<std::uint32_t>(fabric.tiles.pes());
  fabric.sizes = {
      pes, static_cast<std::uint32_t>(fabric.tiles.cells()), 4U * S::kSlots * pes, 32, 24, 12288};
  return fabric;
}

TEST(PePlan, PartsAreNearInTheirOrderAsFarAsTheyFit) {
  const auto fabric = large_fabric<pe::Shape<4, 2>>();
  const std::size_t all = pe_kernel::bytes_of(fabric, ~0U);
  EXPECT_EQ(pe_kernel::choose_near(fabric, all), (1U << pe_kernel::kParts) - 1U);
  EXPECT_EQ(pe_kernel::choose_near(fabric, all, 5), 5U);
  EXPECT_EQ(pe_kernel::choose_near(fabric, 0), 0U);
  for (const std::size_t bytes : {all / 8, all / 4, all / 2})
    EXPECT_LE(pe_kernel::bytes_of(fabric, pe_kernel::choose_near(fabric, bytes)), bytes);
}

/// Parts that are near beside a block's own state. Kilobytes of a block are those of CUDA's
/// programming guide.
template <class S>
std::uint32_t near_on(int multiprocessors, std::size_t kilobytes) {
  return pe_kernel::choose_near(large_fabric<S>(multiprocessors),
                                kilobytes * 1024 - pe_kernel::block_state_bytes<S>());
}

TEST(PePlan, WhatEachCycleReadsIsNearInLargeMeshes) {
  constexpr std::uint32_t kInboxesAndWakes = 3, kRouters = 4, kCores = 8;
  EXPECT_EQ((near_on<pe::Shape<4, 2>>(kH100, 227)), kInboxesAndWakes | kRouters | kCores);
  EXPECT_EQ((near_on<pe::Shape<8, 2>>(kH100, 227)), kInboxesAndWakes | kRouters);
  EXPECT_EQ((near_on<pe::Shape<4, 2>>(kA100, 163)), kInboxesAndWakes | kCores);
  EXPECT_EQ((near_on<pe::Shape<8, 2>>(kA100, 163)), kInboxesAndWakes | kCores);
}

}  // namespace
}  // namespace weft::test::plan_test
