# The instrumented binary: built, and looked at before it is believed.

# Flags for a binary that needs no Swift where it runs; none by default.
static=()

# build SANITIZER: sets `binary`. Builds under .build/fuzz-SANITIZER, quietly unless it fails. With --binary nothing is
# built, and the file given is looked at all the same.
build() {
    local sanitizer=$1 folder=$root/.build/fuzz-$1${static:+-static}
    if [ -n "$given_binary" ]; then
        [ -x "$given_binary" ] || fail "--binary $given_binary is no executable; Fuzz/fuzz build prints the path of one"
        binary=$given_binary
    else
        local flags=(-c release --product cachefuzz --scratch-path "$folder" --package-path "$root"
            -Xswiftc -DFUZZ -Xcc -DFUZZ --sanitize=fuzzer ${static[@]+"${static[@]}"})
        # Comparisons are counted on their way to libFuzzer; see Fuzz/WorkCounter.
        local comparison
        for comparison in {,const_}cmp{1,2,4,8}; do
            flags+=(-Xlinker "--wrap=__sanitizer_cov_trace_$comparison")
        done
        # The joined form, and last: of two --sanitize options SwiftPM drops one.
        [ "$sanitizer" = none ] || flags+=(-Xswiftc "-sanitize=fuzzer,$sanitizer")
        mkdir -p "$folder"
        if ! swift build "${flags[@]}" >"$folder/build.log" 2>&1; then
            cat "$folder/build.log" >&2
            fail "the instrumented build failed"
        fi
        binary=$(swift build "${flags[@]}" --show-bin-path)/cachefuzz
    fi
    check_instrumentation "$sanitizer"
}

# A build that lost its flags fuzzes blindly and finds nothing: look for the calls themselves.
check_instrumentation() {
    local symbol symbols nm
    nm=$(command -v llvm-nm || command -v nm || true)
    [ -n "$nm" ] || { echo "fuzz: neither llvm-nm nor nm found, instrumentation not checked" >&2; return; }
    symbols=$("$nm" "$binary" 2>/dev/null)
    local wanted=(__sanitizer_cov_trace LLVMFuzzerTestOneInput)
    case $1 in
        address) wanted+=(__asan_report_load) ;;
        thread) wanted+=(__tsan_read) ;;
    esac
    for symbol in "${wanted[@]}"; do
        grep -q "$symbol" <<<"$symbols" ||
            fail "$binary has no $symbol: it was built without the instrumentation of --sanitizer $1"
    done
}
