#include "io/atomic_file.hpp"
#include "io/deflate.hpp"
#include "weft/page.hpp"

namespace weft::inline v0 {

void write_page(const std::string& path, const Profile& profile, const PageOptions& options) {
  io::check_writable(path);
  io::Deflater deflater(io::Deflater::Form::raw, io::Deflater::Effort::more);
  io::write_file(path, page_text(profile, options, [&](std::string_view bytes) {
                   std::string deflated;
                   deflater.deflate(bytes, true, deflated);
                   return deflated;
                 }));
}

}  // namespace weft::inline v0
