# The short way in. Everything here is a few CMake and CTest calls on the presets.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo build check test test-all test-rest test-rest-release test-asan-ubsan \
  test-ubsan-all test-tsan test-clang fuzz mutants bench gpu-check tidy clean packages

JOBS ?= $(shell nproc)
FUZZ_SEED ?= $(shell date +%s)000000
FUZZ_CASES ?= 1000000
FUZZ_VALID ?= 20000
FUZZ_MACHINES ?= 10000
FUZZ_KERNEL ?= 20000
BENCH_ARGS ?=
TIDY ?= src
WEFT := build/release/weft
DEMO_INPUT := /usr/share/mricron/templates/ch2.nii.gz
DEMO_PICTURE := build/demo/brain.png
DEMO_RUN := build/demo/run.weft
# ThreadSanitizer of g++ 12 does not start where the kernel randomises addresses by more than 28
# bits, so its tests run without randomisation where that is allowed.
FIXED_ADDRESSES = $(shell setarch --addr-no-randomize true 2>/dev/null && echo setarch --addr-no-randomize)

# A new build/release is for this machine: the step for its widest vectors, and the CUDA engine if it
# has a GPU. `make test-rest` and `make gpu-check` add what other machines need, and that stays.
FIRST_TIME = $(if $(wildcard build/release/CMakeCache.txt),,-DWEFT_STEP_NATIVE=ON \
  $(if $(wildcard /dev/nvidiactl /dev/dxg),,-DWEFT_CUDA=OFF))
EVERYTHING = -DWEFT_STEP_NATIVE=OFF -DWEFT_CUDA=ON
LEFT_OUT = "Left out: most random cases, other step variants, the CUDA engine and its kernel, installation,\
  the site of the docs, the page in browsers, counts of instructions, clang-tidy and sanitizers;\
  make test-rest runs them (30 to 60 minutes on two cores)."
# What a landing runs draws other random cases for each commit: over landings that finds more.
TEST_SEED := $(shell printf %d 0x$$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0))

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-16s %s\n", $$1, $$2}' Makefile

demo: build ## transform a brain volume on 256 x 256 emulated PEs and draw it beside its spectrum
	@mkdir -p $(dir $(DEMO_PICTURE))
	$(WEFT) fft --shape 256,256,256 --input $(DEMO_INPUT) --fit pad --png $(DEMO_PICTURE)
	$(WEFT) fft --shape 64,64,64 --quiet --profile $(DEMO_RUN)
	$(WEFT) view $(DEMO_RUN)
	@echo "The picture of a slice and the spectrum is $(CURDIR)/$(DEMO_PICTURE)"
	@echo "The page of a run on 64 x 64 PEs is $(CURDIR)/$(DEMO_RUN:.weft=.html): open it in a browser"

build: packages ## build the library and the command line tool (build/release/weft)
	cmake --preset release $(FIRST_TIME)
	cmake --build --preset release --parallel $(JOBS) --target weft-cli

check: packages ## after a change of the step: one step variant without CUDA, and the tests of the fabric
	cmake --preset check
	cmake --build --preset check --parallel $(JOBS)
	WEFT_TEST_EFFORT=quick scripts/run-tests check --parallel $(JOBS)

test: packages ## build what runs on this machine, and run its tests (10 to 20 minutes on two cores)
	cmake --preset release $(FIRST_TIME)
	cmake --build --preset release --parallel $(JOBS) --target weft-cli weft-quick-tests
	WEFT_TEST_EFFORT=quick scripts/run-tests release --left-out $(LEFT_OUT) -L '^quick$$' --parallel $(JOBS)

test-all: test test-rest ## run all tests: make test, then make test-rest

test-rest: test-rest-release test-asan-ubsan test-tsan ## run what make test leaves out

test-rest-release: packages # the rest of the tests without sanitizers
	-@scripts/ensure-packages clang-tidy-16 valgrind libopenmpi-dev openmpi-bin libfftw3-mpi-dev python3-mpi4py  # without them, their tests are skipped
	cmake --preset release $(EVERYTHING)
	cmake --build --preset release --parallel $(JOBS)
	WEFT_TEST_SEED=$(TEST_SEED) scripts/run-tests release -L '^rest$$' --parallel $(JOBS)

test-asan-ubsan: packages ## run the tests labelled "sanitize" under AddressSanitizer and UBSan
	cmake --preset asan-ubsan
	cmake --build --preset asan-ubsan --parallel $(JOBS)
	WEFT_TEST_SEED=$(TEST_SEED) scripts/run-tests asan-ubsan --parallel $(JOBS)

test-ubsan-all: packages ## the same with the checks of UBSan that are dear to compile: null, alignment, object-size, pointer-overflow, vptr
	cmake --preset ubsan-all
	cmake --build --preset ubsan-all --parallel $(JOBS)
	WEFT_TEST_SEED=$(TEST_SEED) scripts/run-tests ubsan-all --parallel $(JOBS)

