#include "by_line/shared_lines.hpp"

#include <algorithm>
#include <utility>

#include "base/processes.hpp"
#include "engine/process_ends.hpp"

namespace weft::by_line {

int strips_together(bool rows, int strips, int processes) {
  const int bundle = model::kLanes / (rows ? model::kStripHeight : model::kStripWidth);
  return (strips + bundle - 1) / bundle >= processes ? bundle : 1;
}

std::optional<LineFacts> SharedLines::facts_of_all(const std::optional<LineFacts>& mine) const {
  struct Given {
    std::uint32_t known;
    LineFacts facts;
  };
  LineFacts all;
  for (const Given& one : base::gathered(processes_, Given{mine.has_value(), mine.value_or(all)})) {
    if (one.known == 0) return {};
    all.colors |= one.facts.colors;
    all.along_rows |= one.facts.along_rows;
    all.along_columns |= one.facts.along_columns;
    all.blocked |= one.facts.blocked;
    all.reads_clock |= one.facts.reads_clock;
    all.code = std::max(all.code, one.facts.code);
    all.memory_bytes = std::max(all.memory_bytes, one.facts.memory_bytes);
  }
  if ((all.along_rows & all.along_columns) != 0) return {};
  return all;
}

std::function<void(std::uint64_t)> SharedLines::watched(
    std::function<void(std::uint64_t)> progress) {
  if (!progress) return progress;
  return [this, told = std::move(progress)](std::uint64_t cycle) {
    try {
      told(cycle);
    } catch (...) {
      progress_threw_ = true;
      throw;
    }
  };
}

void SharedLines::note(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const EqualLinesDiffered&) {
    end_ = PhaseEnd::equal_lines_differed;
  } catch (const LinesMet&) {
    end_ = PhaseEnd::lines_met;
  } catch (const engine::GivenUp&) {
    end_ = PhaseEnd::failed;
  } catch (...) {
    end_ = progress_threw_ ? PhaseEnd::stopped : PhaseEnd::failed;
    thrown_ = thrown;
  }
}

PhaseNews SharedLines::agree(PhaseNews mine) {
  mine.end = end_;
  const std::vector<PhaseNews> news = base::gathered(processes_, mine);
  PhaseNews all;
  for (const PhaseNews& one : news) {
    all.end = std::max(all.end, one.end);
    all.goes_on |= one.goes_on;
    all.wavelets += one.wavelets;
    all.reached = std::max(all.reached, one.reached);
    all.task_end = std::max(all.task_end, one.task_end);
    all.end_within = std::max(all.end_within, one.end_within);
  }
  if (all.end == PhaseEnd::equal_lines_differed) throw EqualLinesDiffered{};
  if (all.end == PhaseEnd::lines_met) throw LinesMet{};
  if (all.end == PhaseEnd::stopped) {
    if (end_ == PhaseEnd::stopped) std::rethrow_exception(thrown_);
    throw engine::stopped_by(static_cast<int>(
        std::ranges::find(news, PhaseEnd::stopped, &PhaseNews::end) - news.begin()));
  }
  if (all.end == PhaseEnd::failed) {
    lost_ = true;
    engine::throw_failure(processes_, end_ == PhaseEnd::failed ? thrown_ : nullptr);
  }
  return all;
}

std::uint64_t SharedLines::latest(std::uint64_t mine) const {
  return base::greatest(&processes_, mine);
}

void SharedLines::add_bits(std::vector<std::uint64_t>& words) {
  const std::uint64_t most = latest(words.size());
  std::vector<std::uint64_t> all;
  guard([&] {
    words.resize(most);
    all.resize(most * static_cast<std::uint64_t>(processes_.size()));
  });
  agree({});
  base::gather_into(processes_, words, all);
  for (std::size_t n = 0; n < all.size(); ++n) words[n % words.size()] |= all[n];
}

}  // namespace weft::by_line
