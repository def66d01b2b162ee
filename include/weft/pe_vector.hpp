#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "weft/element.hpp"
#include "weft/instruction.hpp"
#include "weft/program.hpp"
#include "weft/types.hpp"

namespace weft::inline v0 {

/// A virtual channel: one that Design::color has handed out, or a number of the user's own.
struct Color {
  int number = 0;
  constexpr operator int() const noexcept { return number; }
};

/// A register of a PE, and the type of the value in it. It stands for its register wherever a
/// method of InstructionWriter takes a Reg.
struct PeScalar {
  Reg reg{0};
  ElementType type = ElementType::i32;
  int scope = 0;  ///< of its program, at whose end the register is given back; 0: none
  constexpr operator Reg() const noexcept { return reg; }
};

/// A value written into a program: an integer or a floating-point number, which takes the type of
/// the register or vector that it is used with.
class PeValue {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr PeValue(T value)
      : real_(static_cast<double>(value)),
        whole_(std::is_floating_point_v<T> ? 0 : as_int(value)),
        is_whole_(!std::is_floating_point_v<T>) {}
  PeValue(Half value) : PeValue(static_cast<float>(value)) {}

  /// As 32 bits of a register, rounded to nearest. Throws Error(program) for a number that the type
  /// cannot hold: a fraction in an integer, or a finite number that would become infinite.
  std::uint32_t bits(ElementType type) const;

 private:
  template <class T>
  static constexpr std::int64_t as_int(T value) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_unsigned_v<T>)  // more is out of the range of all types
      return value > std::uint64_t{kMost} ? kMost : static_cast<std::int64_t>(value);
    else
      return static_cast<std::int64_t>(value);
  }
  double real_;
  std::int64_t whole_;
  bool is_whole_;
};

/// The operand of a vector instruction: elements in a PE's memory, a stream of wavelets, or a FIFO.
/// In memory it is a view, like one of NumPy's: slices of it name the same elements. It has up to
/// four dimensions, outermost first. Errors are Error(program), and name the vector.
class PeVector {
 public:
  enum class Kind : std::uint8_t { memory, input, output, fifo };

  /// Elements in memory from a byte address on, row by row: what PeProgram::array returns.
  static PeVector in_memory(std::string name, ElementType type, std::uint32_t address,
                            const std::vector<int>& extents);
  /// Wavelets of a color, from (input) or to the router; `count` 0: as many as the other operand.
  static PeVector stream(Kind kind, Color color, int count, bool control = false);
  /// The stream or FIFO, with a count of elements, where no other operand has one.
  PeVector counted(int count) const;

  Kind kind() const noexcept { return kind_; }
  ElementType type() const noexcept { return type_; }
  const std::string& name() const noexcept { return name_; }
  std::uint32_t address() const noexcept { return address_; }  ///< bytes; of the first element
  int dimensions() const noexcept { return dimensions_; }      ///< of Kind::memory: 1 to 4
  int extent(int dimension) const;                    ///< elements; dimension 0 is the outermost
  int size() const noexcept;                          ///< elements; of any view less than 2^31
  Color color() const noexcept { return color_; }     ///< of a stream
  bool control() const noexcept { return control_; }  ///< of a stream of control wavelets
  FifoId fifo() const noexcept { return {fifo_}; }    ///< of Kind::fifo
  const std::optional<PeScalar>& offset() const noexcept { return offset_; }
  const std::optional<PeScalar>& stride() const noexcept { return stride_by_; }
  const std::optional<PeScalar>& count() const noexcept { return count_by_; }
  bool by_register() const noexcept { return offset_ || stride_by_ || count_by_; }

