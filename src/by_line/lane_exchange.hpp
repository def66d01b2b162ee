#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "by_line/lane_fields.hpp"
#include "model/state/view.hpp"

namespace weft::by_line {

enum class Way : std::uint8_t { take, give };

/// Moves PEs between a strip of the bundle and those of the whole fabric in which they are.
/// `theirs`: the same part of each PE's strip there; null: it has none.
struct LaneCopy {
  std::span<const model::LaneAddress> addresses;  ///< by PE
  const std::uint8_t* lanes;                      ///< by PE: in the bundle
  const std::uint64_t* clock_lag;                 ///< by PE: as Bundle::clock_lag
  std::uint32_t unread;  ///< colors that an idle queue may keep as its present one

  template <class T>
  using Theirs = std::array<T*, model::kLanes>;

  template <class T, class Find>
  Theirs<T> find(Find there) const {
    Theirs<T> theirs{};
    for (std::size_t pe = 0; pe < addresses.size(); ++pe) theirs[pe] = there(addresses[pe].strip);
    return theirs;
  }

  template <Way way, class T>
  void fields(std::span<const LaneField> fields, T& own, const Theirs<T>& theirs) const {
    for (const LaneField& field : fields) one<way>(field, &own, theirs);
  }

 private:
  template <Way way, class T>
  void one(const LaneField& field, T* own, const Theirs<T>& theirs) const {
    for (std::size_t k = 0; k < field.count; ++k) {
      const std::size_t offset = field.offset + k * bytes_of(field.kind);
      switch (field.kind) {
        case Kind::bit:
          bits<way>(*at<model::Mask>(own, offset), theirs, offset);
          break;
        case Kind::byte:
          words<way, std::uint8_t>(own, theirs, offset);
          break;
        case Kind::half:
          words<way, std::uint16_t>(own, theirs, offset);
          break;
        case Kind::word:
          words<way, std::uint32_t>(own, theirs, offset);
          break;
        case Kind::cycle:
          cycles<way>(own, theirs, offset);
          break;
      }
    }
  }

  template <class Word, class T>
  static Word* at(T* object, std::size_t offset) {
    return reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(object) + offset);
  }

  template <Way way, class T>
  void bits(model::Mask& own, const Theirs<T>& theirs, std::size_t offset) const {
    if (way == Way::take) own = 0;
    for (std::size_t pe = 0; pe < addresses.size(); ++pe) {
      if (theirs[pe] == nullptr) continue;
      model::Mask& mask = *at<model::Mask>(theirs[pe], offset);
      const int there = addresses[pe].lane;
      if (way == Way::take)
        own |= (mask >> there & 1U) << lanes[pe];
      else
        mask = (mask & ~model::lane_bit(there)) | (own >> lanes[pe] & 1U) << there;
    }
  }

  template <Way way, class Word, class T>
  void words(T* own, const Theirs<T>& theirs, std::size_t offset) const {
    for (std::size_t pe = 0; pe < addresses.size(); ++pe) {
      if (theirs[pe] == nullptr) continue;
      Word& here = at<Word>(own, offset)[lanes[pe]];
      Word& there = at<Word>(theirs[pe], offset)[addresses[pe].lane];
      if (way == Way::take)
        here = there;
      else
        there = here;
    }
  }

  template <Way way, class T>
  void cycles(T* own, const Theirs<T>& theirs, std::size_t offset) const {
    for (std::size_t pe = 0; pe < addresses.size(); ++pe) {
      if (theirs[pe] == nullptr) continue;
      std::uint64_t& here = at<std::uint64_t>(own, offset)[lanes[pe]];
      std::uint64_t& there = at<std::uint64_t>(theirs[pe], offset)[addresses[pe].lane];
      if (way == Way::take)
        here = there + clock_lag[pe];
      else
        there = here - clock_lag[pe];
    }
  }
};

/// The cores of a strip.
template <Way way>
void move_core(const LaneCopy& lanes, model::CoreState& own,
               const LaneCopy::Theirs<model::CoreState>& theirs);
extern template void move_core<Way::take>(const LaneCopy&, model::CoreState&,
                                          const LaneCopy::Theirs<model::CoreState>&);
extern template void move_core<Way::give>(const LaneCopy&, model::CoreState&,
                                          const LaneCopy::Theirs<model::CoreState>&);

/// Finds what a strip's cores share, from what each has.
void find_shared(const model::View& v, model::StripState& strip, model::CoreState& core);

}  // namespace weft::by_line
