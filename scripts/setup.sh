#!/usr/bin/env bash
# Installs the Debian packages that building, testing and checking Pliant needs.
#
#   scripts/setup.sh [GROUP]...      build (default), test, bench, goldens, fuzz, lint, sanitize, web, player, site,
#                                    python, interchange
#
# When everything is installed already it does nothing. As root it calls apt-get, otherwise it goes
# through sudo, and where neither is possible it prints the command to run and fails.
# With PLIANT_SKIP_SETUP=1 it never installs anything and never fails: use it where the libraries
# come from somewhere else than apt.
set -euo pipefail

build=(g++ cmake ninja-build ccache
    libfmt-dev nlohmann-json3-dev libcli11-dev libstb-dev libgtest-dev)

wasm=(clang-19 llvm-19 lld-19 wasi-libc libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 libclang-rt-19-dev-wasm32)
node=()
# Node.js may come from elsewhere than Debian, and then brings its npm.
if ! command -v node >/dev/null; then node+=(nodejs); fi
if ! command -v npm >/dev/null; then node+=(npm); fi

declare -A groups=(
    [build]="${build[*]}"
    [test]="${build[*]} clang-19 python3"
    [bench]="${build[*]} libbenchmark-dev libeigen3-dev liblapacke-dev liblapack-dev libbullet-dev"
    [goldens]="${build[*]} g++-aarch64-linux-gnu qemu-user python3"
    [fuzz]="${build[*]} clang-19 libclang-rt-19-dev"
    [lint]="clang-format-19 clang-tidy-19 clang-19 git python3"
    [web]="${build[*]} ${wasm[*]} ${node[*]} binaryen chromium"
    [python]="${build[*]} ${node[*]} pybind11-dev python3-dev python3-numpy python3-matplotlib python3-pip python3-venv python3-setuptools python3-wheel"
    [interchange]="${node[*]} chromium python3-vtk9 blender"
    [player]="${node[*]}"
    [site]="mkdocs mkdocs-material"
    [sanitize]="${build[*]}" # the sanitizers' run-time libraries come with g++
)

print_requirements() {
    cat <<'END'
Pliant needs
  to build      a C++20 compiler (g++ 12 or clang 19), CMake 3.25, Ninja; fmt, nlohmann-json,
                CLI11, stb, GoogleTest; ccache if you like
  to test       also clang 19 and Python 3
  to measure    also Google Benchmark, Eigen 3, LAPACKE, and Bullet to compare cloth with
  for goldens   also the cross compiler g++-aarch64-linux-gnu and qemu-user
  for the page  also clang 19 with lld, wasi-libc and libc++ for wasm32, binaryen, Node.js with npm;
                Chromium to test it
  for Python    also pybind11 and Python 3.9 or later with its headers, NumPy, pip, venv, setuptools and wheel; matplotlib
                for a plot, and Node.js with npm to check types
  to check files with other programs   also VTK 9 for Python, Blender, Node.js with npm
  to lint       also clang-format 19, clang-tidy 19, git
END
}

packages=()
for group in "${@:-build}"; do
    if [[ ! -v groups[$group] ]]; then
        echo "setup.sh: unknown group '$group'; the groups are: build test bench goldens fuzz lint sanitize web player site python interchange" >&2
        exit 2
    fi
    read -ra names <<<"${groups[$group]}"
    packages+=("${names[@]}")
done

if [[ ${PLIANT_SKIP_SETUP:-0} == 1 ]]; then
    if ! command -v dpkg-query >/dev/null; then print_requirements; fi
    exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup.sh: this system has no apt; install what is missing by its own means." >&2
    print_requirements >&2
    echo "Then set PLIANT_SKIP_SETUP=1 to go on without this step." >&2
    exit 1
fi

# dpkg-query fails when it does not know one of the names; those are simply not in its output.
installed=" $(dpkg-query --show --showformat='${Package}:${db:Status-Status} ' "${packages[@]}" 2>/dev/null || true)"
missing=()
for package in "${packages[@]}"; do
    if [[ $installed != *" $package:installed "* && " ${missing[*]} " != *" $package "* ]]; then
        missing+=("$package")
    fi
done
if ((${#missing[@]} == 0)); then exit 0; fi

if ((EUID == 0)); then
    as_root=(env)
elif command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo env)
else
    echo "setup.sh: these packages are missing and this user cannot install them. As root, run:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
fi

echo "setup.sh: installing ${missing[*]}"
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
# An update that fails in part (one unreachable mirror) may still be enough: the install decides.
"${apt[@]}" -qq update || echo "setup.sh: apt-get update failed; trying to install all the same" >&2
"${apt[@]}" -qq install -y --no-install-recommends "${missing[@]}"
