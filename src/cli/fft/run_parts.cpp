#include "cli/fft/run_parts.hpp"

#include <optional>
#include <string_view>

#include "base/first_error.hpp"
#include "base/of_first.hpp"
#include "base/processes.hpp"
#include "fft/parts.hpp"
#include "io/atomic_file.hpp"

namespace weft::cli {

std::vector<io::NumberRun> runs_of_part(const FftPart& part) {
  std::vector<io::NumberRun> runs;
  fft::for_runs(part, [&](std::size_t first, std::size_t count, std::size_t /*mine*/) {
    if (!runs.empty() && runs.back().first + runs.back().count == first)
      runs.back().count += count;
    else
      runs.push_back({first, count});
  });
  return runs;
}

RunParts::RunParts(const FftPlan& plan, FftDirection direction) {
  if (!plan.options().parts) return;
  processes_ = plan.options().processes;
  output_ = plan.output_part(direction);
}

void RunParts::add_up(std::span<std::uint64_t> mine) const {
  if (!in_parts()) return;
  const std::vector<std::uint64_t> all =
      base::gathered(*processes_, std::vector<std::uint64_t>(mine.begin(), mine.end()));
  for (std::size_t k = 0; k < mine.size(); ++k) {
    mine[k] = 0;
    for (std::size_t at = k; at < all.size(); at += mine.size()) mine[k] += all[at];
  }
}

void RunParts::add_up(io::Conversion& conversion) const {
  const auto [rounded, underflows] = sum<2>({conversion.rounded, conversion.underflows});
  conversion.rounded = rounded;
  conversion.underflows = underflows;
}

std::vector<std::uint64_t> RunParts::each(std::uint64_t mine) const {
  return in_parts() ? base::gathered(*processes_, mine) : std::vector<std::uint64_t>();
}

void RunParts::write_npy(const std::string& path, const io::Sides& sides,
                         std::span<const std::complex<float>> numbers) const {
  if (!in_parts()) return io::write_npy(path, sides, numbers);
  constexpr std::size_t kBytes = sizeof(std::complex<float>);
  const std::string header = io::npy_header(sides);
  std::optional<io::NewFile> file;  // in the first process
  const auto begun = base::of_first(*processes_, [&] {
    file.emplace(path);
    file->write(header);
    file->reserve(header.size() + output_.shape.size() * output_.ranges.size() * kBytes);
    return file->temporary_name();
  });
  base::in_all(processes_.get(), [&] {
    io::FilePart part(begun, path);
    std::size_t mine = 0;
    for (const io::NumberRun& run : runs_of_part(output_)) {
      const auto these = numbers.subspan(mine, run.count);
      part.write_at(header.size() + run.first * kBytes,
                    {reinterpret_cast<const char*>(these.data()), these.size_bytes()});
      mine += run.count;
    }
    part.finish();
  });
  base::in_all(processes_.get(), [&] {
    if (file) file->finish();
  });
}

}  // namespace weft::cli
