# Sourced by quickstart and check: changes to the repository's root, and installs missing build dependencies
# with apt-get as root or through sudo; without either, prints the command to run and exits.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

say() {
    printf '==> %s\n' "$*"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

has_header() {
    echo "#include <$1>" | gcc -E -x c - >/dev/null 2>&1
}

# Fills the array `missing` with the packages of missing tools. Tools installed in another way count too.
find_missing() { # 'build' or 'test'
    local pair version
    missing=()
    for pair in gcc:gcc cmake:cmake ninja:ninja-build; do
        command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
    done
    for pair in stdio.h:libc6-dev csv.h:libcsv-dev xxhash.h:libxxhash-dev cjson/cJSON.h:libcjson-dev lapacke.h:liblapacke-dev; do
        has_header "${pair%%:*}" || missing+=("${pair#*:}")
    done
    [ -e /usr/share/javascript/chart.js/chart.min.js ] || missing+=(libjs-chart.js)
    if [ "$1" = test ]; then
        for pair in g++:g++ python3:python3; do
            command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
        done
        has_header CUnit/Basic.h || missing+=(libcunit1-dev)
        if ! command -v clang >/dev/null; then
            # The version of `clang` is known only with the package lists; see need_fuzzer for the rest.
            missing+=(clang)
            version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1) || version=
            [ -z "$version" ] || missing+=("libclang-rt-$version-dev")
        fi
    fi
}

# Installs the packages of `missing`.
install_missing() {
    local as_root=()
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null ||
        fail "missing: ${missing[*]} (names of Debian's packages). Install them with this system's package manager."
    if [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            echo "Some packages are missing. Run this, then $0 again:" >&2
            echo "    sudo apt-get update && sudo apt-get install -y ${missing[*]}" >&2
            exit 1
        fi
        as_root=(sudo -n)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

has_fuzzer() {
    local folder works=1
    folder=$(mktemp -d)
    echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return data == 0 && size; }' >"$folder/f.c"
    clang -fsanitize=fuzzer,address,undefined -o "$folder/f" "$folder/f.c" >/dev/null 2>&1 || works=0
    rm -rf "$folder"
    [ $works -eq 1 ]
}

# clang's run-time libraries are a separate package, named after clang's version.
need_fuzzer() {
    local version
    has_fuzzer && return 0
    version=$(clang --version | sed -n 's/.*clang version \([0-9]*\).*/\1/p' | head -n 1)
    missing=("libclang-rt-$version-dev")
    install_missing
    has_fuzzer || fail "clang cannot link a libFuzzer program; see: clang -fsanitize=fuzzer,address"
}

# The CUDA Toolkit, 12.8 or newer, from PATH, CUDA_HOME or its usual place.
need_toolkit() {
    local nvcc folder release
    for nvcc in "$(command -v nvcc || true)" "${CUDA_HOME:-/nonexistent}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
        [ ! -x "$nvcc" ] || break
    done
    [ -x "$nvcc" ] ||
        fail "found no CUDA Toolkit (nvcc on PATH, in CUDA_HOME/bin or /usr/local/cuda/bin). Install NVIDIA's package
    cuda-toolkit, 12.8 or newer."
    folder=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
    release=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p')
    [ "$(printf '12.8\n%s\n' "$release" | sort -V | head -n 1)" = 12.8 ] ||
        fail "the CUDA Toolkit in $folder is $release, and cutune needs 12.8 or newer"
    export PATH="$folder/bin:$PATH" CUDAToolkit_ROOT="$folder"
    say "CUDA Toolkit $release in $folder"
}

set_up() { # 'build' or 'test'
    find_missing "$1"
    install_missing
    [ "$1" != test ] || need_fuzzer
    need_toolkit
}

# Configures and builds a preset; further arguments go to the configure step.
build_preset() {
    local preset=$1 generator=()
    shift
    say "building preset $preset"
    [ -e "build/$preset/CMakeCache.txt" ] || generator=(-G Ninja)
    cmake --preset "$preset" "${generator[@]}" "$@" >/dev/null
    cmake --build "build/$preset" --parallel "$(nproc)"
}
