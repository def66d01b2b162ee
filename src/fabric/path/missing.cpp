#include "fabric/path/missing.hpp"

#include <algorithm>

#include "weft/program.hpp"

namespace weft::fabric::path {
namespace {

constexpr int kShared = ProgramNotes::PhaseMark::kShared;

class Search {
 public:
  explicit Search(const Recorder& recorder) : r_(recorder) {}

  std::vector<Missing> all() {
    std::uint64_t end = r_.last().left;
    for (std::uint32_t n = r_.last().record; n != 0; n = r_.records()[n].cause) {
      const Record& record = r_.records()[n];
      if (record.work == Work::unknown)
        add(record);
      else
        look_at_instructions(record, end);
      end = record.left;
    }
    return std::move(all_);
  }

 private:
  void add(const Record& unknown) { all_.push_back({unknown.pe, unknown.via}); }

  /// The pieces of a record's work begin with the last instruction before them, and of code that
  /// phases share, with the last one that is not.
  void look_at_instructions(const Record& record, std::uint64_t end) {
    if (record.pc < 0) return;
    const PeTrack& track = r_.track(record.pe);
    const auto later = std::ranges::upper_bound(track.stretches, end, {}, &Stretch::from);
    if (later == track.stretches.begin()) return;
    const Stretch& stretch = *std::prev(later);
    const auto first = std::ranges::lower_bound(track.issued, PeTrack::entry(stretch.from, 0));
    const bool is_task = record.work == Work::task;
    const std::uint64_t begun =
        record.at + (is_task ? static_cast<std::uint64_t>(r_.machine().task_start_cycles) : 0);
    const bool computes = end > begun && (is_task || record.work == Work::computing);
    const bool begins_there =
        !computes || (first != track.issued.end() && PeTrack::at(*first) <= begun);
    if (!begins_there || !phase_is_known(record, first)) add(r_.records()[stretch.before]);
  }

  bool phase_is_known(const Record& record,
                      std::vector<std::uint64_t>::const_iterator entry) const {
    const Program* const program = r_.program(record.pe);
    if (program == nullptr || !shares(*program)) return true;
    for (const auto& issued = r_.track(record.pe).issued;
         entry != issued.end() && PeTrack::at(*entry) <= record.came; ++entry)
      if (program->notes.phase_at(PeTrack::pc(*entry)) != kShared) return true;
    return false;
  }

  static bool shares(const Program& program) {
    return std::ranges::find(program.notes.phases, kShared, &ProgramNotes::PhaseMark::phase) !=
           program.notes.phases.end();
  }

  const Recorder& r_;
  std::vector<Missing> all_{};
};

}  // namespace

std::vector<Missing> missing(const Recorder& recorder) { return Search(recorder).all(); }

}  // namespace weft::fabric::path
