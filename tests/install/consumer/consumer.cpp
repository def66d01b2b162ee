// Transforms a volume from a file, and catches an error that the library throws.
#include <cstdio>
#include <weft/io.hpp>
#include <weft/weft.hpp>

int main() {
  const weft::Shape3 shape{4, 4, 4};
  weft::Volume volume{shape, std::vector<std::complex<float>>(shape.size())};
  volume.data[5] = {1, 2};
  weft::write_volume("volume.npy", volume);
  const weft::Volume input = weft::read_volume("volume.npy");
  const weft::FftPlan plan(shape, weft::FftPrecision::fp32);
  const weft::FftRun run = plan.forward(input);
  const double error =
      weft::relative_l2_error(run.output, weft::fft_by_fftw(input, weft::FftDirection::forward));
  if (input.data != volume.data || !(error < 1e-6)) return 1;
  try {
    weft::read_volume("missing.npy");
  } catch (const weft::Error& caught) {
    std::printf("weft %s: %d cycles, caught %s\n", weft::version(),
                static_cast<int>(run.report.cycles),
                std::string(to_string(caught.category())).c_str());
    return 0;
  }
  return 2;
}
