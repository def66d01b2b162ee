#pragma once

#include "pe/state.hpp"

/// How a mesh is cut into tiles, one for each block of the grid, and how a tile's PEs are numbered:
/// a warp's PEs are a patch of 8 x 4, and patches at the tile's edge come first. Cells that stand
/// for the host come after the PEs, and then those for neighbours in other tiles: the rim.
namespace weft::pe_kernel {

inline constexpr int kPatchWidth = 8, kPatchHeight = 4;
static_assert(kPatchWidth * kPatchHeight == pe::kPatch);

/// All tiles have the same size; some of their PEs may be beyond the mesh.
struct Tiles {
  int mesh_width, mesh_height;  ///< PEs
  int width, height;            ///< PEs of a tile: whole patches
  int across, down;             ///< tiles
  int shift_x, shift_y;         ///< PEs of the first tiles before the mesh begins
  /// Beyond the first row, or the last one, the mesh goes on in another process.
  bool cut_north = false, cut_south = false;

  WEFT_HD int count() const { return across * down; }
  WEFT_HD int pes() const { return width * height; }
  WEFT_HD int rim() const { return 2 * (width + height); }
  /// Whole patches, with so many cells for the host.
  WEFT_HD int cells(int host = 0) const {
    return (pes() + host + rim() + pe::kPatch - 1) / pe::kPatch * pe::kPatch;
  }
  /// PEs of patches at the edge.
  WEFT_HD int edge_pes() const {
    const int columns = width / kPatchWidth, rows = height / kPatchHeight;
    const int inner = columns > 2 && rows > 2 ? (columns - 2) * (rows - 2) : 0;
    return pes() - inner * pe::kPatch;
  }
  /// The first place of a side's rim: sides to the west and the east have one for each row, those
  /// to the south and the north one for each column.
  WEFT_HD int side(int link) const {
    return link < 2 ? link * height : 2 * height + (link - 2) * width;
  }
  /// Tiles beyond the cut to the north, and all of which there are rims.
  WEFT_HD int tiles_before() const { return cut_north ? across : 0; }
  WEFT_HD int rims() const { return tiles_before() + count() + (cut_south ? across : 0); }
  WEFT_HD bool is_cut() const { return cut_north || cut_south; }
  /// A PE beside a cut may be of a patch that is not at the tile's edge.
  WEFT_HD bool is_uneven() const { return is_cut() && (shift_y != 0 || mesh_height % height != 0); }
  /// The tile beyond a side, if the mesh goes on there. Beyond cuts there are tiles of which only
  /// the rims are here: those to the north are numbered from -across on.
  WEFT_HD int beyond(int tile, int link) const {
    const int step = link < 2 ? 1 : across;
    return link == 1 || link == 2 ? tile + step : tile - step;
  }
};

/// Tiles of a size for a mesh.
inline Tiles tiles_of(int mesh_width, int mesh_height, int width, int height, int shift_x = 0,
                      int shift_y = 0) {
  return {mesh_width,
          mesh_height,
          width,
          height,
          (shift_x + mesh_width + width - 1) / width,
          (shift_y + mesh_height + height - 1) / height,
          shift_x,
          shift_y};
}

}  // namespace weft::pe_kernel
