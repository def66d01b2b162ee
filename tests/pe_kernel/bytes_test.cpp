// Bytes of a PE by part, as docs/pe-step.md shows them. To rewrite its table:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-pe_kernel --gtest_filter='Bytes.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "cuda/pe/fabric.hpp"
#include "fabric/build/timing.hpp"
#include "paths.hpp"
#include "pe/build/rules.hpp"
#include "support/generated_text.hpp"
#include "weft/machine.hpp"

namespace weft::test::bytes_test {
namespace {

using pe_kernel::Part;

/// Bytes of a PE, by part, of the default machine. A transform's PEs have four router queues.
template <class S>
std::map<Part, std::size_t> bytes_of_pe() {
  constexpr std::uint32_t kRings = 4;
  const model::Timing timing = fabric::timing_of(Machine{});
  pe_kernel::Fabric<S> f{};
  f.sizes = {pe::kPatch,
             pe::kPatch,
             kRings * S::kSlots * pe::kPatch,
             pe::sizes_of(timing.input_depth).slots,
             pe::sizes_of(timing.output_depth).slots,
             0};
  std::map<Part, std::size_t> bytes;
  pe_kernel::for_parts(f, [&](Part part, auto*& array, std::uint32_t n) {
    bytes[part] += n * sizeof *array / pe::kPatch;
  });
  return bytes;
}

struct Named {
  Part part;
  const char* name;
};
constexpr Named kNames[] = {{Part::inboxes, "inboxes, two"},
                            {Part::wakes, "the next cycle in which something is due"},
                            {Part::routers, "router"},
                            {Part::rings, "four router queues"},
                            {Part::cores, "core and ramp"}};
static_assert(std::size(kNames) == pe_kernel::kParts);

TEST(Bytes, OfAPeAreThoseOfTheDocumentation) {
  const std::array shapes = {bytes_of_pe<pe::Shape<4, 2>>(), bytes_of_pe<pe::Shape<8, 2>>(),
                             bytes_of_pe<pe::Shape<kColors, 4>>()};
  std::string table =
      "| Part | up to 4 colors | up to 8 | 24, queues of four |\n"
      "| --- | ---: | ---: | ---: |\n";
  std::array<std::size_t, shapes.size()> sum{};
  const auto row = [&](std::string_view name, const auto& of_shape) {
    table += fmt::format("| {} |", name);
    for (std::size_t k = 0; k < shapes.size(); ++k) table += fmt::format(" {} |", of_shape(k));
    table += "\n";
  };
  for (const auto& [part, name] : kNames) {
    row(name, [&, p = part](std::size_t k) { return shapes[k].at(p); });
    for (std::size_t k = 0; k < shapes.size(); ++k) sum[k] += shapes[k].at(part);
  }
  row("all", [&](std::size_t k) { return sum[k]; });
  expect_generated(WEFT_SOURCE_DIR "/docs/pe-step.md", "bytes of a PE", table);
}

}  // namespace
}  // namespace weft::test::bytes_test
