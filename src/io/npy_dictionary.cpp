#include "io/npy_dictionary.hpp"

#include <fmt/format.h>

#include <charconv>

#include "weft/error.hpp"

namespace weft::io {

namespace {

/// Reads the subset of Python's literals that the header may hold.
class Parser {
 public:
  Parser(std::string_view text, const std::string& source) : rest_(text), source_(source) {}

  NpyDictionary parse() {
    NpyDictionary dictionary;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      bool* seen = nullptr;
      if (key == "descr") {
        seen = &has_descr;
        dictionary.descr = parse_descr();
      } else if (key == "fortran_order") {
        seen = &has_order;
        dictionary.fortran_order = parse_bool();
      } else if (key == "shape") {
        seen = &has_shape;
        dictionary.shape = parse_tuple();
      } else {
        fail(fmt::format("its header has an unknown key '{}'", printable(key)));
      }
      if (*seen) fail(fmt::format("its header has '{}' twice", key));
      *seen = true;
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty()) fail("its header goes on after the dictionary");
    if (!has_descr || !has_order || !has_shape) {
      fail("its header lacks one of 'descr', 'fortran_order' and 'shape'");
    }
    return dictionary;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCategory::input, fmt::format("cannot read '{}'", source_), why,
                "save the array again with numpy.save");
  }

  static std::string printable(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 32)) result += c >= ' ' && c <= '~' ? c : '?';
    return result;
  }

  void skip_space() {
    const std::size_t end = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
  }

  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(fmt::format("its header lacks a '{}'", c));
  }

  bool accept_word(std::string_view word) {
    skip_space();
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::string parse_string() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_[0];
    if (quote != '\'' && quote != '"') fail("its header lacks a quoted name");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("its header has an open quote");
    std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }

  std::string parse_descr() {
    skip_space();
    if (!rest_.empty() && (rest_[0] == '[' || rest_[0] == '(')) {
      throw Error(ErrorCategory::input, fmt::format("cannot use the elements of '{}'", source_),
                  "they are records of several fields", "save one field, e.g. array[\"name\"]");
    }
    return printable(parse_string());
  }

  bool parse_bool() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail("its header's 'fortran_order' is neither True nor False");
  }

  std::vector<std::uint64_t> parse_tuple() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      values.push_back(parse_number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::uint64_t parse_number() {
    skip_space();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) fail("its header's 'shape' holds no valid side");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    accept('L');  // Python 2 wrote long integers so
    return value;
  }

  std::string_view rest_;
  const std::string& source_;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& source) {
  return Parser(text, source).parse();
}

}  // namespace weft::io
