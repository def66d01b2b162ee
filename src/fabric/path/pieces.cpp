#include "fabric/path/pieces.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace weft::fabric::path {
namespace {

constexpr std::int32_t kOfBefore = -3;  ///< the phase of the piece before it

/// Goes back along the records, and collects pieces from the last one on.
class Walk {
 public:
  Walk(const Recorder& recorder, const Profile& profile) : r_(recorder), p_(profile) {}

  std::vector<PathPiece> pieces() {
    const std::uint64_t last = std::min(r_.last().left, p_.cycles);
    to_ = r_.last_pe();
    add(PathKind::ending, last, p_.cycles, r_.last_pe());
    std::uint64_t end = last;
    for (std::uint32_t n = r_.last().record; n != 0;) {
      const Record& record = r_.records()[n];
      work(record, end);
      add(record.why, record.came, record.at, record.pe, record.color, record.pc);
      n = record.cause;
      const Record& cause = r_.records()[n];
      to_ = record.via;
      if (n == 0)  // nothing came before it: the host began it
        add(PathKind::host, 0, record.came, record.pe, record.color);
      else
        add(PathKind::on_the_way, record.left, record.came, cause.pe, record.color);
      end = record.left;
    }
    if (r_.last().record == 0) add(PathKind::host, 0, last, 0);
    std::ranges::reverse(all_);
    std::int32_t phase = -1;
    for (PathPiece& piece : all_) {
      if (piece.phase == kOfBefore) piece.phase = phase;
      phase = piece.phase;
    }
    return std::move(all_);
  }

 private:
  void add(PathKind kind, std::uint64_t from, std::uint64_t to, std::int32_t pe, int color = -1,
           std::int32_t pc = -1) {
    if (from >= to) return;
    const bool goes = kind == PathKind::on_the_way;
    const bool has_code =
        kind == PathKind::computing || kind == PathKind::task_start || kind == PathKind::streaming;
    const std::int32_t end = goes ? to_ : pe;
    const int width = p_.width;
    all_.push_back({from, to, kind, pe % width, pe / width, end % width, end / width, color,
                    has_code ? pc : -1, has_code ? phase_at(pe, pc, from) : kOfBefore});
  }

  void work(const Record& record, std::uint64_t end) {
    switch (record.work) {
      case Work::task: {
        const auto start = static_cast<std::uint64_t>(r_.machine().task_start_cycles);
        const std::uint64_t begun = std::min(record.at + start, end);
        compute(record, begun, end);
        return add(PathKind::task_start, record.at, begun, record.pe, record.color, record.pc);
      }
      case Work::computing:
        return compute(record, record.at, end);
      case Work::streaming:
        return add(PathKind::streaming, record.at, end, record.pe, record.color, record.pc);
      case Work::going:
        return add(PathKind::on_the_way, record.at, end, record.pe, record.color);
      case Work::nothing:
      case Work::unknown:  // the path would not be whole (missing.hpp)
        return;
    }
  }

  /// By line of the program, from the last one on.
  void compute(const Record& record, std::uint64_t begin, std::uint64_t end) {
    const auto& issued = r_.track(record.pe).issued;
    auto entry = before(record.pe, end);
    while (end > begin && entry != issued.begin()) {
      const std::int32_t pc = PeTrack::pc(*--entry);
      while (entry != issued.begin() && PeTrack::at(*entry) > begin &&
             line_of(record.pe, PeTrack::pc(*std::prev(entry))) == line_of(record.pe, pc))
        --entry;
      const std::uint64_t from = std::max(PeTrack::at(*entry), begin);
      add(PathKind::computing, from, end, record.pe, -1, PeTrack::pc(*entry));
      end = std::min(end, from);
    }
    add(PathKind::computing, begin, end, record.pe, -1, record.pc);
  }

  /// Past the last instruction that the PE issued before a cycle.
  std::vector<std::uint64_t>::const_iterator before(std::int32_t pe, std::uint64_t cycle) const {
    const auto& issued = r_.track(pe).issued;
    return std::ranges::lower_bound(issued, PeTrack::entry(cycle, 0));
  }

  const ProgramCounts* program(std::int32_t pe) const {
    const std::int32_t n = p_.program_of[static_cast<std::size_t>(pe)];
    return n < 0 ? nullptr : &p_.programs[static_cast<std::size_t>(n)];
  }
  std::int32_t line_of(std::int32_t pe, std::int32_t pc) const {
    return program(pe)->code[static_cast<std::size_t>(pc)].line;
  }

  /// Of code that several phases share, that of what the PE had issued before.
  std::int32_t phase_at(std::int32_t pe, std::int32_t pc, std::uint64_t cycle) const {
    const ProgramCounts* const its = program(pe);
    if (its == nullptr || pc < 0) return -1;
    const auto of = [&](std::int32_t n) { return its->code[static_cast<std::size_t>(n)].phase; };
    auto entry = before(pe, cycle + 1);
    std::int32_t phase = of(pc);
    while (phase == ProgramNotes::PhaseMark::kShared && entry != r_.track(pe).issued.begin())
      phase = of(PeTrack::pc(*--entry));
    return std::max(phase, -1);
  }

  const Recorder& r_;
  const Profile& p_;
  std::vector<PathPiece> all_{};
  std::int32_t to_ = 0;  ///< where a wavelet that is on its way comes to
};

}  // namespace

void add_path(const Recorder& recorder, Profile& profile) {
  profile.path = Walk(recorder, profile).pieces();
}

}  // namespace weft::fabric::path
