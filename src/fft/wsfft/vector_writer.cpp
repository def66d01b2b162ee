#include "fft/wsfft/vector_writer.hpp"

#include <algorithm>
#include <tuple>

#include "fft/wsfft/part_vectors.hpp"

namespace weft::wsfft {
namespace {

Dimension dimension(const Extent& e) {
  return {static_cast<std::uint16_t>(e.count), static_cast<std::int16_t>(e.stride)};
}

/// Holds a factor.
constexpr Reg kFactor{0};

bool same_shape(const View& one, const View& other) {
  return one.dimensions == other.dimensions &&
         std::equal(one.extents.begin(), one.extents.begin() + one.dimensions,
                    other.extents.begin(), [](const Extent& a, const Extent& b) {
                      return a.count == b.count && a.stride == b.stride;
                    });
}

}  // namespace

View::View(Reg base_, int offset_, std::initializer_list<Extent> extents_)
    : base(base_), offset(offset_), extents{}, dimensions(0), elements(1) {
  for (const Extent& e : extents_) {
    elements *= e.count;
    if (e.count == 1) continue;
    Extent* const outer = dimensions > 0 ? &extents[dimensions - 1] : nullptr;
    if (outer != nullptr && outer->stride == e.count * e.stride)
      *outer = {outer->count * e.count, e.stride};
    else
      extents[dimensions++] = e;
  }
  if (dimensions == 0) extents[dimensions++] = {1, 1};
}

void VectorWriter::add(const View& d, const View& a, const View& b) {
  start();
  const Dsr to = descriptor(d, false), first = descriptor(a, true), second = descriptor(b, false);
  PartVectors{p_, numbers_}.add(to, first, second);
}

void VectorWriter::subtract(const View& d, const View& a, const View& b) {
  start();
  const Dsr to = descriptor(d, false), first = descriptor(a, true), second = descriptor(b, false);
  PartVectors{p_, numbers_}.subtract(to, first, second);
}

void VectorWriter::multiply_add(const View& d, const View& a, const View& b) {
  start();
  const Dsr to = descriptor(d, false), first = descriptor(a, true), second = descriptor(b, false);
  PartVectors{p_, numbers_}.multiply_add(to, first, second);
}

void VectorWriter::multiply_add(const View& d, const View& a, float factor) {
  start();
  const Dsr to = descriptor(d, false), first = descriptor(a, true);
  const PartVectors parts{p_, numbers_};
  parts.load(kFactor, factor);
  parts.multiply_add(to, first, kFactor);
}

void VectorWriter::multiply(const View& d, const View& a, float factor) {
  start();
  const Dsr to = descriptor(d, false), first = descriptor(a, true);
  const PartVectors parts{p_, numbers_};
  parts.load(kFactor, factor);
  parts.multiply(to, first, kFactor);
}

void VectorWriter::copy(const View& d, const View& a) {
  start();
  const Dsr to = descriptor(d, false), from = descriptor(a, true);
  PartVectors{p_, numbers_}.move(to, from);
}

void VectorWriter::scale(const View& d, float factor) {
  start();
  const Dsr all = descriptor(d, true);
  PartVectors{p_, numbers_}.scale(all, kFactor, factor);
}

void VectorWriter::copy16(const View& d, const View& a) {
  start();
  const Dsr to = descriptor(d, false), from = descriptor(a, true);
  p_.vmov16(to, from);
}

void VectorWriter::copy32(const View& d, const View& a) {
  start();
  const Dsr to = descriptor(d, false), from = descriptor(a, true);
  p_.vmov32(to, from);
}

int VectorWriter::shape_of(const View& view) {
  const auto known =
      std::ranges::find_if(shapes_, [&](const Known& one) { return same_shape(one.view, view); });
  if (known != shapes_.end()) return static_cast<int>(known - shapes_.begin());
  const auto& [e0, e1, e2, e3] = view.extents;
  const ShapeId id = view.dimensions == 2 ? p_.shape({dimension(e0), dimension(e1)})
                     : view.dimensions == 3
                         ? p_.shape({dimension(e0), dimension(e1), dimension(e2)})
                         : p_.shape({dimension(e0), dimension(e1), dimension(e2), dimension(e3)});
  shapes_.push_back({view, id});
  return static_cast<int>(shapes_.size()) - 1;
}

Dsr VectorWriter::descriptor(const View& view, bool is_first) {
  const int shape = view.dimensions == 1 ? -1 : shape_of(view);
  const int stride = view.extents[0].stride;
  const auto same_place = [&](const Holds& h) {
    return h.known && h.base.index == view.base.index && h.offset == view.offset;
  };
  // Naming the base makes a descriptor one-dimensional; adding to it does not.
  const auto cost = [&](const Holds& h) {
    const bool reshape = h.shape != shape;
    int instructions = same_place(h) && !(reshape && shape == -1) ? 0 : 1;
    if (shape != -1) {
      const bool adds = h.known && h.base.index == view.base.index;
      return instructions + (reshape || (instructions == 1 && !adds) ? 1 : 0);
    }
    if (h.stride != stride) ++instructions;
    if (is_first && h.length != view.elements) ++instructions;
    return instructions;
  };
  int best = -1;
  for (int d = 0; d < static_cast<int>(holds_.size()); ++d) {
    if ((taken_ >> d & 1U) != 0 && cost(holds_[static_cast<std::size_t>(d)]) > 0) continue;
    const auto rank = [&](int k) {
      const Holds& h = holds_[static_cast<std::size_t>(k)];
      return std::tuple(cost(h), h.used);
    };
    if (best < 0 || rank(d) < rank(best)) best = d;
  }
  const Dsr d{static_cast<std::uint8_t>(best)};
  Holds& h = holds_[static_cast<std::size_t>(best)];
  if (shape == -1) {
    if (!same_place(h) || h.shape != -1) p_.dbaser(d, view.base, view.offset);
    if (h.stride != stride) p_.dstride(d, stride);
    if (is_first && h.length != view.elements) {
      p_.dlen(d, view.elements);
      h.length = view.elements;
    }
    h.stride = stride;
  } else {
    if (!same_place(h)) {
      if (h.shape == shape && h.known && h.base.index == view.base.index) {
        p_.dadd(d, zero_, view.offset - h.offset);
      } else {
        p_.dbaser(d, view.base, view.offset);
        h.shape = -1;
      }
    }
    if (h.shape != shape) p_.dshape(d, shapes_[static_cast<std::size_t>(shape)].id);
    h.length = view.elements;
  }
  h.known = true;
  h.base = view.base;
  h.offset = view.offset;
  h.shape = shape;
  h.used = ++now_;
  taken_ |= 1U << best;
  return d;
}

}  // namespace weft::wsfft
