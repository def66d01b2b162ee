// Bytes that are deflated, read back by zlib.
#include "io/deflate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>
#include <string_view>

namespace weft::test::deflate_test {
namespace {

using io::Deflater;

std::string inflated(std::string bytes, Deflater::Form form, std::size_t size) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, form == Deflater::Form::raw ? -15 : 15 + 16), Z_OK);
  std::string text(size + 1, '\0');  // room for one that does not belong there
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0U);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

/// Half of it noise, which deflate makes longer: more than one of its buffers.
std::string much() {
  std::mt19937 random(1);
  std::string text(300'000, 'a');
  for (std::size_t n = 0; n < text.size() / 2; ++n) text[n] = static_cast<char>(random());
  return text;
}

TEST(Deflate, BytesThatGoInByPiecesComeOutWhole) {
  for (const auto form : {Deflater::Form::raw, Deflater::Form::gzip})
    for (const auto effort : {Deflater::Effort::least, Deflater::Effort::more}) {
      Deflater deflater(form, effort);
      for (const std::string& text : {much(), std::string(), std::string("a"), much()}) {
        std::string deflated;
        for (std::size_t at = 0; at < text.size(); at += 70'000)
          deflater.deflate(std::string_view(text).substr(at, 70'000), false, deflated);
        deflater.deflate({}, true, deflated);
        EXPECT_TRUE(inflated(deflated, form, text.size()) == text) << text.size();
      }
    }
}

TEST(Deflate, NumbersThatAreAlikeBecomeFewBytes) {
  Deflater deflater(Deflater::Form::raw, Deflater::Effort::least);
  std::string deflated;
  deflater.deflate(std::string(1'000'000, 'a'), true, deflated);
  EXPECT_LT(deflated.size(), 10'000U);
}

TEST(Deflate, CheckSumsAreThoseOfGzip) {
  const std::string text = much();
  const std::string_view all(text);
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  EXPECT_EQ(io::crc_of(io::crc_of(0, all.substr(0, 1000)), all.substr(1000)), sum);
}

}  // namespace
}  // namespace weft::test::deflate_test
