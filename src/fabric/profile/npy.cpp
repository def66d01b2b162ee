#include "fabric/profile/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft::fabric {
namespace {

std::string type_of(const NpyField& field) {
  return fmt::format("'{}{}{}'", field.bytes == 1 ? '|' : '<', field.is_signed ? 'i' : 'u',
                     field.bytes);
}

/// Format 1.0; then come two bytes of the dictionary's length.
constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);

std::string dictionary_of(const std::vector<NpyField>& fields,
                          const std::vector<std::size_t>& shape) {
  std::string type;
  if (fields.size() == 1 && fields.front().name.empty()) {
    type = type_of(fields.front());
  } else {
    std::vector<std::string> list;
    list.reserve(fields.size());
    for (const NpyField& field : fields)
      list.push_back(fmt::format("('{}', {})", field.name, type_of(field)));
    type = fmt::format("[{}]", fmt::join(list, ", "));
  }
  return fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': ({}{}), }}", type,
                     fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

std::string npy_header(const std::vector<NpyField>& fields, const std::vector<std::size_t>& shape,
                       std::size_t least) {
  constexpr std::size_t kAlignment = 64;
  std::string dictionary = dictionary_of(fields, shape);
  const std::size_t unpadded = kMagic.size() + 2 + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  const std::size_t padded = kMagic.size() + 2 + dictionary.size() + 1;
  if (padded < least) dictionary.append(least - padded, ' ');
  dictionary += '\n';
  std::string header(kMagic);
  append(header, dictionary.size(), 2);
  return header + dictionary;
}

std::optional<std::string_view> npy_numbers(std::string_view file,
                                            const std::vector<NpyField>& fields,
                                            const std::vector<std::size_t>& shape) {
  if (!file.starts_with(kMagic) || file.size() < kMagic.size() + 2) return {};
  file.remove_prefix(kMagic.size());
  const std::size_t length = take(file, 2);
  if (file.size() < length) return {};
  const std::string_view header = file.substr(0, length);
  const std::string dictionary = dictionary_of(fields, shape);
  if (!header.starts_with(dictionary) ||
      header.find_first_not_of(" \n", dictionary.size()) != std::string_view::npos)
    return {};
  std::size_t size = 0;
  for (const NpyField& field : fields) size += field.bytes;
  for (const std::size_t side : shape) size *= side;
  file.remove_prefix(length);
  if (file.size() != size) return {};
  return file;
}

std::optional<std::size_t> npy_length(std::string_view file, const std::vector<NpyField>& fields) {
  if (!file.starts_with(kMagic) || file.size() < kMagic.size() + 2) return {};
  std::string_view rest = file.substr(kMagic.size());
  const std::size_t length = take(rest, 2);
  std::size_t size = 0;
  for (const NpyField& field : fields) size += field.bytes;
  const std::size_t count = (rest.size() - std::min(rest.size(), length)) / size;
  return npy_numbers(file, fields, {count}) ? std::optional(count) : std::nullopt;
}

}  // namespace weft::fabric
