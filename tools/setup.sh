# Sourced by quickstart and check: changes to the repository's root, and provides what a build needs. Packages come from the
# system's package manager, as root or through sudo; what the distribution has no package of, and a missing CUDA Toolkit, is
# downloaded into a folder of the user's. Downloads and sudo are asked for on a terminal, and --yes answers; without a terminal
# the scripts print the command to type.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# Downloads survive `rm -rf build`, serve every clone, and lie where the installed program looks for NVRTC.
downloads=${XDG_DATA_HOME:-$HOME/.local/share}/cutune
system=${CUTUNE_SETUP_ROOT:-} # the tests' own root folder
yes=0
cuda=

say() {
    printf '==> %s\n' "$*"
}

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# Takes --yes, --cuda VERSION, and --help, which prints the comment at the head of the script.
parse_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        -y | --yes) yes=1 ;;
        --cuda)
            cuda=${2:-}
            grep -q "^cuda-$cuda " tools/cmake/downloads.txt || fail "--cuda needs a version that can be downloaded: 13.0 or 12.9"
            shift
            ;;
        -h | --help)
            sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *) fail "unknown option $1; see $0 --help" ;;
        esac
        shift
    done
}

# True if the answer is yes. Without a terminal it is no.
confirm() {
    local answer
    [ $yes -eq 0 ] || return 0
    [ -t 0 ] || return 1
    read -r -p "$1 [Y/n] " answer || return 1
    [[ $answer != [nN]* ]]
}

# ---- Packages --------------------------------------------------------------------------------------------------------------

# Needs, with their task (a build, the tests, all tests), and their package for each package manager. '+': another
# package has it. '-': there is no package, and the part named behind it is downloaded.
managers=(apt-get dnf pacman zypper)
needs='
ca-bundle       build ca-certificates ca-certificates ca-certificates ca-certificates-mozilla
gcc             build gcc             gcc             gcc             gcc
cmake           build cmake           cmake           cmake           cmake
ninja           build ninja-build     ninja-build     ninja           ninja
stdio.h         build libc6-dev       glibc-devel     glibc           glibc-devel
csv.h           build libcsv-dev      libcsv-devel    -libcsv         -libcsv
xxhash.h        build libxxhash-dev   xxhash-devel    xxhash          xxhash-devel
cjson/cJSON.h   build libcjson-dev    cjson-devel     cjson           cJSON-devel
zlib.h          build zlib1g-dev      zlib-devel      zlib            zlib-devel
mpicc           all   libopenmpi-dev  openmpi-devel   openmpi         openmpi-devel
mpirun          all   openmpi-bin     openmpi         +               +
g++             test  g++             gcc-c++         +               gcc-c++
python3         test  python3         python3         python          python3
CUnit/Basic.h   test  libcunit1-dev   CUnit-devel     cunit           cunit-devel
clang           all   clang           clang           clang           clang
libfuzzer       all   libclang-rt-dev compiler-rt     compiler-rt     +
'

has_file() {
    local file
    for file in "$@"; do
        [ ! -e "$file" ] || return 0
    done
    return 1
}

has_fuzzer() {
    local folder works=1
    folder=$(mktemp -d)
    echo 'int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return data == 0 && size; }' >"$folder/f.c"
    clang -fsanitize=fuzzer,address,undefined -o "$folder/f" "$folder/f.c" >/dev/null 2>&1 || works=0
    rm -rf "$folder"
    [ $works -eq 1 ]
}

# Tools and libraries installed in another way count, too.
has() {
    case $1 in
    ca-bundle)
        has_file "$system"/etc/ssl/{certs/ca-certificates.crt,ca-bundle.pem,cert.pem} "$system/etc/pki/tls/certs/ca-bundle.crt"
        ;;
    libfuzzer) has_fuzzer ;;
    mpi*) command -v "$1" >/dev/null || has_file "$system"/usr/lib64/{openmpi,mpi/gcc/openmpi*}/bin/"$1" ;;
    *.h) echo "#include <$1>" | gcc -E -x c -I "$downloads/libcsv/include" - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

# The tests need what a build needs, and all tests need more.
includes() { # task, the task of a row
    case $1 in
    build) [ "$2" = build ] ;;
    test) [ "$2" != all ] ;;
    esac
}

# Fills the arrays `missing` with packages and `parts` with downloads, for the package manager of column $2.
find_missing() { # task, column
    local need task names
    missing=()
    parts=()
    while read -r need task names; do
        read -r -a names <<<"$names"
        if [ -z "$need" ] || ! includes "$1" "$task" || has "$need"; then
            continue
        fi
        case ${names[$2]} in
        +) ;;
        -*) parts+=("${names[$2]#-}") ;;
        *) missing+=("${names[$2]}") ;;
        esac
    done <<<"$needs"
}

