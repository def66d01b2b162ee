#include "program_ref.hpp"
#include "values.hpp"

/// Control flow and tasks of a PeProgram.
namespace weft::python {
namespace {

/// `with pe.repeat(10):` and the like.
struct Block {
  ProgramRef program;
  std::function<PeBlock(PeProgram&)> open;
  std::optional<PeBlock> block;
};

std::shared_ptr<Block> block(const ProgramRef& t, std::function<PeBlock(PeProgram&)> open) {
  (void)t->get();
  ++t->not_entered;
  return std::make_shared<Block>(Block{t, std::move(open), {}});
}

void bind_flow(py::class_<HeldProgram, ProgramRef>& c) {
  c.def(
      "repeat",
      [](const ProgramRef& t, int times) {
        return block(t, [times](PeProgram& p) { return p.open_repeat(times); });
      },
      py::arg("times"));
  c.def(
      "repeat",
      [](const ProgramRef& t, PeScalar times) {
        return block(t, [times](PeProgram& p) { return p.open_repeat(times); });
      },
      py::arg("times"));
  c.def(
      "range",
      [](const ProgramRef& t, PeScalar i, int first, int end, int step) {
        return block(t, [=](PeProgram& p) { return p.open_range(i, first, end, step); });
      },
      py::arg("i"), py::arg("first"), py::arg("end"), py::arg("step") = 1);
  c.def(
      "repeat_while",
      [](const ProgramRef& t, const PeCondition& condition) {
        return block(t, [condition](PeProgram& p) { return p.open_repeat_while(condition); });
      },
      py::arg("condition"));
  c.def(
      "when",
      [](const ProgramRef& t, const PeCondition& condition) {
        return block(t, [condition](PeProgram& p) { return p.open_when(condition); });
      },
      py::arg("condition"));
  c.def("scope",
        [](const ProgramRef& t) { return block(t, [](PeProgram& p) { return p.open_scope(); }); });
  c.def(
      "phase",
      [](const ProgramRef& t, const std::string& name) {
        return block(t, [name](PeProgram& p) { return p.open_phase(name); });
      },
      py::arg("name"));
  c.def("leave", [](const ProgramRef& t) { t->get().leave(); });
  c.def("pause", [](const ProgramRef& t) { t->get().pause(); });
  c.def("wait", [](const ProgramRef& t, const py::args& operations) {
    std::vector<PeOperation> all;
    const auto add = [&](const py::handle& o) {
      if (!py::isinstance<Operation>(o))
        throw Error(ErrorCategory::usage, "invalid operation of wait: " + std::string(py::repr(o)),
                    "it waits for vector operations",
                    "give what fill, copy, start and the like return");
      const auto& operation = py::cast<const Operation&>(o);
      if (operation.program != t)
        throw Error(ErrorCategory::usage, "an operation is of another program",
                    "each program waits for its own", "wait in the program that issued it");
      all.push_back(operation.operation);
    };
    for (const py::handle o : operations)
      if (py::isinstance<py::iterable>(o))
        for (const py::handle each : o) add(each);
      else
        add(o);
    t->get().wait(all);
  });
}

TaskPriority priority_of(const std::string& name) {
  if (name == "low") return TaskPriority::low;
  if (name == "high") return TaskPriority::high;
  throw Error(ErrorCategory::usage, "invalid priority: " + name, "a task has a low or a high one",
              "write \"low\" or \"high\"");
}

/// Whether it has a parameter by position, without a default.
bool takes_the_task(const py::function& body) {
  try {
    const py::object inspect = py::module_::import("inspect");
    const py::object empty = inspect.attr("Parameter").attr("empty");
    const int positional = py::int_(inspect.attr("Parameter").attr("POSITIONAL_OR_KEYWORD"));
    const py::object all = inspect.attr("signature")(body).attr("parameters").attr("values")();
    for (const py::handle parameter : all) {
      const py::object standard = parameter.attr("default");
      if (standard.is(empty) && py::cast<int>(py::int_(parameter.attr("kind"))) <= positional)
        return true;
    }
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError) && !e.matches(PyExc_TypeError)) throw;  // it does not tell
  }
  return false;
}

void write_body(const py::function& body, const Task& task) {
  if (takes_the_task(body))
    body(task);
  else
    body();
}

