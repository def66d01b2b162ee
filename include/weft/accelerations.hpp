#pragma once

namespace weft::inline v0 {

/// Ways of stepping a fabric faster, one switch each. Results, cycles and counters are the same
/// with any of them off, alone or with others; only the time that the emulation takes differs, and
/// RunReport::skipped_cycles. (The reference engine has none, the CUDA engine has run_ahead and
/// dry_run.)
struct Accelerations {
  /// The first Fabric::run_until_idle steps rows and columns of PEs apart (on the host), if the
  /// layout promises that it pays. Each direction that colors lead in must have 16 lines with such
  /// colors in a bundle of 64, and where there are two directions, wavelets must pass routers in
  /// both. Programs must be large: what a PE has in memory, on average, must make 10,000 words with
  /// all PEs of a line, because copying rows and columns takes as long as stepping small programs.
  /// Nothing of the layout may be a FIFO, a swap, a color that leads in both directions, or
  /// an instruction that writes routes, and links must not rest in a crowd
  /// (Machine::crowd_wavelets). Where wavelets of both directions meet after all, and at a fault, a
  /// deadlock or the limit, the fabric starts over without, and `progress` too; from a copy of all
  /// that was written before the first run. If that is more than 1 GiB, it is not tried.
  bool by_line = true;
  /// By line: wavelets that all lines send alike are not stepped from router to router.
  bool delay_lines = true;
  /// By line: lines that do the same start microthreads and move elements of a vector together.
  bool shared_execution = true;
  /// By line: of lines that are in the same state, one is stepped, and stands for the others.
  bool equal_lines = true;
  /// Cores execute instructions that nobody else can notice before their cycle.
  bool run_ahead = true;
  /// Building a fabric executes each program once to find how long its cores are private. Cores
  /// then wait for their neighbours that long, and take their next instruction together.
  bool dry_run = true;
  /// An element of a vector instruction with a fabric operand is one operation for all PEs of a
  /// strip of 64 that are at the same words of memory (on the host).
  bool element_rows = true;
  /// Wavelets that go straight through 64 PEs take few instructions, and those of 64 PEs that are
  /// all blocked none (host).
  bool shortcuts = true;
};

}  // namespace weft::inline v0
