#include "arrays.hpp"

#include <cmath>
#include <limits>

namespace weft::python {
namespace {

/// The numbers that a type holds.
struct Range {
  double least, most;
  bool whole;
  const char* text;
};

template <class T>
constexpr Range whole(const char* text) {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), true, text};
}

/// Real numbers from `past` on are rounded to infinity.
Range real(double past, const char* text) {
  const double most = std::nextafter(past, 0.0);
  return {-most, most, false, text};
}

Range range_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
    case ElementType::c64:
      return real(0x1.ffffffp127, "numbers up to 3.4e38");
    case ElementType::f16:
    case ElementType::c32:
      return real(65520, "numbers up to 65504");
    case ElementType::i32:
      return whole<std::int32_t>("whole numbers from -2147483648 to 2147483647");
    case ElementType::i16:
      return whole<std::int16_t>("whole numbers from -32768 to 32767");
    case ElementType::u16:
      return whole<std::uint16_t>("whole numbers from 0 to 65535");
    default:
      return whole<std::uint32_t>("whole numbers from 0 to 4294967295");
  }
}

bool holds(const Range& range, double number) {
  if (!range.whole && !std::isfinite(number)) return true;
  return number >= range.least && number <= range.most &&
         (!range.whole || number == std::trunc(number));
}

[[noreturn]] void refuse(const std::string& number, const std::string& symbol, ElementType type) {
  throw Error(ErrorCategory::usage, "invalid value for " + symbol + ": " + number,
              symbol + " holds " + text_of(dtype_of(type)) + ": " + range_of(type).text,
              "write numbers that it can hold");
}

/// Arrays of objects and of text are none of numbers, though NumPy may convert some.
void check_numbers(const py::array& array, const std::string& symbol, ElementType type) {
  if (array.dtype().kind() == 'O') {
    for (const py::handle each : array.attr("ravel")().attr("tolist")())
      if (PyNumber_Check(each.ptr()) == 0) refuse(text_of(py::repr(each)), symbol, type);
  } else if (std::string("biufc").find(array.dtype().kind()) == std::string::npos) {
    refuse("an array of " + text_of(array.dtype()), symbol, type);
  }
}

/// NumPy does not warn of overflows and roundings while it lives.
class Quiet {
 public:
  Quiet() : state_(py::module_::import("numpy").attr("errstate")(py::arg("all") = "ignore")) {
    state_.attr("__enter__")();
  }
  ~Quiet() {
    py::error_scope raised;
    try {
      state_.attr("__exit__")(py::none(), py::none(), py::none());
    } catch (py::error_already_set& e) {
      e.discard_as_unraisable("NumPy's errstate");
    }
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  py::object state_;
};

}  // namespace

py::array as_array(const py::object& given) {
  return py::module_::import("numpy").attr("asarray")(given);
}

py::array as_array(const py::object& given, const py::dtype& type) {
  return py::module_::import("numpy").attr("asarray")(given, type, py::arg("order") = "C");
}

py::array elements_from(const std::string& symbol, const py::object& numbers, ElementType type) {
  py::array given = as_array(numbers);
  check_numbers(given, symbol, type);
  const Quiet quiet;
  if (given.dtype().kind() == 'O') given = as_array(given, py::dtype("float64"));
  const bool parts = given.dtype().kind() == 'c';
  if (parts && type != ElementType::c64) refuse("an array of complex numbers", symbol, type);
  const py::array wide = as_array(given, py::dtype(parts ? "complex128" : "float64"));
  const auto* const all = static_cast<const double*>(wide.data());
  const Range range = range_of(type);
  const py::ssize_t each = parts ? 2 : 1;
  for (py::ssize_t n = 0; n < each * wide.size(); ++n)
    if (!holds(range, all[n]))
      refuse(text_of(given.attr("flat").attr("__getitem__")(n / each)), symbol, type);
  return as_array(given, dtype_of(type));
}

py::array launch_values(const std::string& symbol, const py::object& given) {
  const py::array array = as_array(given);
  const char kind = array.dtype().kind();
  if (kind == 'c')
    throw Error(ErrorCategory::usage, "invalid values for " + symbol + ": complex numbers",
                "values at launch are real", "declare it with array, and use Fabric.write");
  const bool typed =
      py::isinstance<py::array>(given) || kind == 'b' || (kind == 'u' && array.itemsize() <= 4);
  if (typed) return array;
  return elements_from(symbol, array, kind == 'f' ? ElementType::f32 : ElementType::i32);
}

bool truth_of(const py::object& result) {
  const PyNumberMethods* const methods = Py_TYPE(result.ptr())->tp_as_number;
  if (methods == nullptr || methods->nb_bool == nullptr) return py::cast<bool>(result);
  const int truth = PyObject_IsTrue(result.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}

int whole_of(const py::object& result) {
  if (PyIndex_Check(result.ptr()) == 0) return py::cast<int>(result);
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(result.ptr()));
  if (!number) throw py::error_already_set();
  return py::cast<int>(number);
}

}  // namespace weft::python
