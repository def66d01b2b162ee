#include "io/deflate.hpp"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace weft::io {

Deflater::Deflater(Form form, Effort effort)
    : form_(form),
      effort_(effort),
      own_(effort == Effort::least ? ISAL_DEF_LVL1_DEFAULT : ISAL_DEF_LVL2_DEFAULT),
      stream_(std::make_unique<isal_zstream>()) {
  begin();
}

Deflater::~Deflater() = default;

void Deflater::begin() {
  ::isal_deflate_init(stream_.get());
  stream_->level = effort_ == Effort::least ? 1 : 2;
  stream_->level_buf = own_.data();
  stream_->level_buf_size = static_cast<std::uint32_t>(own_.size());
  stream_->gzip_flag = form_ == Form::gzip ? IGZIP_GZIP : IGZIP_DEFLATE;
}

void Deflater::deflate(std::string_view bytes, bool is_last, std::string& to) {
  std::array<std::uint8_t, 1 << 16> part;
  do {
    const std::size_t count =
        std::min<std::size_t>(bytes.size(), std::numeric_limits<std::uint32_t>::max());
    // ISA-L does not write to its input.
    stream_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
    stream_->avail_in = static_cast<std::uint32_t>(count);
    bytes.remove_prefix(count);
    stream_->end_of_stream = is_last && bytes.empty() ? 1 : 0;
    do {
      stream_->next_out = part.data();
      stream_->avail_out = static_cast<std::uint32_t>(part.size());
      static_cast<void>(::isal_deflate(stream_.get()));
      to.append(reinterpret_cast<const char*>(part.data()), part.size() - stream_->avail_out);
    } while (stream_->avail_out == 0 && stream_->internal_state.state != ZSTATE_END);
  } while (!bytes.empty());
  if (is_last) begin();
}

std::uint32_t crc_of(std::uint32_t before, std::string_view bytes) {
  return ::crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()),
                           bytes.size());
}

}  // namespace weft::io
