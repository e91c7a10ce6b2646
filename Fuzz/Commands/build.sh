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
        # Comparisons are counted on their way to libFuzzer, and not all arrive; see Fuzz/WorkCounter.
        local traced
        for traced in {,const_}cmp{1,2,4,8} pc_indir; do flags+=(-Xlinker "--wrap=__sanitizer_cov_trace_$traced"); done
        # Those that are not counted need not be called for, where the compiler knows how to leave that out.
        local gate=-sanitizer-coverage-gated-trace-callbacks
        ! swiftc -frontend -parse -Xllvm $gate - </dev/null 2>/dev/null ||
            flags+=(-Xswiftc -Xllvm -Xswiftc $gate -Xcc -mllvm -Xcc $gate)
        # Which counters libFuzzer sees is chosen with the target.
        local table
        for table in 8bit_counters pcs; do flags+=(-Xlinker "--wrap=__sanitizer_cov_${table}_init"); done
        mkdir -p "$folder"
        print_counter_sections >"$folder/counters.ld"
        flags+=(-Xswiftc -use-ld=lld -Xlinker -T -Xlinker "$folder/counters.ld")
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

# The modules of the harness that cachefuzz links; the folders and files of them that targets are about; and the files of
# cachefuzz that are about those.
harness=(GaugeSupport GaugeStatistics GaugeTraces GaugeMeasurement GaugeSubjects)
seen=(GaugeSupport/Console/NearNames.swift GaugeSupport/JSON GaugeSupport/Random GaugeTraces/Traces GaugeTraces/Workloads)
judges=(HARTarget.swift JSONModel.swift TraceReaderTarget.swift TraceWriter.swift WorkloadTarget.swift)

# print_counter_sections: a script for the linker, which takes counters out of the section where the compiler puts them
# all. libFuzzer looks through every counter that it knows after every input. More than half belong to the harness, of
# which the targets need a fifth, and no target needs these and the cache's.
print_counter_sections() {
    local file files='' module kind
    for file in $(cd "$root/Sources/Harness" && find "${seen[@]}" -name '*.swift' | sort); do
        files+=" *${file%%/*}.build/${file##*/}.o"
    done
    printf 'SECTIONS {\n'
    # The places that counters stand for follow them in the same order.
    for kind in cntrs pcs; do
        printf '    unseen_%s : {' $kind
        for module in "${harness[@]}"; do
            printf ' *%s.build/*(EXCLUDE_FILE(%s) __sancov_%s)' "$module" "$files" $kind
        done
        printf ' }\n    gauge_%s : {' $kind
        for module in "${harness[@]}"; do printf ' *%s.build/*(__sancov_%s)' "$module" $kind; done
        printf ' *cachefuzz.build/%s.o(__sancov_'$kind')' "${judges[@]}"
        printf ' }\n'
    done
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
