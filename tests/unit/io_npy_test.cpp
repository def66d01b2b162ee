#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "io/volume_file.hpp"
#include "support/array_files.hpp"
#include "support/expect_error.hpp"
#include "support/half.hpp"
#include "support/temporary_folder.hpp"

namespace weft::io::io_npy_test {
namespace {

using test::bytes_of;
using test::expect_error;
using test::npy_dictionary;
using test::npy_file;
using Complex = std::complex<float>;

class Npy : public testing::Test {
 protected:
  Volume read(std::string_view bytes) const { return read_volume(folder_.write("a.npy", bytes)); }

  template <typename... Parts>
  void expect_refused(std::string_view bytes, Parts... parts) const {
    expect_error(
        ErrorCategory::input, [&] { read(bytes); }, "a.npy", parts...);
  }

  test::TemporaryFolder folder_;
};

const std::vector<float> kSix = {1, -2, 3.5F, 4, 5, 6};
const std::vector<double> kSixWide = {1, -2, 3.5, 4, 5, 6};
const std::vector<Complex> kSixReal = {1, -2, 3.5F, 4, 5, 6};
const std::vector<Complex> kThreeComplex = {{1, -2}, {3.5F, 4}, {5, 6}};

TEST_F(Npy, ReadsEveryTypeInEveryByteOrder) {
  const auto real = [&](const char* descr, const std::string& data) {
    const Volume volume = read(npy_file(npy_dictionary(descr, "(1, 2, 3)"), data));
    EXPECT_EQ(volume.shape, (Shape3{1, 2, 3})) << descr;
    EXPECT_EQ(volume.data, kSixReal) << descr;
  };
  const auto complex = [&](const char* descr, const std::string& data) {
    const Volume volume = read(npy_file(npy_dictionary(descr, "(3, 1, 1)"), data));
    EXPECT_EQ(volume.shape, (Shape3{3, 1, 1})) << descr;
    EXPECT_EQ(volume.data, kThreeComplex) << descr;
  };
  real("<f4", bytes_of(kSix));
  real(">f4", bytes_of(kSix, true));
  real("<f8", bytes_of(kSixWide));
  real(">f8", bytes_of(kSixWide, true));
  real("=f4", bytes_of(kSix));
  real("|f8", bytes_of(kSixWide));
  complex("<c8", bytes_of(kSix));
  complex(">c8", bytes_of(kSix, true));
  complex("<c16", bytes_of(kSixWide));
  complex(">c16", bytes_of(kSixWide, true));
}

/// Three numbers of a type, read in both byte orders.
template <typename T>
void expect_type(const test::TemporaryFolder& folder, const std::string& kind, const char* name,
                 const std::vector<T>& numbers, const std::vector<Complex>& expected,
                 std::uint64_t rounded = 0) {
  for (const bool swapped : {false, true}) {
    const std::string order = sizeof(T) == 1 ? "|" : swapped ? ">" : "<";
    const auto file =
        npy_file(npy_dictionary(order + kind, "(1, 1, 3)"), bytes_of(numbers, swapped));
    Conversion conversion;
    EXPECT_EQ(read_volume(folder.write("type.npy", file), &conversion).data, expected) << kind;
    EXPECT_EQ(conversion.type, name);
    EXPECT_FALSE(conversion.is_complex);
    EXPECT_EQ(conversion.rounded, rounded) << kind;
    EXPECT_EQ(conversion.underflows, 0u);
  }
}

template <typename T>
constexpr T kLeast = std::numeric_limits<T>::min();
template <typename T>
constexpr T kMost = std::numeric_limits<T>::max();

TEST_F(Npy, ReadsIntegersAndBool) {
  expect_type<std::uint8_t>(folder_, "b1", "bool", {0, 1, 2}, {0, 1, 1});
  expect_type<std::int8_t>(folder_, "i1", "int8", {-128, 0, 127}, {-128, 0, 127});
  expect_type<std::uint8_t>(folder_, "u1", "uint8", {0, 1, 255}, {0, 1, 255});
  expect_type<std::int16_t>(folder_, "i2", "int16", {-32768, 258, 32767}, {-32768, 258, 32767});
  expect_type<std::uint16_t>(folder_, "u2", "uint16", {0, 258, 65535}, {0, 258, 65535});
  expect_type<std::int32_t>(folder_, "i4", "int32", {kLeast<std::int32_t>, 16909060, 16777215},
                            {-0x1p31F, 16909060, 16777215});
  expect_type<std::uint32_t>(folder_, "u4", "uint32", {0, 1U << 31U, 16777215},
                             {0, 0x1p31F, 16777215});
  expect_type<std::int64_t>(folder_, "i8", "int64",
                            {kLeast<std::int64_t>, -3, std::int64_t{3} << 60},
                            {-0x1p63F, -3, 0x3p60F});
  expect_type<std::uint64_t>(folder_, "u8", "uint64", {0, std::uint64_t{1} << 63U, 0xffffff},
                             {0, 0x1p63F, 0xffffff});
}

TEST_F(Npy, CountsNumbersThatFloat32Rounds) {
  expect_type<std::int32_t>(folder_, "i4", "int32", {-16777217, 16777218, kMost<std::int32_t>},
                            {-16777216, 16777218, 0x1p31F}, 2);
  expect_type<std::uint32_t>(folder_, "u4", "uint32", {16777217, 16777219, kMost<std::uint32_t>},
                             {16777216, 16777220, 0x1p32F}, 3);
  // 2^60 + 2^36 + 1 lies above the middle of two floats, its nearest double in the middle.
  expect_type<std::int64_t>(folder_, "i8", "int64",
                            {(std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1,
                             -(std::int64_t{1} << 60), kMost<std::int64_t>},
                            {0x1p60F + 0x1p37F, -0x1p60F, 0x1p63F}, 2);
  expect_type<std::uint64_t>(folder_, "u8", "uint64", {1, 2, kMost<std::uint64_t>}, {1, 2, 0x1p64F},
                             1);
  expect_type<double>(folder_, "f8", "float64", {0.1, 0.5, 1e-40},
                      {0.1F, 0.5F, static_cast<float>(1e-40)}, 2);
}

TEST_F(Npy, CountsBothPartsOfAComplexNumberAndNotWhatBecomesZero) {
  const std::vector<double> numbers = {0.1, 1e-60, 0.5, 0.3, 0, -1e-60};
  Conversion conversion;
  read_volume(
      folder_.write("a.npy", npy_file(npy_dictionary("<c16", "(1, 1, 3)"), bytes_of(numbers))),
      &conversion);
  EXPECT_EQ(conversion.type, "complex128");
  EXPECT_TRUE(conversion.is_complex);
  EXPECT_EQ(conversion.rounded, 2u);
  EXPECT_EQ(conversion.underflows, 2u);
}

TEST_F(Npy, ReadsEveryFloat16) {
  std::vector<std::uint16_t> words;
  std::vector<Complex> expected;
  for (std::uint32_t word = 0; word < 0x10000; ++word) {
    if ((word & 0x7c00U) == 0x7c00U) continue;  // infinity and NaN
    words.push_back(static_cast<std::uint16_t>(word));
    expected.emplace_back(static_cast<float>(test::value(word)));
  }
  const std::string shape = fmt::format("(1, 1, {})", words.size());
  for (const bool swapped : {false, true}) {
    const std::string type = swapped ? ">f2" : "<f2";
    Conversion conversion;
    const std::string path =
        folder_.write("half.npy", npy_file(npy_dictionary(type, shape), bytes_of(words, swapped)));
    EXPECT_EQ(read_volume(path, &conversion).data, expected);
    EXPECT_EQ(conversion.type, "float16");
    EXPECT_EQ(conversion.rounded + conversion.underflows, 0u);
  }
  expect_refused(
      npy_file(npy_dictionary("<f2", "(1, 1, 2)"), bytes_of(std::vector<std::uint16_t>{0, 0xfc00})),
      "element (0, 0, 1) is -inf");
}

TEST_F(Npy, ReadsFortranOrder) {
  // Element (i, j, k) of the 1 x 2 x 3 array stands at i + 1 * (j + 2 * k).
  const Volume volume = read(npy_file(npy_dictionary("<f4", "(1, 2, 3)", true), bytes_of(kSix)));
  EXPECT_EQ(volume.data, (std::vector<Complex>{1, 3.5F, 5, -2, 4, 6}));
}

TEST_F(Npy, ReadsFormats2And3) {
  for (const int major : {2, 3}) {
    const auto file = npy_file(npy_dictionary("<f4", "(1, 2, 3)"), bytes_of(kSix), major);
    EXPECT_EQ(read(file).data, kSixReal) << major;
  }
}

TEST_F(Npy, ReadsDictionariesWrittenOtherwise) {
  for (const char* dictionary : {
           R"({"shape":(1,2,3,),"descr":"<f4","fortran_order":False})",
           "{ 'fortran_order' : False ,\n'descr': '<f4', 'shape': (1L, 2L, 3L) , }  \n",
       }) {
    EXPECT_EQ(read(npy_file(dictionary, bytes_of(kSix))).data, kSixReal) << dictionary;
  }
}

TEST_F(Npy, RefusesOtherElementTypesNamingTheRemedy) {
  for (const char* type : {"<i3", "<i16", "<u0", "<M8", "<U5", "f16", "|O", "<"}) {
    expect_refused(npy_file(npy_dictionary(type, "(1, 2, 3)"), std::string(24, '\0')), type,
                   ".astype(\"float32\")");
  }
  expect_refused(npy_file(npy_dictionary("<c32", "(1, 1, 1)"), std::string(32, '\0')), "<c32",
                 ".astype(\"complex64\")");
  expect_refused(npy_file("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }",
                          std::string(4, '\0')),
                 "fields", "array[\"name\"]");
}

TEST_F(Npy, ReadsOneAndTwoAxes) {
  const auto shape = [&](const char* sides) {
    return read(npy_file(npy_dictionary("<f4", sides), bytes_of(kSix))).shape;
  };
  EXPECT_EQ(shape("(6,)"), (Shape3{1, 1, 6}));
  EXPECT_EQ(shape("(3, 2)"), (Shape3{3, 1, 2}));
  EXPECT_EQ(read(npy_file(npy_dictionary("<f4", "(2, 2, 2, 2)"), std::string(64, '\0'))).shape,
            (Shape3{2, 2, 2, 2}));
  const Volume columns = read(npy_file(npy_dictionary("<f4", "(2, 3)", true), bytes_of(kSix)));
  EXPECT_EQ(columns.shape, (Shape3{2, 1, 3}));
  EXPECT_EQ(columns.data, (std::vector<Complex>{1, 3.5F, 5, -2, 4, 6}));
}

TEST_F(Npy, RefusesOtherNumbersOfAxesNamingTheShape) {
  expect_refused(npy_file(npy_dictionary("<f4", "()"), bytes_of(kSix)), "no axes", "()");
  expect_refused(npy_file(npy_dictionary("<f4", "(1, 1, 2, 3)"), bytes_of(kSix)), "too many axes",
                 "(1, 1, 2, 3)", "reshape it to (2, 3)");
  const std::string many(32 * 4, '\0');
  expect_refused(npy_file(npy_dictionary("<f4", "(2, 2, 2, 2, 2)"), many), "too many axes",
                 "(2, 2, 2, 2, 2)", "array[0]");
  expect_refused(npy_file(npy_dictionary("<f4", "(0, 2, 3)"), ""), "empty", "(0, 2, 3)");
}

TEST_F(Npy, RefusesSizesThatTheFileDoesNotHave) {
  const std::string data = bytes_of(kSix);
  const auto file = [&](const char* shape) { return npy_file(npy_dictionary("<f4", shape), data); };
  expect_refused(file("(2, 2, 3)"), "truncated", "2 x 2 x 3", "48 bytes");
  expect_refused(file("(1, 1, 3)"), "too long", "more bytes follow");
  expect_refused(file("(4294967296, 4294967296, 4294967296)"), "truncated");
  expect_refused(file("(4611686018427387904, 1, 1)"), "truncated");  // times 4 is 2^64
  expect_refused(file("(100000, 100000, 100000)"), "truncated");
  expect_refused(file("(18446744073709551616, 1, 1)"), "no valid side");
  expect_refused(file("(-1, 2, 3)"), "no valid side");
}

TEST_F(Npy, PassesOverZeroBytesBehindTheArray) {
  const auto file = npy_file(npy_dictionary("<f4", "(1, 2, 3)"), bytes_of(kSix));
  for (const std::size_t count : {1, 100, 70'000, 3'000'000})
    EXPECT_EQ(read(file + std::string(count, '\0')).data, kSixReal) << count;
  expect_refused(file + file, "too long", "more bytes follow");
}

TEST_F(Npy, RefusesBrokenHeaders) {
  const std::string whole = npy_file(npy_dictionary("<f4", "(1, 2, 3)"), bytes_of(kSix));
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) expect_refused(whole.substr(0, size));
  expect_refused("this is another kind of file", "does not begin as one", "numpy.save");
  expect_refused(npy_file(npy_dictionary("<f4", "(1, 2, 3)"), bytes_of(kSix), 4), "4.0");
  const std::string rest = ", 'shape': (1, 2, 3)}";
  for (const std::string& dictionary : std::vector<std::string>{
           "", "{}", "{'descr': '<f4', 'shape': (1, 2, 3)}", "{'fortran_order': Maybe" + rest,
           "{'descr': '<f4', 'fortran_order': False, 'colour': 'red'" + rest,
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False" + rest,
           "{'descr': '<f4, 'fortran_order': False" + rest,
           "{'descr': '', 'fortran_order': False" + rest,
           "{'descr': '<f4', 'fortran_order': False" + rest + " x"}) {
    expect_refused(npy_file(dictionary, bytes_of(kSix)), "numpy.save");
  }
}

TEST_F(Npy, NamesTheFirstElementThatIsNotFinite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto dictionary = npy_dictionary("<f4", "(1, 2, 3)");
  expect_refused(npy_file(dictionary, bytes_of(std::vector<float>{1, 2, 3, 4, kNan, kInfinity})),
                 "element (0, 1, 1) is nan", "nan_to_num");
  expect_refused(npy_file(dictionary, bytes_of(std::vector<float>{1, 2, -kInfinity, 4, 5, kNan})),
                 "element (0, 0, 2) is -inf");
  expect_refused(npy_file(npy_dictionary("<c8", "(1, 1, 3)"),
                          bytes_of(std::vector<float>{1, 2, 3, kNan, 5, 6})),
                 "element (0, 0, 1)");
  expect_refused(
      npy_file(npy_dictionary("<f8", "(1, 1, 2)"), bytes_of(std::vector<double>{1, -1e39})),
      "element (0, 0, 1) is -1e+39, too large for float32", "scale");
}

TEST_F(Npy, NamesElementsByTheIndexOfTheFile) {
  const std::vector<float> numbers = {1, 2, 3, 4, std::numeric_limits<float>::quiet_NaN(), 6};
  expect_refused(npy_file(npy_dictionary("<f4", "(6,)"), bytes_of(numbers)), "element (4) is nan");
  expect_refused(npy_file(npy_dictionary("<f4", "(2, 3)"), bytes_of(numbers)),
                 "element (1, 1) is nan");
  expect_refused(npy_file(npy_dictionary("<f4", "(2, 3)", true), bytes_of(numbers)),
                 "element (0, 2) is nan");
}

TEST_F(Npy, AxesThatAVolumeDoesNotHaveAreNotWritten) {
  const std::string path = folder_.file("out.npy");
  for (const auto& [shape, text] :
       {std::pair(Shape3{4, 1, 8}, "(4, 8)"), std::pair(Shape3{1, 1, 8}, "(8,)"),
        std::pair(Shape3{1, 4, 8}, "(1, 4, 8)")}) {
    write_npy(path, random_volume(shape, 1));
    EXPECT_NE(test::read_bytes(path).find(fmt::format("'shape': {}, }}", text)), std::string::npos)
        << text;
    EXPECT_EQ(read_volume(path).shape, shape);
  }
}

TEST_F(Npy, WrittenFilesReadBackExactly) {
  const Volume volume = random_volume({3, 4, 5}, 7);
  const std::string path = folder_.file("out.npy");
  write_npy(path, volume);
  const Volume back = read_volume(path);
  EXPECT_EQ(back.shape, volume.shape);
  EXPECT_EQ(back.data, volume.data);

  const std::string bytes = test::read_bytes(path);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.size(), 128 + volume.data.size() * 8);  // the header ends at a multiple of 64
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_NE(bytes.find("'descr': '<c8', 'fortran_order': False, 'shape': (3, 4, 5), }"),
            std::string::npos);
}

}  // namespace
}  // namespace weft::io::io_npy_test
