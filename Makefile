# The common tasks, one word each. The build itself is CMake's: see CMakePresets.json.
#
#   make JOBS=4 test            use four processes (default: one a processor)
#   PLIANT_SKIP_SETUP=1 make    never install packages

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo addon build test check double bench goldens web player page site python wheel interchange ordinary torture fuzz format lint sanitize install clean

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
START := $(shell date +%s)

# $(call build,PRESET,CONFIGURE OPTIONS,TARGETS) configures and builds; no targets means all.
build = cmake --preset $(1) $(2) && cmake --build --preset $(1) --parallel $(JOBS) $(if $(3),--target $(3))
# $(call run_tests,PRESET,MORE OPTIONS)
run_tests = ctest --preset $(1) --parallel $(JOBS) --no-tests=error --output-log build/$(1)/ctest.log $(2)
# Double precision does not change what these show, and they take minutes there: `make double` runs them.
slow_in_double := --exclude-regex 'KeepsItsPromises/(marionette|market_stall|scarecrow|cloth_stack|cloth_twist|solids_pile|cloth_on_sphere|rigid_pile|rigid_tower|rigid_wall)|^ordinary$$|^animated'
# The benchmarks need more packages than the rest. A first build leaves them out, `make test` and
# `make bench` turn them on, and after that they stay on.
no_bench_yet = $(if $(wildcard build/release/CMakeCache.txt),,-DPLIANT_BENCH=OFF)
# From nothing, folders are compiled as one, which takes half the time. Where a build is there already it stays as it is: for
# daily work, `make build` compiles file by file.
from_nothing = $(if $(wildcard build/release/CMakeCache.txt),,-DPLIANT_UNITY=ON)
# The packages of the page, from the lock file: only when that has changed.
npm_install := cmp -s package-lock.json node_modules/.pliant-lock || { npm ci --no-audit --no-fund && cp package-lock.json node_modules/.pliant-lock; }
# The thread sanitizer cannot work where the kernel randomizes addresses too widely.
fixed_addresses := $(shell setarch -R true 2>/dev/null && echo setarch -R)

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

demo:  ## let a marionette dance: build, simulate, and write a page that plays, a picture and statistics to out/demo
	scripts/setup.sh build player
	$(call build,release,$(no_bench_yet) $(from_nothing),bin/pliant)
	mkdir -p out/demo
	$(MAKE) player || echo "No player could be built (npm needs its registry): the demo goes on without the page."
	build/release/bin/pliant run marionette --stats out/demo/stats.json --expect -o out/demo/marionette@432.png \
	  $$(test ! -f web/page/dist/player.html || echo -o out/demo/marionette.html)
	@echo
	@echo "Done. Look at"
	@test ! -f out/demo/marionette.html || echo "  out/demo/marionette.html      the dance: open it in a browser, turn it around, scrub, see its graphs"
	@echo "  out/demo/marionette@432.png   a large picture"
	@echo "  out/demo/stats.json           times, energies, strain and the hash of the state, frame by frame"
	@echo "\`build/release/bin/pliant view marionette\`, after \`make page\`, lets you pull at it."

build:  ## build everything in build/release: the library, build/release/bin/pliant and the tests
	scripts/setup.sh build
	$(call build,release,$(no_bench_yet))

test:  ## all that must pass: static checks, tests in float and double, Python, the page, a second compiler, equal hashes
	scripts/setup.sh test lint bench goldens web python player
	$(MAKE) check player
	cd python && $(npm_install)
	$(call build,release,-DPLIANT_BENCH=ON -DPLIANT_PYTHON=ON $(from_nothing),all wheel)
	$(call run_tests,release)
	$(call build,double,-DPLIANT_BENCH=OFF)
	$(call run_tests,double,$(slow_in_double))
	$(call build,clang,-DPLIANT_BENCH=OFF -DPLIANT_TESTS=OFF,bin/pliant)
	scripts/compare_hashes.sh
	$(call build,aarch64,,bin/pliant)
	scripts/goldens.py --program build/clang/bin/pliant
	scripts/goldens.py --quick --program "qemu-aarch64 build/aarch64/bin/pliant"
	tests/apps/portable_test.py build/release/bin/pliant "qemu-aarch64 build/aarch64/bin/pliant" glue_windmill
	$(MAKE) web
	scripts/goldens.py --quick --program "node web/engine/bin/pliant.js"
	PYTHONPATH=build/release/python /usr/bin/python3 tests/apps/portable_web_test.py
	cd web/page && npm run page && npm test
	@echo "All checks passed in $$(($$(date +%s) - $(START))) s. The tests in float and in double:"
	@grep -h 'tests passed' build/release/ctest.log build/double/ctest.log

check:  ## the fast static checks: direction of includes, format
	scripts/check_includes.py --self-test
	scripts/check_includes.py
	scripts/check_format.sh

double:  ## all tests in double precision, the slow ones too
	scripts/setup.sh test
	$(call build,double,-DPLIANT_BENCH=OFF)
	$(call run_tests,double)

bench:  ## build and run the benchmarks
	scripts/setup.sh bench
	$(call build,release,-DPLIANT_BENCH=ON)
	build/release/bin/pliant bench

