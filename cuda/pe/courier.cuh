#pragma once

#include "cuda/pe/block.cuh"
#include "cuda/pe/block_facts.cuh"
#include "cuda/pe/exchange.cuh"

/// Of a mesh that processes share, the block of the grid that has no tile: it carries records
/// between the rims at a cut and the host's memory, and facts after each block of cycles. So tiles
/// beside a cut do what they do beside another tile.
namespace weft::pe_kernel {

/// From here only, as all blocks must meet at the same line.
WEFT_DEVICE void meet_grid() { cuda::grid_sync(); }

/// In the courier's shared memory.
struct CourierState : BlockClock {
  Round round;
};

/// Where a column's records of a cut stand: those that go out in the rim of the tile beyond, those
/// that come in that of its own.
struct CutPlace {
  int link, tile, column;

  WEFT_DEVICE static CutPlace of(const Tiles& t, int x, int link) {
    const int place = x + t.shift_x;
    const int row = link == static_cast<int>(Port::north) ? 0 : t.down - 1;
    return {link, row * t.across + place / t.width, place % t.width};
  }
  WEFT_DEVICE int out(const Tiles& t, unsigned parity) const {
    return Edges::at(t, t.beyond(tile, link), parity, t.side(pe::opposite(link)) + column);
  }
  WEFT_DEVICE int in(const Tiles& t, unsigned parity) const {
    return Edges::at(t, tile, parity, t.side(link) + column);
  }
};

/// The record of this cycle. load(): of its word; gone(): it does not come any more.
template <class L, class G>
WEFT_DEVICE Record awaited(Stepped now, L load, G gone) {
  for (;;) {
    const Record record{load()};
    if (record.turn() == now.turn()) return record;
    if (gone()) break;
    cuda::pause();
  }
  Record nothing{0};
  nothing.set_turn(now.turn());
  return nothing;
}

/// A column's record from the rim to the host.
WEFT_DEVICE void carry_out(const Round& r, const Letters& to, int x, int link, Stepped now) {
  const int from = CutPlace::of(r.tiles, x, link).out(r.tiles, now.parity());
  const Record record = awaited(
      now, [&] { return cuda::load_relaxed(r.edges.records + from); }, [] { return false; });
  const int at = Letters::at(r.tiles.mesh_width, now.parity(), x);
  if (record.note()) {
    cuda::store_to_host(to.notes + at, take_note(r.edges, from));
    cuda::fence_for_host();
  }
  cuda::store_to_host(to.records + at, record.word);
}

/// And one from the host to the rim.
WEFT_DEVICE void carry_in(const Round& r, const Letters& from, int x, int link, Stepped now) {
  const int at = Letters::at(r.tiles.mesh_width, now.parity(), x);
  const Record record = awaited(
      now, [&] { return cuda::load_from_host(from.records + at); },
      [&] { return cuda::load_from_host(r.mail.given_up) != 0; });
  const int to = CutPlace::of(r.tiles, x, link).in(r.tiles, now.parity());
  if (record.note()) {
    cuda::fence_for_host();  // it is loaded after the record that tells of it
    put_note(r.edges, to, cuda::load_from_host(from.notes + at));
  }
  cuda::store_relaxed(r.edges.records + to, record.word);
}

/// What a thread carries in a cycle: of each column all that goes out, and then what comes.
WEFT_DEVICE void carry_cycle(const Round& r, Stepped now) {
  const auto for_cuts = [&](auto carry) {
    if (r.mail.north.out.records != nullptr) carry(r.mail.north, static_cast<int>(Port::north));
    if (r.mail.south.out.records != nullptr) carry(r.mail.south, static_cast<int>(Port::south));
  };
  const auto for_columns = [&](auto carry) {
    for (int x = static_cast<int>(threadIdx.x); x < r.tiles.mesh_width;
         x += static_cast<int>(blockDim.x))
      carry(x);
  };
  for_cuts([&](const CutMail& cut, int link) {
    for_columns([&](int x) { carry_out(r, cut.out, x, link, now); });
  });
  for_cuts([&](const CutMail& cut, int link) {
    for_columns([&](int x) { carry_in(r, cut.in, x, link, now); });
  });
}

struct StoreToHost {
  template <class How, class T>
  WEFT_DEVICE void operator()(How, T& mail, const T& value) const {
    cuda::store_to_host(&mail, value);
  }
};
struct LoadFromHost {
  template <class How, class T>
  WEFT_DEVICE void operator()(How, T& copy, const T& mail) const {
    copy = cuda::load_from_host(&mail);
  }
};

/// By one thread: the facts of all processes in the place of those of this one.
WEFT_DEVICE void bring_together(const CourierState& c, LaunchState& launch, BlockFacts& facts) {
  const std::uint64_t stepped = c.stepped + static_cast<std::uint64_t>(c.cycles);
  const BlockFacts mine = load_facts(facts);
  BlockFacts::each(c.round.mail.mine->facts, mine, StoreToHost{});
  cuda::fence_for_host();
  cuda::store_to_host(&c.round.mail.mine->stepped, stepped);
  while (cuda::load_from_host(&c.round.mail.all->stepped) != stepped) {
    if (cuda::load_from_host(c.round.mail.given_up) != 0) {
      cuda::store_relaxed(&launch.last, 1U);
      return;
    }
    cuda::pause();
  }
  cuda::fence_for_host();
  BlockFacts all;
  BlockFacts::each(all, c.round.mail.all->facts, LoadFromHost{});
  BlockFacts::each(facts, all, Store{});
  cuda::store_relaxed(&launch.last, cuda::load_from_host(&c.round.mail.all->last));
}

/// The courier's launch. Not a part of the kernel's code, whose registers it would take.
WEFT_HD_RARE void carry(LaunchState& launch) {
  CourierState& c = *reinterpret_cast<CourierState*>(cuda::shared_memory());
  if (threadIdx.x == 0) {
    begin_clock(c, launch);
    c.round = launch.round;
  }
  cuda::block_sync();
  for (int n = 0; !c.over && !c.last; ++n) {
    for (int k = 0; k < c.cycles; ++k)
      carry_cycle(c.round, {c.stepped + static_cast<std::uint64_t>(k)});
    BlockFacts& facts = launch.facts[n % 3];
    meet_grid();
    if (threadIdx.x == 0) bring_together(c, launch, facts);
    meet_grid();
    if (threadIdx.x == 0) {
      advance_clock(c, load_facts(facts));
      c.last = cuda::load_relaxed(&launch.last) != 0;
    }
    cuda::block_sync();
  }
}

}  // namespace weft::pe_kernel
