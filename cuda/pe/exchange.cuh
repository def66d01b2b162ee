#pragma once

#include "cuda/facilities.cuh"
#include "cuda/pe/fabric.hpp"
#include "cuda/pe/record.hpp"

/// PEs at a tile's edge and their neighbours in other tiles. Each has a cell of the rim for the
/// other: step() writes there, as into a neighbour's own, and a record brings it over.
namespace weft::pe_kernel {

/// The place of the rim that a link leads to; less than 0: it leads into no other tile.
template <class S>
WEFT_DEVICE int rim_place(const Fabric<S>& f, pe::Pe<S> pe, int link) {
  return static_cast<int>(pe.link(link).cell) - static_cast<int>(f.sizes.rim);
}

/// A neighbour's word into the inbox, and its wavelet into the queue.
template <class S>
WEFT_DEVICE void take(pe::Pe<S> pe, int link, unsigned parity, Record record, std::uint32_t note) {
  using ColorBits = typename S::StoredColors;
  pe::Inbox<S>& box = pe.inbox(parity);
  if (const int color = record.color(); color >= 0) {
    const pe::Router<S>& r = pe.router();
    const auto own = S::Ports::one(link, pe::color_bit(color));
    pe::slot_of(pe, own, (r.head.number(own) + r.held.number(own)) % S::kSlots) = record.payload();
    box.came[link] = static_cast<ColorBits>(pe::color_bit(color));
  }
  box.left[link] = static_cast<ColorBits>(record.left());
  box.note[link] = static_cast<std::uint8_t>(note | (record.control() ? pe::Note::kControl : 0U));
}

/// The word that a record tells of. All else stands in the record itself, which therefore needs no
/// order among other words: to acquire it would cost a GPU its first-level cache.
WEFT_DEVICE std::uint32_t take_note(const Edges& edges, int at) {
  cuda::fence();  // it is loaded after the record that tells of it,
  const std::uint32_t note = edges.notes[at];
  cuda::fence();  // and before the PE's next record, after which its word may change
  return note;
}
WEFT_DEVICE void put_note(const Edges& edges, int at, std::uint32_t note) {
  cuda::fence();  // it is stored after the neighbour's record that was taken in,
  edges.notes[at] = note;
  cuda::fence();  // and before the record that tells of it
}

/// By a PE at the edge, before a cycle: waits for the neighbours' records of the one before.
template <class S>
WEFT_DEVICE void take_in(const Fabric<S>& f, pe::Pe<S> pe, int tile, Stepped before) {
  for (int link = 0; link < kLinks; ++link) {
    const int place = rim_place(f, pe, link);
    if (place < 0) continue;
    const int at = Edges::at(f.tiles, tile, before.parity(), place);
    Record record{cuda::load_relaxed(f.edges.records + at)};
    while (record.turn() != before.turn()) {
      cuda::pause();
      record.word = cuda::load_relaxed(f.edges.records + at);
    }
    if (record.nothing()) continue;
    take(pe, link, before.parity(), record, record.note() ? take_note(f.edges, at) : 0U);
  }
}

/// The word for the neighbour beyond a link, from its cell, which is empty then.
template <class S>
WEFT_DEVICE Record collect(pe::Pe<S> pe, int link, unsigned parity, std::uint32_t& note) {
  const int side = pe::opposite(link);
  const pe::Cell<S> cell = pe.beyond(link);
  pe::Inbox<S>& box = cell.inbox(parity);
  Record record{0};
  if (box.came[side] != 0) {
    const pe::Colors came = box.came[side];
    const unsigned tail = pe.router().downstream_tail.number(S::Ports::one(link, came));
    const unsigned slot = (tail + S::kSlots - 1U) % S::kSlots;
    record = Record::wavelet(pe::slot_beyond(pe, pe.link(link), came, slot), pe::lowest(came),
                             (box.note[side] & pe::Note::kControl) != 0);
  }
  record.add_left(box.left[side]);
  note = box.note[side] & ~pe::Note::kControl;
  if (note != 0) record.add_note();
  if (!record.nothing()) box = {};
  return record;
}

/// By a PE at the edge, after each cycle.
template <class S>
WEFT_DEVICE void put_out(const Fabric<S>& f, pe::Pe<S> pe, int tile, Stepped now) {
  for (int link = 0; link < kLinks; ++link) {
    const int place = rim_place(f, pe, link);
    if (place < 0) continue;
    const int side = pe::opposite(link);
    const int there = place - f.tiles.side(link) + f.tiles.side(side);
    const int at = Edges::at(f.tiles, f.tiles.beyond(tile, link), now.parity(), there);
    std::uint32_t note = 0;
    Record record = collect(pe, link, now.parity(), note);
    record.set_turn(now.turn());
    if (note != 0) put_note(f.edges, at, note);
    cuda::store_relaxed(f.edges.records + at, record.word);
  }
}

}  // namespace weft::pe_kernel