void bind_tasks(py::class_<HeldProgram, ProgramRef>& c) {
  c.def(
      "task",
      [](const ProgramRef& t, const std::string& name, const py::function& body,
         std::optional<int> id, const std::string& priority) {
        const std::function<void(Task)> write = [&](Task self) { write_body(body, self); };
        return t->get().task(name, write, id, priority_of(priority));
      },
      py::arg("name"), py::arg("body"), py::arg("id") = py::none(), py::arg("priority") = "low");
  c.def(
      "task",
      [](const ProgramRef& t, const Task& declared, const py::function& body) {
        t->get().task(declared, [&] { write_body(body, declared); });
        return declared;
      },
      py::arg("name"), py::arg("body"));
  c.def(
      "declare_task",
      [](const ProgramRef& t, const std::string& name, std::optional<int> id,
         const std::string& priority) {
        return t->get().declare_task(name, id, priority_of(priority));
      },
      py::arg("name"), py::arg("id") = py::none(), py::arg("priority") = "low");
  c.def(
      "subroutine",
      [](const ProgramRef& t, const std::string& name, const py::function& body) {
        return t->get().subroutine(name, [&] { body(); });
      },
      py::arg("name"), py::arg("body"));
  c.def(
      "call", [](const ProgramRef& t, const PeSubroutine& called) { t->get().call(called); },
      py::arg("subroutine"));
  c.def(
      "on_data",
      [](const ProgramRef& t, Color color, const py::function& body, const py::object& dtype,
         const std::string& priority) {
        return t->get().on_data(
            color, element_type(dtype), [&](PeScalar s) { body(s); }, priority_of(priority));
      },
      py::arg("color"), py::arg("body"), py::arg("dtype") = "uint32", py::arg("priority") = "low");
  c.def(
      "on_control",
      [](const ProgramRef& t, int entry, const py::function& body, const std::string& priority) {
        return t->get().on_control(
            entry, [&](PeScalar s) { body(s); }, priority_of(priority));
      },
      py::arg("entry"), py::arg("body"), py::arg("priority") = "low");
  c.def(
      "check",
      [](const ProgramRef& t, const PeCondition& condition, const std::string& text) {
        t->get().check(condition, text);
      },
      py::arg("condition"), py::arg("text"));
  c.def(
      "print",
      [](const ProgramRef& t, const std::string& name, PeScalar value) {
        t->get().print(name, value);
      },
      py::arg("name"), py::arg("value"));
  c.def(
      "keep_prints", [](const ProgramRef& t, int values) { t->get().keep_prints(values); },
      py::arg("values"));
  c.def(
      "start_unblocked", [](const ProgramRef& t, Color color) { t->get().start_unblocked(color); },
      py::arg("color"));
  c.def(
      "activate", [](const ProgramRef& t, const Task& task) { t->get().activate(task); },
      py::arg("task"));
  c.def(
      "block", [](const ProgramRef& t, const Task& task) { t->get().block(task); },
      py::arg("task"));
  c.def(
      "unblock", [](const ProgramRef& t, const Task& task) { t->get().unblock(task); },
      py::arg("task"));
}

}  // namespace

void bind_blocks(py::module_& m) {
  py::class_<Block, std::shared_ptr<Block>> opened(m, "_Block");
  handle(opened, kOfProgram, kWriteProgram);
  opened
      .def("__enter__",
           [](const std::shared_ptr<Block>& b) {
             b->block = b->open(b->program->get());
             --b->program->not_entered;
             return b;
           })
      .def("__exit__",
           [](Block& b, const py::object& type, const py::object&, const py::object&) {
             if (type.is_none() && b.block) b.program->get().close(*b.block);
             return false;
           })
      .def("otherwise", [](const std::shared_ptr<Block>& when) {
        return block(when->program, [when](PeProgram& p) {
          if (!when->block)
            throw Error(ErrorCategory::usage, "otherwise comes before its condition",
                        "it stands right after the end of a when", "write the when first");
          return p.open_otherwise(*when->block);
        });
      });
  py::class_<PeSubroutine> subroutine(m, "Subroutine");
  handle(subroutine, kOfProgram, kWriteProgram);
}

void bind_flow_and_tasks(py::class_<HeldProgram, ProgramRef>& program) {
  bind_flow(program);
  bind_tasks(program);
}

}  // namespace weft::python