  /// Of one dimension: `count` elements from `first` on, `step` apart.
  PeVector slice(int first, int count, int step = 1) const;
  /// Of one dimension: one element.
  PeVector at(int index) const { return slice(index, 1); }
  /// Of two dimensions: row `r`, column `c`, or `rows` x `columns` elements from (r, c) on.
  PeVector row(int r) const;
  PeVector column(int c) const;
  PeVector block(int r, int c, int rows, int columns) const;
  /// The same elements, in one dimension. They have to be evenly spaced.
  PeVector flat() const;
  /// Each element so many times, one after the other, in a new last dimension; all elements so many
  /// times, in a new first dimension (as NumPy's repeat and tile). For sources.
  PeVector repeated(int times) const;
  PeVector tiled(int times) const;
  /// Elements of 16 bits, two to a word: what one wavelet carries. Of one dimension, side by side,
  /// an even number from an even one on; the low half comes first.
  PeVector pairs() const;
  /// The view moved on by a number of bytes that a register holds when the instruction is issued.
  PeVector moved_by_bytes(PeScalar bytes) const;
  /// The view with so many elements from one to the next as a register holds when the instruction
  /// is issued. Of one dimension.
  PeVector strided_by(PeScalar elements) const;
  /// The first elements of the view, as many as a register holds when the instruction is issued: 0
  /// to size(). Of one dimension. The instruction's other operands are counted by the same register
  /// or by none.
  PeVector counted_by(PeScalar elements) const;

  /// The view's dimensions, those that can be joined being one; at least one.
  std::vector<Dimension> joined() const;

 private:
  friend class PeProgram;
  friend class PeFifo;
  PeVector with_dimension(int at, int times) const;
  /// Then its length or its steps are known in a run only.
  bool shaped_by_register() const noexcept { return stride_by_ || count_by_; }

  Kind kind_ = Kind::memory;
  ElementType type_ = ElementType::unspecified;
  std::string name_;
  std::uint64_t program_ = 0;  ///< that has it in its memory; 0: in_memory() said where it is
  std::uint32_t address_ = 0;
  int dimensions_ = 1;
  std::array<int, kDimensions> extent_{}, stride_{};  ///< the first `dimensions_`; in elements
  std::optional<PeScalar> offset_, stride_by_, count_by_;
  Color color_;
  bool control_ = false;
  std::uint8_t fifo_ = 0;
};

/// A circular buffer in a PE's memory, from PeProgram::fifo: as a destination it is pushed to, as a
/// source popped. It has no type: elements of any type of its size go in.
class PeFifo : public PeVector {
 public:
  PeFifo(const std::string& name, FifoId id);
  /// For instructions by number: dfifo, fifolen.
  operator FifoId() const noexcept { return fifo(); }
};

/// The question of a branch about two registers, or several such questions. By their order,
/// floating-point numbers take a comparison and a branch, and a NaN is in no order; whether they
/// are equal goes by their bits.
struct PeCondition {
  Op branch{};  ///< taken if the condition holds
  PeScalar a{};
  std::optional<PeScalar> b{};     ///< the other register, or
  std::optional<PeValue> value{};  ///< a value to compare with
  ElementType type{};
  bool swapped = false;  ///< the branch compares b or the value with a

  enum class Joined : std::uint8_t { no, all, any };
  Joined joined = Joined::no;        ///< it holds if all, or any, of these do:
  std::vector<PeCondition> parts{};  ///< asked in turn, until the answer is known
  bool negated = false;
};

/// Both hold; one or both do; it does not. In code: as few branches as tell the answer.
PeCondition operator&(const PeCondition& a, const PeCondition& b);
PeCondition operator|(const PeCondition& a, const PeCondition& b);
PeCondition operator~(const PeCondition& a);

PeCondition operator==(PeScalar a, PeScalar b);
PeCondition operator!=(PeScalar a, PeScalar b);
PeCondition operator<(PeScalar a, PeScalar b);
PeCondition operator>=(PeScalar a, PeScalar b);
PeCondition operator>(PeScalar a, PeScalar b);
PeCondition operator<=(PeScalar a, PeScalar b);
PeCondition operator==(PeScalar a, PeValue b);
PeCondition operator!=(PeScalar a, PeValue b);
PeCondition operator<(PeScalar a, PeValue b);
PeCondition operator>=(PeScalar a, PeValue b);
PeCondition operator>(PeScalar a, PeValue b);
PeCondition operator<=(PeScalar a, PeValue b);

}  // namespace weft::inline v0
