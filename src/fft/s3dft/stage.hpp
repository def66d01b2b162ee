#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "fft/s3dft/program.hpp"
#include "fft/s3dft/rings.hpp"
#include "weft/program.hpp"

/// The code of one stage.
namespace weft::s3dft {

inline constexpr std::size_t kStages = 3;

// Registers.
inline constexpr Reg kScratch{0}, kLeft{1}, kNumber{2}, kRoot{3}, kStep{4}, kAt{5}, kRe{6}, kIm{7},
    kMinusIm{8}, kSources{9}, kResults{10}, kZero{15};

// Descriptors. Of two, the first is for the buffer that is full in odd steps.
inline constexpr Dsr kBuffer[] = {{0}, {1}}, kSourceRe[] = {{2}, {3}}, kSourceIm[] = {{4}, {5}},
                     kResultRe{6}, kResultIm{7}, kIn{8}, kOut{9}, kWhole{10},
                     kFactors[] = {{11}, {12}}, kFactorsIn{13}, kFactorsOut{14}, kAlignOut{15};
inline constexpr Dsr kAlignIn = kWhole;  // the sums are 0 by then

inline std::int32_t address(const MemorySpan& span) {
  return static_cast<std::int32_t>(span.address);
}

struct Memory {
  MemorySpan block[3];  ///< the array at the start, room, and the sums of the first stage
  MemorySpan rows, launch, stamps;
  std::vector<Roots> roots;           ///< held
  std::array<MemorySpan, 2> factors;  ///< cannon: of the first two stages, room for two blocks each

  const Roots& roots_of(int n) const { return *std::ranges::find(roots, n, &Roots::n); }
};

/// The products of one step, as loops: sources (pencils of the block that is there, or rows of the
/// matrix), and for each of them results (pencils of the PE).
struct Products {
  int sources, results;
  int source_bytes, result_bytes;          ///< from one to the next
  std::vector<Dimension> vector;           ///< the elements of a source, and of a result
  int imaginary_source, imaginary_result;  ///< bytes from the real parts
};

/// The local tasks of a stage, of which those of a pair are for the two buffers in turn.
struct StageTasks {
  std::array<Task, 2> step;
  std::array<Task, 2> align;                ///< cannon
  std::array<std::array<Task, 2>, 2> join;  ///< cannon: by step, until all four streams have ended
};

struct StageWriter {
  ProgramBuilder& p;
  const Transform& t;
  const Memory& m;
  int number;  ///< of the stage
  Stage stage;
  MemorySpan full, room, sums;  ///< blocks: of the first step, of the next one, of the results
  MemorySpan array;             ///< at the start, and again in the last stage
  int phase;                    ///< of the sums: its number
  StageTasks tasks;

  int ring() const { return t.ring[stage.ring == Axis::row ? 0 : 1]; }
  int pes() const { return t.division.along(stage.ring); }
  int n() const { return t.division.sides[static_cast<std::size_t>(stage.summed)]; }
  int part() const { return t.part_bytes(); }
  int number_bytes() const { return 2 * part(); }
  std::int32_t launch() const { return address(m.launch) + 4 * kLaunchWords * number; }
  /// A number of rows that differs from PE to PE.
  bool uneven() const { return !stage.rolls_array() && n() % pes() != 0; }
  /// Blocks of factors roll beside those of the array, which is aligned before.
  bool rolls_factors() const { return t.form == S3dftForm::cannon && stage.rolls_array(); }
  Axis other() const { return stage.ring == Axis::row ? Axis::column : Axis::row; }
  MemorySpan factors(int parity) const {
    return half_of(m.factors[static_cast<std::size_t>(number)], parity);
  }
  Products products() const;

  /// All the stage's tasks. Its first instructions are where the program is now, in a task.
  void write();

 private:
  void lower(Reg r, Reg by, int below);
  void raise(Reg r, int by, int below);
  void wrap(Reg r, int below);
  void set_up();
  void step(int parity, Label end);
  void move_on(int parity);
  void finish();
  void stamp(int of_phase);
  void name_phase(int of_phase);
  void choose_ring();
  void choose_color(Dsr out, const RingPorts& ports);
  void choose_way();
  void align(int parity, Label aligned);
  void join(int parity);
  void load_factor(Reg at, std::int32_t base, int imaginary);
  void multiply_add(int parity);
  void add_source(int parity, const Products& all);
  void add_block(int parity);
};

}  // namespace weft::s3dft
