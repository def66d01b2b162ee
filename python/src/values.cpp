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

py::object shown(const std::shared_ptr<const Profile>& profile) {
  return py::cast(std::const_pointer_cast<Profile>(profile));
}

void take(std::shared_ptr<const Profile>& profile, py::handle from) {
  profile = py::cast<std::shared_ptr<Profile>>(from);
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

namespace {

py::object plain(const py::object& part) {
  if (py::hasattr(part, "as_dict")) return part.attr("as_dict")();
  if (!py::isinstance<py::list>(part)) return part;
  py::list all;
  for (const py::handle each : part) all.append(plain(py::reinterpret_borrow<py::object>(each)));
  return all;
}

/// 44745 as 44,745, and 0.12345678 as 0.123457.
std::string cell(const py::object& part) {
  const bool number = py::isinstance<py::int_>(part) && !py::isinstance<py::bool_>(part);
  const bool real = py::isinstance<py::float_>(part);
  const py::object text = number || real ? py::str(number ? "{:,}" : "{:.6g}").attr("format")(part)
                                         : py::object(py::str(part));
  return text_of(py::module_::import("html").attr("escape")(text));
}

std::string row(const std::string& name, const py::object& part, const char* indent = "") {
  return "<tr><th style=\"text-align:left\">" + std::string(indent) + cell(py::str(name)) +
         "</th><td>" + cell(part) + "</td></tr>";
}

/// A row for a part; for a report, or several, the title and a row for each of its parts.
std::string rows(const std::string& name, const py::object& part) {
  constexpr const char* kIndent = "&emsp;";
  std::string text;
  if (py::isinstance<py::dict>(part)) {
    for (const auto& [key, value] : py::cast<py::dict>(part))
      text += row(text_of(key), py::reinterpret_borrow<py::object>(value), kIndent);
  } else if (py::isinstance<py::list>(part)) {
    for (const py::handle phase : part)
      text += row(text_of(phase["name"]), phase["cycles"], kIndent);
  } else {
    return row(name, part);
  }
  return text.empty() ? "" : row(name, py::str("")) + text;
}

}  // namespace

py::dict as_dict(const py::object& self, const std::vector<const char*>& names) {
  py::dict parts;
  for (const char* name : names) parts[name] = plain(self.attr(name));
  return parts;
}

std::string as_html(const py::object& self, const std::vector<const char*>& names) {
  std::string text = "<table>";
  for (const auto& [name, part] : as_dict(self, names))
    text += rows(text_of(name), py::reinterpret_borrow<py::object>(part));
  return text + "</table>";
}

}  // namespace weft::python