install_packages() { # package manager, packages
    local as_root=() manager=$1 install update=()
    shift
    case $manager in
    apt-get)
        update=(apt-get update -q)
        install=(env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends)
        ;;
    dnf) install=(dnf install -y) ;;
    pacman) install=(pacman -S --needed --noconfirm) ;;
    zypper) install=(zypper --non-interactive install --no-recommends) ;;
    esac
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
        if ! sudo -n true 2>/dev/null && ! { command -v sudo >/dev/null && [ -t 0 ] &&
            confirm "Some packages are missing: $*. Install them with sudo?"; }; then
            fail "some packages are missing. Run this as root, then $0 again:
    ${update:+apt-get update && }${install[*]} $*"
        fi
    fi
    say "installing $*"
    [ ${#update[@]} -eq 0 ] || "${as_root[@]}" "${update[@]}" || fail "cannot update the lists of packages"
    "${as_root[@]}" "${install[@]}" "$@" || fail "$manager cannot install these packages: $*"
}

need_packages() { # task
    local i column=0 manager=
    for i in "${!managers[@]}"; do
        if command -v "${managers[$i]}" >/dev/null; then
            column=$i manager=${managers[$i]}
            break
        fi
    done
    find_missing "$1" "$column"
    if [ ${#missing[@]} -gt 0 ]; then
        [ -n "$manager" ] || fail "missing: ${missing[*]} (names of Debian's packages), and this system has none of ${managers[*]}.
    Install them in another way, then run $0 again."
        install_packages "$manager" "${missing[@]}"
    fi
}

# CMake's own message for a preset that it cannot read does not name the cause.
need_cmake() {
    local version
    version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
    [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -n 1)" = 3.25 ] ||
        fail "cutune needs CMake 3.25 or newer, and this is $version. Run this, then $0 again:
    pip install cmake"
}

# ---- Downloads -------------------------------------------------------------------------------------------------------------

fetch() {
    cmake -DPART="$1" -DFOLDER="$downloads/$1" -DMACHINE="$(uname -m)" -P tools/cmake/fetch.cmake ||
        fail "cannot download $1 (see above). When the network and its certificates are in order, run $0 again."
}

need_parts() {
    local part
    for part in "${parts[@]}"; do
        say "there is no package of $part here: downloading Debian's into $downloads/$part"
        fetch "$part"
    done
    export CMAKE_PREFIX_PATH="$downloads/libcsv${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
}

# Uses the CUDA Toolkit, 12.8 or newer, from PATH, CUDA_HOME or its usual place; otherwise sets `reason`.
find_toolkit() {
    local nvcc folder release
    for nvcc in "$(command -v nvcc || true)" "${CUDA_HOME:-/nonexistent}/bin/nvcc" "$system/usr/local/cuda/bin/nvcc"; do
        [ ! -x "$nvcc" ] || break
    done
    if [ ! -x "$nvcc" ]; then
        reason="there is no CUDA Toolkit here (nvcc on PATH, in CUDA_HOME/bin or /usr/local/cuda/bin)"
        return 1
    fi
    folder=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
    release=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\.[0-9]*\).*/\1/p')
    if [ "$(printf '12.8\n%s\n' "$release" | sort -V | head -n 1)" != 12.8 ]; then
        reason="the CUDA Toolkit in $folder is $release, and cutune needs 12.8 or newer"
        return 1
    fi
    export PATH="$folder/bin:$PATH" CUDAToolkit_ROOT="$folder"
    say "CUDA Toolkit $release in $folder"
}

# A toolkit must not be newer than the driver: drivers before 580 take programs of 12.x.
version_for_driver() {
    local driver
    driver=$(nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9]*\).*/\1/p' | head -n 1) || true
    [ "${driver:-13}" -ge 13 ] && echo 13.0 || echo 12.9
}

# Decides before any installation, so that a "no" costs nothing.
choose_toolkit() {
    local reason="--cuda asks for NVIDIA's packages" folder megabytes
    if [ -z "$cuda" ] && find_toolkit; then
        return
    fi
    cuda=${cuda:-$(version_for_driver)}
    folder=$downloads/cuda-$cuda
    export CUDAToolkit_ROOT="$folder"
    [ ! -e "$folder/version.txt" ] || return 0
    megabytes=$(awk -v part="cuda-$cuda" -v machine="$(uname -m)" \
        '$1 == part && $2 == machine {bytes += $3} END {printf "%.0f", bytes / 1e6}' tools/cmake/downloads.txt)
    say "$reason"
    confirm "Download what cutune needs of CUDA $cuda from NVIDIA's PyPI packages ($megabytes MB) into $folder?" ||
        fail "cutune needs headers, the runtime and NVRTC of CUDA. Install NVIDIA's package cuda-toolkit, 12.8 or newer,
    or let $0 download $megabytes MB of NVIDIA's PyPI packages into $folder:
    $0 --yes"
}

fetch_toolkit() {
    [ -n "$cuda" ] || return 0
    [ -e "$CUDAToolkit_ROOT/version.txt" ] || fetch "cuda-$cuda"
    say "CUDA $cuda of NVIDIA's PyPI packages in $CUDAToolkit_ROOT, under the terms of licence-*.txt there"
}

# ---- The build -------------------------------------------------------------------------------------------------------------

cmake_options=()

set_up() { # task: 'build', 'test' or 'all'
    choose_toolkit
    need_packages "$1"
    need_cmake
    need_parts
    fetch_toolkit
    if [ "$1" = all ] && ! has_fuzzer; then
        fail "clang cannot link a libFuzzer program; see: clang -fsanitize=fuzzer,address"
    fi
}

# Configures a preset and builds a target of it; further arguments go to the configure step.
build_preset() {
    local preset=$1 target=$2 generator=() cache=build/$1/CMakeCache.txt root
    shift 2
    say "building preset $preset"
    if [ ! -e "$cache" ]; then
        generator=(-G Ninja)
    else
        # Another toolkit's paths are all over the cache.
        root=$(sed -n 's/^CUDAToolkit_ROOT:[A-Z]*=//p' "$cache")
        [ "${root:-$CUDAToolkit_ROOT}" = "$CUDAToolkit_ROOT" ] || generator=(-G Ninja --fresh)
    fi
    cmake --preset "$preset" "${generator[@]}" -DCUDAToolkit_ROOT="$CUDAToolkit_ROOT" "${cmake_options[@]}" "$@" >/dev/null
    cmake --build "build/$preset" --target "$target" --parallel "$(nproc)"
}
