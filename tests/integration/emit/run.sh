#!/bin/sh
# Emits a header with CUTUNE and compiles it: run.sh LANGUAGE CUTUNE SOURCES COMPILER
# 77: the compiler is not there.
set -eu
language=$1 cutune=$2 sources=$3 compiler=${4:-}
command -v "$compiler" >/dev/null 2>&1 || { echo "no compiler for $language: skipped"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
database=$sources/../../unit/formats/database-1.csv
warnings='-Wall -Wextra -Wpedantic -Werror'

emit() {
    "$cutune" emit --kernel transpose --db "$database" --prefix t --space "$sources/launch/transpose.space" --stale \
        "$@"
}
emit -o "$work/tuned.h"
emit >"$work/again.h"
cmp "$work/tuned.h" "$work/again.h" # the same bytes, whenever and wherever to
touch -d 2001-01-01 "$work/tuned.h"
emit -o "$work/tuned.h"
test "$work/again.h" -nt "$work/tuned.h" # what would not change stays as it is

emit --plain-macros -o "$work/plain.h"
"$cutune" emit --kernel all --db "$database" -o "$work/all.h"
"$cutune" emit --kernel all --db "$sources/../../unit/formats/database-2-fit.csv" --prefix fits -o "$work/fits.h"
printf '#include "all.h"\n#include "fits.h"\nint main(void)\n{\n    size_t count;\n    return TRANSPOSE_TILE == 0 || COPY_VEC == 0 || FITS_COPY_VEC == 0 || transpose_tuned_table(&count)->cc == 0 || copy_tuned_table(&count)->cc == 0;\n}\n' \
    >"$work/all.c"

# A source may have macros of the parameters' names: behind the header, they have their old values.
printf '#include "tuned.h"\nint main(void)\n{\n    size_t count;\n    return TILE != 32 || SPLIT != 7 || T_TILE == 0 || t_tuned_table(&count)->cc == 0;\n}\n' \
    >"$work/own.c"
own='-DTILE=32 -DSPLIT=7 -DBLOCK_ROWS=(x)'

# A macro with a name of the header gets an error that names the cure, once and before anything else.
refused() {
    printf '#define %s 3\n#include "tuned.h"\n' "$1" >"$work/refused.c"
    shift
    if "$@" -I"$work" -c "$work/refused.c" -o "$work/refused.o" 2>"$work/refused.txt"; then return 1; fi
    grep -q '#error.*#undef' "$work/refused.txt"
}

case $language in
c)
    warnings="$warnings -Wshadow"
    "$compiler" -std=c11 $warnings $own -I"$work" "$work/own.c" -o "$work/own"
    "$work/own"
    "$compiler" -std=c11 $warnings -I"$work" "$work/all.c" -o "$work/all"
    "$work/all"
    for name in count own_rule problem_ROWS T_TILE; do refused $name "$compiler" -std=c11; done
    "$compiler" -std=c11 $warnings -I"$work" -c "$sources/macros.c" -o "$work/macros.o"
    "$compiler" -std=c11 $warnings -I"$work" "$sources/main.c" -o "$work/main"
    "$work/main"
    ;;
c++)
    warnings="$warnings -Wshadow -Wold-style-cast"
    "$compiler" -x c++ -std=c++17 $warnings $own -I"$work" "$work/own.c" -o "$work/own"
    "$work/own"
    "$compiler" -x c++ -std=c++17 $warnings -I"$work" "$work/all.c" -o "$work/all"
    "$work/all"
    refused search "$compiler" -x c++ -std=c++17
    "$compiler" -x c++ -std=c++17 $warnings -I"$work" -c "$sources/macros.c" -o "$work/macros.o"
    "$compiler" -x c++ -std=c++17 $warnings -I"$work" "$sources/main.c" -o "$work/main"
    "$work/main"
    ;;
cuda) # -Wpedantic is not for nvcc: its own intermediate files break it
    cp "$sources/macros.c" "$work/macros.cu"
    "$compiler" -x cu -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror $own -I"$work" "$work/own.c" \
        -o "$work/own"
    "$work/own"
    "$compiler" -x cu -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -I"$work" "$work/all.c" \
        -o "$work/all"
    "$work/all"
    refused device "$compiler" -x cu
    "$compiler" -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -I"$work" -c "$work/macros.cu" \
        -o "$work/macros.o"
    "$compiler" -std=c++17 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -I"$work" "$sources/main.cu" \
        -gencode arch=compute_90,code=sm_90 -gencode arch=compute_89,code=sm_89 -gencode arch=compute_100,code=sm_100 \
        -o "$work/main"
    "$work/main" # checks on the host: needs no GPU
    ;;
*)
    echo "unknown language $language"
    exit 2
    ;;
esac