web:  ## build the engine as WebAssembly, in web/engine/dist, and test the package in node
	scripts/setup.sh web
	$(call build,wasm)
	cd web/engine && npm test

python: player wheel  ## build the Python package and its wheel, and test them, the examples and their types
	cd python && $(npm_install)
	$(call run_tests,release,--tests-regex '^python')

wheel:  ## the Python package as a wheel in build/release/wheel
	scripts/setup.sh build python
	$(call build,release,-DPLIANT_PYTHON=ON $(no_bench_yet) $(from_nothing),wheel)

addon:  ## pack the add-on for Blender, with the program, into build/blender/pliant_blender.zip
	scripts/setup.sh build
	$(call build,release,$(no_bench_yet),bin/pliant)
	blender/pack.py build/blender/pliant_blender.zip --program build/release/bin/pliant

interchange: addon  ## have VTK, Blender, Khronos' glTF validator, OpenUSD and tinyusdz read the files that we write; bake in Blender by the add-on
	scripts/setup.sh interchange
	cd tests/interchange && $(npm_install)
	tests/interchange/check.sh build/release/bin/pliant

goldens:  ## compare the stored hashes with those of g++, clang, any x86-64, 64-bit ARM (emulated) and WebAssembly
	scripts/setup.sh test goldens
	$(call build,release,$(no_bench_yet),bin/pliant)
	$(call build,clang,-DPLIANT_BENCH=OFF -DPLIANT_TESTS=OFF,bin/pliant)
	$(call build,baseline,-DPLIANT_TESTS=OFF,bin/pliant)
	$(call build,aarch64,,bin/pliant)
	scripts/goldens.py
	$(MAKE) web
	scripts/goldens.py --program "node web/engine/bin/pliant.js"

player:  ## build the player of recorded pages (-o FILE.html), web/page/dist/player.html
	scripts/setup.sh player
	cd web/page && $(npm_install) && npm run player

page: web  ## build the page and the player of recorded pages in web/page/dist and test them in Chromium
	$(call build,release,$(no_bench_yet),bin/pliant)
	cd web/page && $(npm_install) && npm run build && npm test

site: page  ## put together out/site, for any web host: the page with every scene live, and the documentation
	scripts/setup.sh site
	scripts/site.sh

ordinary:  ## run ordinary scenes without settings, those of tests/ordinary and 40 random ones of every family
	scripts/setup.sh build
	$(call build,release,$(no_bench_yet),bin/pliant)
	tests/ordinary/ordinary.py build/release/bin/pliant --jobs $(JOBS)
	tests/ordinary/ordinary.py build/release/bin/pliant --table rest.txt --jobs $(JOBS)
	tests/ordinary/ordinary.py build/release/bin/pliant --seeds 0:40 --jobs $(JOBS)

# Random throws of each kind, and which: with another seed they are others.
THROWS ?= 2000
THROW_SEED ?= 1
torture:  ## thousands of random throws and piles, and every scene with contact from ten starts: look for intersections; takes hours
	scripts/setup.sh build test
	$(call build,release,$(no_bench_yet),bin/pliant pliant_tests)
	PLIANT_THROWS=$(THROWS) PLIANT_THROW_SEED=$(THROW_SEED) build/release/bin/pliant_tests --gtest_filter='*.RandomThrows*'
	for family in pile swept thin_table cloth_over; do \
	  tests/ordinary/ordinary.py build/release/bin/pliant --only $$family- --seeds $$((1000 * $(THROW_SEED))):$$((1000 * $(THROW_SEED) + 60)) --jobs $(JOBS); \
	done
	scripts/torture.py

# How long each of the fuzzers runs.
FUZZ_SECONDS ?= 600
fuzz:  ## fuzz every reader for ten minutes each (FUZZ_SECONDS), with the sanitizers; findings stay in build/fuzz/findings
	scripts/setup.sh fuzz
	$(call build,fuzz,,fuzzers)
	scripts/fuzz.sh $(FUZZ_SECONDS)

format:  ## format the C++ sources
	scripts/setup.sh lint
	scripts/check_format.sh --fix

lint:  ## check the format, and run clang-tidy over src and apps
	scripts/setup.sh build lint
	scripts/check_format.sh
	$(call build,release,$(no_bench_yet),bin/pliant)
	run-clang-tidy-19 -quiet -p build/release -j $(JOBS) '^$(CURDIR)/(src|apps)/'

sanitize:  ## build and run the tests under the address, undefined-behaviour and thread sanitizers
	scripts/setup.sh sanitize
	$(call build,asan)
	$(call run_tests,asan)
	$(fixed_addresses) cmake --preset tsan
	$(fixed_addresses) cmake --build --preset tsan --parallel $(JOBS)
	$(fixed_addresses) $(call run_tests,tsan)

install:  ## install the release build below PREFIX (default /usr/local); honours DESTDIR
	scripts/setup.sh build
	$(call build,release,$(no_bench_yet),pliant bin/pliant)
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'

clean:  ## remove build/ and out/
	rm -rf build out
