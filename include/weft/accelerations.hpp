#pragma once

namespace weft::inline v0 {

/// Ways of the host engine to be faster. None changes a result or a cycle, alone or with others: so
/// all are on by default, and each can be switched off, to measure it or to look for an error in
/// it. (The reference engine has none, the CUDA engine has run_ahead and rehearsal.)
struct Accelerations {
  /// Rows and columns of PEs are stepped apart, where programs use one direction of the mesh at a
  /// time.
  bool by_line = true;
  /// By line: wavelets that all lines send alike are not stepped from router to router.
  bool rides = true;
  /// By line: lines that do the same take tasks and move elements of a vector together.
  bool together = true;
  /// Cores execute instructions that nobody else can notice before their cycle.
  bool run_ahead = true;
  /// Programs are executed once in advance, to know how long a core is private: cores that are wait
  /// for their neighbours, so that more of them execute an instruction together.
  bool rehearsal = true;
  /// A stream that goes straight through 64 PEs is passed on in few instructions.
  bool short_ways = true;
};

}  // namespace weft::inline v0
