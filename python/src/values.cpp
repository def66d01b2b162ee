#include "values.hpp"

namespace weft::python {

py::object shown(const PortSet& ports) {
  py::list all;
  for (int port = 0; port < kPorts; ++port)
    if (ports.has(static_cast<Port>(port))) all.append(static_cast<Port>(port));
  return py::tuple(all);
}

void take(PortSet& ports, py::handle from) {
  ports = {};
  for (const py::handle port : from) ports = ports | py::cast<Port>(port);
}

py::ssize_t hash_of(const py::tuple& parts) {
  py::list hashed;
  for (const py::handle part : parts)
    if (py::isinstance<py::list>(part))
      hashed.append(py::tuple(py::cast<py::list>(part)));
    else if (py::isinstance<py::dict>(part))
      hashed.append(py::tuple(part.attr("items")()));
    else
      hashed.append(part);
  return py::hash(py::tuple(hashed));
}

std::string show(const py::object& self, const std::vector<const char*>& names) {
  std::string text;
  for (const char* name : names)
    text += (text.empty() ? "" : ", ") + std::string(name) + "=" +
            py::cast<std::string>(py::repr(self.attr(name)));
  return py::cast<std::string>(py::type::of(self).attr("__name__")) + "(" + text + ")";
}

}  // namespace weft::python
