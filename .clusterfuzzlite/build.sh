#!/bin/bash -eu
# Fills $OUT with the fuzz targets. $SRC, $OUT and $SANITIZER come from the engine's image; outside of one they may be
# any directories, and $FUZZ_BINARY an instrumented binary to be packaged instead of building one.
#
# The image's precompile_swift is not used: its flags build libFuzzer out of this package with no Swift package manager
# since 6.2.
cd "$SRC/cachegauge"
symbolizer=/usr/local/bin/llvm-symbolizer-swift
[ ! -x $symbolizer ] || cp $symbolizer "$OUT/llvm-symbolizer"
binary=()
[ -z "${FUZZ_BINARY:-}" ] || binary=(--binary "$FUZZ_BINARY")
Fuzz/fuzz package "$OUT" --sanitizer "${SANITIZER:-address}" ${binary[@]+"${binary[@]}"}