test-tsan: packages ## run the tests labelled "threads" under ThreadSanitizer
	cmake --preset tsan
	cmake --build --preset tsan --parallel $(JOBS)
	WEFT_TEST_SEED=$(TEST_SEED) $(FIXED_ADDRESSES) scripts/run-tests tsan --parallel $(JOBS)

test-clang: packages ## build with clang instead of g++, one step variant without CUDA, and run the tests of the fabric
	@scripts/ensure-packages clang-16
	cmake --preset clang
	cmake --build --preset clang --parallel $(JOBS)
	WEFT_TEST_EFFORT=quick scripts/run-tests clang --parallel $(JOBS)

fuzz: packages ## random machines' transforms, then valid programs and random fabrics, also of the PE step and its kernel, against the reference (FUZZ_SEED, FUZZ_MACHINES, FUZZ_VALID, FUZZ_CASES, FUZZ_KERNEL)
	cmake --preset release $(FIRST_TIME)
	cmake --build --preset release --parallel $(JOBS) \
	  --target weft-test-differential weft-test-pe_step weft-test-pe_kernel weft-test-property
	WEFT_FUZZ_SEED=$(FUZZ_SEED) WEFT_FUZZ_CASES=$(FUZZ_MACHINES) \
	  build/release/tests/weft-test-property --gtest_filter='MachinesOnDemand.*'
	WEFT_FUZZ_SEED=$(FUZZ_SEED) WEFT_FUZZ_CASES=$(FUZZ_MACHINES) \
	  build/release/tests/weft-test-differential --gtest_filter='TransformsOnDemand.*'
	WEFT_FUZZ_SEED=$(FUZZ_SEED) WEFT_FUZZ_CASES=$(FUZZ_VALID) \
	  build/release/tests/weft-test-differential --gtest_filter='ValidProgramsOnDemand.*'
	WEFT_FUZZ_SEED=$(FUZZ_SEED) WEFT_FUZZ_CASES=$(FUZZ_CASES) \
	  build/release/tests/weft-test-differential --gtest_filter='RandomFabricsOnDemand.*'
	WEFT_FUZZ_SEED=$(FUZZ_SEED) WEFT_FUZZ_CASES=$(FUZZ_CASES) \
	  build/release/tests/weft-test-pe_step --gtest_filter='PeStepOnDemand.*'
	WEFT_FUZZ_SEED=$(FUZZ_SEED) WEFT_FUZZ_CASES=$(FUZZ_KERNEL) \
	  build/release/tests/weft-test-pe_kernel --gtest_filter='PeKernelOnDemand.*'

mutants: packages ## plant each fault of tests/mutants/table.py in a copy of the sources, and see that a test finds it (build/mutants)
	python3 -B tests/mutants/run.py

bench: packages ## run the benchmarks, print a table and draw a plot (BENCH_ARGS are passed to each)
	@scripts/ensure-packages python3
	cmake --preset release $(FIRST_TIME)
	cmake --build --preset release --parallel $(JOBS) --target weft-bench
	bench/run build/release/bench $(BENCH_ARGS)

gpu-check: packages ## build the folder build/gpu-check, which checks a GPU elsewhere, and try it here
	cmake --preset release $(EVERYTHING)
	cmake --build --preset release --parallel $(JOBS) --target weft-gpu-check
	build/gpu-check-tried/run --imitation --out build/gpu-check-tried/report
	@echo "Copy build/gpu-check to a machine with a GPU, and run there: gpu-check/run"

tidy: packages ## check the sources of TIDY (src) with clang-tidy; any finding is an error
	@scripts/ensure-packages clang-16 clang-tidy-16
	cmake --preset clang
	run-clang-tidy-16 -quiet -p build/clang -j $(JOBS) '$(CURDIR)/($(TIDY))/.*[.]cpp$$'

clean: ## remove everything that was built
	rm -rf build

packages: # install missing Debian packages (packages.txt); nothing to do where all are there
	@scripts/ensure-packages

.PHONY: lint format hooks docs

lint: ## check format, spelling and scripts, some seconds
	-@scripts/ensure-packages clang-format codespell flake8 shellcheck  # a missing one is skipped
	@scripts/lint

format: ## format C++ and CUDA sources with clang-format
	@scripts/ensure-packages clang-format
	@scripts/lint --format

hooks: ## check the files of a commit as make lint does, before each git commit
	git config core.hooksPath scripts/hooks

docs: packages ## build the site of the documentation, build/docs/index.html (PYTHON_MODULE: the folder of a module that is built)
	@scripts/ensure-packages doxygen furo python3-breathe python3-myst-parser python3-sphinx \
	  python3-sphinx-copybutton
	$(if $(PYTHON_MODULE),,cmake --preset release $(FIRST_TIME))
	$(if $(PYTHON_MODULE),,cmake --build --preset release --parallel $(JOBS) --target weft-python)
	PYTHONPATH=$(or $(PYTHON_MODULE),build/release/python) docs/site/build
