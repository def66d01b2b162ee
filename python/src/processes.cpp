#include "weft/processes.hpp"

#include <cstdint>

#include "bind.hpp"

namespace weft::python {
namespace {

/// The address of the MPI_Comm of a communicator of mpi4py's.
std::uintptr_t handle_of(const py::object& communicator) {
  try {
    const py::module_ mpi = py::module_::import("mpi4py.MPI");
    if (py::isinstance(communicator, mpi.attr("Comm")))
      return py::cast<std::uintptr_t>(mpi.attr("_addressof")(communicator));
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_ImportError)) throw;
  }
  throw Error(ErrorCategory::usage, "invalid processes: " + std::string(py::repr(communicator)),
              "processes that share a fabric are a communicator of mpi4py",
              "give mpi4py.MPI.COMM_WORLD, or None");
}

py::module_ own_module() {
  try {
    return py::module_::import("weft._weft_mpi");
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_ImportError)) throw;
    throw Error(ErrorCategory::environment, "this weft shares no fabrics among processes",
                "it was built without MPI, or without this part of it: " + text_of(e.value()),
                "build it where MPI is installed (libopenmpi-dev)");
  }
}

}  // namespace

std::shared_ptr<Processes> processes_of(const py::object& communicator) {
  if (communicator.is_none()) return {};
  const std::uintptr_t handle = handle_of(communicator);
  const py::module_ own = own_module();
  const py::object theirs = py::module_::import("mpi4py.MPI").attr("Get_library_version")();
  if (const std::string library = text_of(own.attr("library")()); library != text_of(theirs))
    throw Error(ErrorCategory::environment, "mpi4py has another MPI than this weft",
                "mpi4py: " + text_of(theirs) + ", weft: " + library,
                "install mpi4py for the MPI that weft was built with (Debian: python3-mpi4py)");
  const auto shared = py::cast<py::capsule>(own.attr("processes")(handle));
  return *shared.get_pointer<std::shared_ptr<Processes>>();
}

}  // namespace weft::python
