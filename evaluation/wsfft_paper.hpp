#pragma once

#include <array>
#include <optional>

#include "evaluation/result.hpp"
#include "weft/fft.hpp"

/// Numbers of Orenes-Vera et al., "Wafer-Scale Fast Fourier Transforms". All are for a clock of
/// 850 MHz.
namespace weft::evaluation::wsfft_paper {

inline constexpr double kClockHz = 850e6;

/// Table 1: cycles of n^3 numbers on n x n PEs, measured (mean of forward and inverse).
struct Table1 {
  int n;
  double fp16, fp32;
};
inline constexpr std::array<Table1, 5> kTable1 = {{{32, 10'953, 13'633},
                                                   {64, 24'000, 32'176},
                                                   {128, 56'741, 82'405},
                                                   {256, 147'247, 236'329},
                                                   {512, 471'064, 815'371}}};

/// Section 5.1: the cycles of a pencil of n numbers by the authors' count of instructions.
double pencil_cycles(double n, FftPrecision precision);

/// Section 5.1: flops a cycle of the longest pencil, measured: n = 4096 (FP16), 2048 (FP32).
inline constexpr double kLongestPencilFp16 = 0.89, kLongestPencilFp32 = 0.57;

/// Section 5.1, of Figure 3: what flops a cycle tend to, by the count of instructions; and Tflops/s
/// of 850,000 pencils of 2048 numbers, extrapolated from one PE.
inline constexpr double kAsymptoteFp16 = 1.66, kAsymptoteFp32 = 0.77;
inline constexpr double kAllPencilsFp16 = 612, kAllPencilsFp32 = 409;

/// About so many PEs has a CS-2. Section 5.2: 512 x 512 are so many of them.
inline constexpr double kPes = 850'000, kPercentOfPes = 30;

/// Section 1: bits a second to the wafer or back, and the time of 512^3 numbers in FP32 both ways.
inline constexpr double kBitsOfWafer = 1.2e12, kSecondsInAndOut = 14e-3;

/// Section 6.2: bytes a second that cross the middle of 512 x 512 PEs, both ways together; and
/// cycles of a word to the neighbour.
inline constexpr double kBytesOfBisection = 3.5e12, kCyclesOfWord = 1;

/// Section 5.4 and Table 2: Tflops/s of 1024^3 numbers, estimated.
struct Estimate {
  int mesh;
  double fp16, fp32;
};
inline constexpr std::array<Estimate, 2> kEstimates1024 = {{{512, 36, 22.5}, {1024, 80, 49.7}}};

/// Section 5.3: how much faster 256^3 numbers in FP32 become from 64 to 128 PEs a side, and from
/// 128 to 256. The first two of these meshes are estimates (caption of Figure 7).
inline constexpr double kTo128 = 2.85, kTo256 = 2.54;

/// Tflops/s of n^3 numbers on p x p PEs; nothing where the authors give none.
std::optional<Published> published_rate(int n, int p, FftPrecision precision);

/// Section 5.3: bytes that routers pass on in a second at n = 512. No precision is named; the
/// authors' own times and our hops give it in FP32 only.
inline constexpr double kBytesOfRouters = 0.8e15;

/// Equation (1): the cycles of an exchange along a row of n / m PEs, whose messages have m^3
/// numbers of r wavelets, with 30 cycles from one sender to the next.
double exchange_cycles(double n, double m, double r);

/// Table 2: published rates of others.
struct Other {
  int n;
  const char* precision;
  const char* machine;
  double tflops;
};
inline constexpr std::array<Other, 7> kOthers = {
    {{256, "64-bit", "Takahashi on Appro Xtreme-X3", 0.4},
     {256, "64-bit", "heFFTe on 32 nodes of Summit", 0.5},
     {512, "64-bit", "heFFTe on 64 nodes of Summit", 1.3},
     {512, "32-bit", "cuFFT on a DGX A100", 16},
     {1024, "64-bit", "heFFTe on 1024 nodes of Summit", 9},
     {1024, "32-bit", "Lu et al. on a TPU v3 pod", 10.9},
     {1024, "32-bit", "cuFFT on a DGX A100", 19}}};

/// Of Table 1; nothing for other n.
std::optional<double> measured_cycles(int n, FftPrecision precision);

/// 5 n^3 log2(n^3) operations in so many cycles.
double tflops(double n, double cycles, double clock_hz);

}  // namespace weft::evaluation::wsfft_paper
