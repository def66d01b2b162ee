#include "support/array_files.hpp"

#include <zlib.h>

#include <cstring>
#include <stdexcept>

namespace weft::test {

std::string npy_file(std::string_view dictionary, std::string_view data, int major) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    file += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  }
  file += dictionary;
  file += data;
  return file;
}

std::string npy_dictionary(std::string_view descr, std::string_view shape, bool fortran_order) {
  std::string text = "{'descr': '";
  text.append(descr).append("', 'fortran_order': ").append(fortran_order ? "True" : "False");
  text.append(", 'shape': ").append(shape).append(", }          \n");
  return text;
}

nifti_1_header nifti_header(const std::vector<short>& sides, short datatype) {
  nifti_1_header header{};
  header.sizeof_hdr = 348;
  header.dim[0] = static_cast<short>(sides.size());
  for (std::size_t axis = 0; axis < sides.size(); ++axis) header.dim[axis + 1] = sides[axis];
  header.datatype = datatype;
  header.vox_offset = 352;
  std::memcpy(header.magic, "n+1", 4);
  return header;
}

std::string nifti_file(const nifti_1_header& header, std::string_view data) {
  std::string file(reinterpret_cast<const char*>(&header), sizeof(header));
  file.append(4, '\0');
  file += data;
  return file;
}

std::string gzip(std::string_view bytes) {
  constexpr int kGzip = 15 + 16;  // zlib's way to ask for a gzip header
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib does not start");
  }
  std::string in(bytes);
  std::string out(deflateBound(&stream, static_cast<uLong>(in.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("zlib does not end");
  return out;
}

}  // namespace weft::test
