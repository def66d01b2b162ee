#include "fabric/profile/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::fabric {
namespace {

std::string type_of(const NpyField& field) {
  return fmt::format("'<{}{}'", field.is_signed ? 'i' : 'u', field.bytes);
}

}  // namespace

std::string npy_header(const std::vector<NpyField>& fields, const std::vector<std::size_t>& shape) {
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t kAlignment = 64;
  std::string type;
  if (fields.size() == 1 && fields.front().name.empty()) {
    type = type_of(fields.front());
  } else {
    std::vector<std::string> list;
    for (const NpyField& field : fields)
      list.push_back(fmt::format("('{}', {})", field.name, type_of(field)));
    type = fmt::format("[{}]", fmt::join(list, ", "));
  }
  std::string dictionary = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}",
                                       type, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t unpadded = kMagic.size() + 2 + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string header(kMagic);
  append(header, dictionary.size(), 2);
  return header + dictionary;
}

}  // namespace weft::fabric
