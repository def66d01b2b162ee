// The module weft._weft_mpi, built where MPI is: weft imports it when it is given a communicator,
// so that it needs no MPI otherwise.
#include "weft/mpi.hpp"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>

namespace py = pybind11;

PYBIND11_MODULE(_weft_mpi, m) {
  m.def("library", [] { return weft::mpi_library(); });
  // A std::shared_ptr<Processes> of the MPI_Comm at an address.
  m.def("processes", [](std::uintptr_t communicator) {
    using Shared = std::shared_ptr<weft::Processes>;
    auto shared =
        std::make_unique<Shared>(weft::mpi_processes(reinterpret_cast<const void*>(communicator)));
    return py::capsule(shared.release(), [](void* held) { delete static_cast<Shared*>(held); });
  });
}
