#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct isal_zstream;

namespace weft::io {

/// Deflates bytes, piece by piece, by ISA-L.
class Deflater {
 public:
  enum class Form : std::uint8_t { raw, gzip };  ///< without a header, or as gzip does
  /// ISA-L's levels 1 and 2. Runs take the least: their tables are long, and 38 MB took 0.03 s.
  enum class Effort : std::uint8_t { least, more };

  Deflater(Form form, Effort effort);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Appends what is ready to `to`; with `is_last` all, and the next piece begins anew.
  void deflate(std::string_view bytes, bool is_last, std::string& to);

 private:
  void begin();

  Form form_;
  Effort effort_;
  std::vector<std::uint8_t> own_;  ///< kept by ISA-L beside the stream
  std::unique_ptr<isal_zstream> stream_;
};

/// gzip's check sum of bytes, after those before: 0 at first.
std::uint32_t crc_of(std::uint32_t before, std::string_view bytes);

}  // namespace weft::io
