#include "patterns/checks.hpp"

#include <fmt/format.h>

#include <limits>

#include "patterns/place.hpp"
#include "program/pe_impl.hpp"
#include "program/shared_memory.hpp"
#include "weft/error.hpp"

namespace weft::patterns {
namespace {

constexpr int kLongestLine = 4096;  // a fabric's side

[[noreturn]] void refuse(const std::string& what, const std::string& why,
                         const std::string& remedy) {
  throw Error(ErrorCategory::program, what, why, remedy);
}

[[noreturn]] void refuse_argument(const std::string& what, const std::string& why) {
  throw Error(ErrorCategory::usage, what, why, "give a number in this range");
}

std::string text_of(const PeVector& v) {
  return v.type() == ElementType::unspecified
             ? v.name()
             : fmt::format("{} ({})", v.name(), to_string(v.type()));
}

void refuse_shared(const char* pattern, const PeVector& out, const PeVector& in) {
  const bool moved = out.offset() || in.offset();
  refuse(fmt::format("{}: {} and {} {} memory", pattern, out.name(), in.name(),
                     moved ? "may share" : "share"),
         moved ? "a register moves one of them in the array of both"
               : "elements would be overwritten before they are sent",
         "give two arrays, or parts of one that do not overlap");
}

}  // namespace

PatternPlace place_in(const Design& design, const Rect& r, const std::string& name) {
  const bool inside = r.width > 0 && r.height > 0 && r.x >= 0 && r.y >= 0 &&
                      r.width <= design.width() - r.x && r.height <= design.height() - r.y;
  if (!inside)
    refuse(fmt::format("{} for {} x {} PEs from ({}, {}) on is outside the design", name, r.width,
                       r.height, r.x, r.y),
           fmt::format("the design has {} x {} PEs", design.width(), design.height()),
           "give a rectangle inside it");
  return {design.id(), r};
}

Port checked_side(Port to, const std::string& name) {
  if (to == Port::ramp)
    refuse(fmt::format("invalid side of {}: ramp", name), "the ramp leads to the PE's own core",
           "give one of the four sides");
  return to;
}

void check_place(PeProgram& pe, const PatternPlace& place, const char* pattern) {
  const Rect& r = place.where;
  const Questions* questions = PeProgramAccess::impl(pe).questions;
  if (questions != nullptr && questions->design != place.design)
    refuse(fmt::format("{}: a program of another design uses it", pattern),
           "its colors and routes are those of the design that it is made for",
           "make the pattern over the design whose program uses it");
  if (!pe.where([r](int x, int y) { return contains(r, x, y); }))
    refuse(fmt::format("{}: a PE outside its rectangle uses it", pattern),
           fmt::format("it is made for {} x {} PEs from ({}, {}) on", r.width, r.height, r.x, r.y),
           "give the program to these PEs only, or ask pe.where first");
}

void check_types(const char* pattern, const PeVector& out, const PeVector& in) {
  if (out.type() == in.type() || out.type() == ElementType::unspecified ||
      in.type() == ElementType::unspecified)
    return;
  refuse(fmt::format("{}: {} and {} differ in type", pattern, text_of(out), text_of(in)),
         "elements travel as they are, without conversion", "declare both with one type");
}

void check_written(const char* pattern, const PeVector& v) {
  for (const Dimension& d :
       v.kind() == PeVector::Kind::memory ? v.joined() : std::vector<Dimension>{})
    if (d.stride == 0 && d.extent > 1)
      refuse(fmt::format("{}: {} names its elements more than once", pattern, v.name()),
             "a repeated view is for sources", "give a view that names each element once");
}

void check_together(const PeProgram& pe, const char* pattern, const PeVector& out,
                    const PeVector& in) {
  PeProgramAccess::check_owner(pe, out);
  PeProgramAccess::check_owner(pe, in);
  check_types(pattern, out, in);
  check_written(pattern, in);
  if (may_share_memory(out, in)) refuse_shared(pattern, out, in);
}

void check_transfer(const PeProgram& pe, const char* pattern, const PeVector& out,
                    const PeVector& in) {
  if (out.size() != in.size() && out.size() != 0 && in.size() != 0)
    refuse(fmt::format("{}: {} and {} differ in length", pattern, out.name(), in.name()),
           fmt::format("one has {} elements, the other {}", out.size(), in.size()),
           "declare as many elements of both");
  check_together(pe, pattern, out, in);
}

void check_copy(const PeProgram& pe, const char* pattern, const PeVector& out, const PeVector& in) {
  if (!are_same_elements(out, in)) check_together(pe, pattern, out, in);
}

void check_elements(std::uint64_t n) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (n < 1 || n > kMost)
    refuse_argument(fmt::format("invalid count of elements: {}", n),
                    fmt::format("allowed: 1 to {}", kMost));
}

void check_length(int length, int least) {
  if (length < least || length > kLongestLine)
    refuse_argument(fmt::format("invalid length of a line: {} PEs", length),
                    fmt::format("allowed: {} to {}", least, kLongestLine));
}

void check_links(int links) {
  if (links < 0 || links > 2 * kLongestLine)
    refuse_argument(fmt::format("invalid count of links: {}", links),
                    fmt::format("allowed: 0 to {}", 2 * kLongestLine));
}

}  // namespace weft::patterns
