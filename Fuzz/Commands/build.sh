# The instrumented binary: built, and looked at before it is believed.

# build SANITIZER: sets `binary`. Builds under .build/fuzz-SANITIZER, quietly unless it fails. With --binary nothing is
# built, and the file given is looked at all the same.
build() {
    local sanitizer=$1 folder=$root/.build/fuzz-$1
    if [ -n "$given_binary" ]; then
        [ -x "$given_binary" ] || fail "--binary $given_binary is no executable; Fuzz/fuzz build prints the path of one"
        binary=$given_binary
    else
        local flags=(-c release --product cachefuzz --scratch-path "$folder" --package-path "$root"
            -Xswiftc -DFUZZ -Xcc -DFUZZ --sanitize=fuzzer)
        # Swift's library in the binary, which an engine's image has not; and calls of it take no way round, which is a
        # seventh of the time. Not with the thread sanitizer, which has to see what is given to a queue before it runs
        # there: only calls of a libdispatch that is a library of its own can be intercepted.
        [ "$sanitizer" = thread ] || flags+=(-Xswiftc -static-stdlib --static-swift-stdlib)
        # Comparisons are counted on their way to libFuzzer; see Fuzz/WorkCounter.
        local comparison
        for comparison in {,const_}cmp{1,2,4,8}; do
            flags+=(-Xlinker "--wrap=__sanitizer_cov_trace_$comparison")
        done
        # Those that are not counted need not be called for, where the compiler knows how to leave that out.
        local gate=-sanitizer-coverage-gated-trace-callbacks
        ! swiftc -frontend -parse -Xllvm $gate - </dev/null 2>/dev/null || flags+=(-Xswiftc -Xllvm -Xswiftc $gate)
        mkdir -p "$folder"
        print_unseen_counters >"$folder/unseen.ld"
        flags+=(-Xswiftc -use-ld=lld -Xlinker -T -Xlinker "$folder/unseen.ld")
        # The joined form, and last: of two --sanitize options SwiftPM drops one.
        [ "$sanitizer" = none ] || flags+=(-Xswiftc "-sanitize=fuzzer,$sanitizer")
        if ! swift build "${flags[@]}" >"$folder/build.log" 2>&1; then
            cat "$folder/build.log" >&2
            fail "the instrumented build failed"
        fi
        binary=$(swift build "${flags[@]}" --show-bin-path)/cachefuzz
    fi
    check_instrumentation "$sanitizer"
}

# What targets are about in GaugeKit: folders and files.
seen=(CommandLine/NearNames.swift JSON Random Reports/JSONValue.swift Traces Workloads)

# print_unseen_counters: a script for the linker, which takes counters out of the section that libFuzzer knows. It looks
# through all of that after every input, and more than half are GaugeKit's, of which the targets need a fifth.
print_unseen_counters() {
    local file files=''
    for file in $(cd "$root/Sources/GaugeKit" && find "${seen[@]}" -name '*.swift' | sort); do
        files+=" *GaugeKit.build/${file##*/}.o"
    done
    # The places that counters stand for follow them in the same order.
    printf 'SECTIONS {\n'
    printf '    unseen_%s : { *GaugeKit.build/*(EXCLUDE_FILE(%s) __sancov_%s) }\n' cntrs "$files" cntrs pcs "$files" pcs
    printf '}\nINSERT AFTER .data;\n'
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
