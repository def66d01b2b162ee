#include "io/volume_file.hpp"
#include "weft/io.hpp"

namespace weft::inline v0 {

Volume read_volume(const std::string& path) { return io::read_volume(path); }

void write_volume(const std::string& path, const Volume& volume) { io::write_npy(path, volume); }

}  // namespace weft::inline v0
