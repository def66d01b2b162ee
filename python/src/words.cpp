#include <cctype>
#include <utility>

#include "bind.hpp"

namespace weft::python {
namespace {

/// The longer ones first.
constexpr std::pair<const char*, const char*> kWords[] = {
    {"complex<float>", "complex64"},
    {"complex<Half>", "float16 (pairs)"},
    {"float", "float32"},
    {"Half", "float16"},
    {"from()", "from_()"},
    {"::", "."},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether text[at] to text[end - 1] is no part of a longer word.
bool stands_alone(const std::string& text, std::size_t at, std::size_t end) {
  const bool begins = at == 0 || !is_word(text[at]) || !is_word(text[at - 1]);
  return begins && (end == text.size() || !is_word(text[end - 1]) ||
                    (!is_word(text[end]) && text[end] != '-'));
}

}  // namespace

std::string in_python(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t step = 1;
    for (const auto& [word, ours] : kWords) {
      const std::size_t length = std::char_traits<char>::length(word);
      if (text.compare(at, length, word) != 0 || !stands_alone(text, at, at + length)) continue;
      text.replace(at, length, ours);
      step = std::char_traits<char>::length(ours);
      break;
    }
    at += step;
  }
  return text;
}

}  // namespace weft::python
