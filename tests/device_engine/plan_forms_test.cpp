// Plans of each way to transform, on both engines: what their PEs do differs from the published
// transform's.
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>

#include "device_engine/device_engine_test.hpp"
#include "device_engine/same_run.hpp"
#include "io/volume_file.hpp"
#include "weft/fft.hpp"

namespace weft::test::plan_forms_test {
namespace {

/// A way to transform, and an array that it has.
struct Planned {
  std::string_view name;
  Shape3 shape;
  FftMesh mesh{};
  FftTranspose transpose = FftTranspose::automatic;
  FftPencil pencil = FftPencil::automatic;
  FftKind kind = FftKind::complex;
  FftAlgorithm algorithm = FftAlgorithm::wsfft;
  S3dftForm form = S3dftForm::held;
};

void PrintTo(const Planned& planned, std::ostream* out) { *out << planned.name; }

constexpr Planned of_s3dft(std::string_view name, const Shape3& shape, const FftMesh& mesh,
                           S3dftForm form) {
  return {
      .name = name, .shape = shape, .mesh = mesh, .algorithm = FftAlgorithm::s3dft, .form = form};
}

constexpr Planned kPlanned[] = {
    {.name = "Smooth", .shape = {6, 10, 9}, .mesh = {3, 5}},
    {.name = "Stockham", .shape = {6, 5, 12}, .pencil = FftPencil::stockham},
    {.name = "Digits", .shape = {1, 1, 80}, .mesh = {4, 4}},
    {.name = "Real", .shape = {6, 5, 10}, .kind = FftKind::real},
    {.name = "Ring",
     .shape = {6, 10, 9},
     .mesh = {3, 5},
     .transpose = FftTranspose::ring,
     .pencil = FftPencil::radix4},
    {.name = "Halves",
     .shape = {8, 4, 8},
     .transpose = FftTranspose::halves,
     .pencil = FftPencil::radix4},
    {.name = "Butterflies", .shape = {8, 4, 4}, .transpose = FftTranspose::butterflies},
    {.name = "FourAxes", .shape = {4, 4, 4, 4}},
    of_s3dft("Held", {6, 5, 4}, {2, 5}, S3dftForm::held),
    of_s3dft("Cannon", {5, 6, 6}, {3, 3}, S3dftForm::cannon),
    of_s3dft("Cubes", {4, 4, 4}, {4, 2}, S3dftForm::cubes),
};

using Case = std::tuple<Planned, FftPrecision>;

class PlanOfEachWay : public DeviceTest, public testing::WithParamInterface<Case> {
 protected:
  static FftRun run(Engine engine) {
    const auto& [planned, precision] = GetParam();
    FftOptions options;
    options.mesh = planned.mesh;
    options.transpose = planned.transpose;
    options.pencil = planned.pencil;
    options.kind = planned.kind;
    options.algorithm = planned.algorithm;
    options.s3dft_form = planned.form;
    options.engine = engine;
    const FftPlan plan(planned.shape, precision, options);
    Volume input = io::random_volume(planned.shape, 5);
    if (planned.kind == FftKind::real)
      for (auto& number : input.data) number = number.real();
    return plan.forward(input);
  }
};

TEST_P(PlanOfEachWay, TakesTheSameCyclesToTheSameBits) {
  const FftRun host = run(Engine::host), cuda = run(Engine::cuda);
  expect_same(host, cuda);
  EXPECT_EQ(host.report.counters.delivered, cuda.report.counters.delivered);
  EXPECT_GT(host.report.counters.delivered, 0U);
}

std::string name_of(const testing::TestParamInfo<Case>& given) {
  const auto& [planned, precision] = given.param;
  return std::string(planned.name) + '_' + std::string(to_string(precision));
}

INSTANTIATE_TEST_SUITE_P(All, PlanOfEachWay,
                         testing::Combine(testing::ValuesIn(kPlanned),
                                          testing::Values(FftPrecision::fp16, FftPrecision::fp32)),
                         name_of);

}  // namespace
}  // namespace weft::test::plan_forms_test
