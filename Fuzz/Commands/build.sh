# Builds the instrumented binary, and checks the instrumentation before use.

# build SANITIZER: sets `binary`. Builds under .build/fuzz-SANITIZER, quietly unless it fails. With --binary it only
# checks the given file.
build() {
    local sanitizer=$1 folder=$root/.build/fuzz-$1
    if [ -n "$given_binary" ]; then
        [ -x "$given_binary" ] || fail "--binary $given_binary is no executable; Fuzz/fuzz build prints the path of one"
        binary=$given_binary
    else
        local flags=(-c release --product cachefuzz --scratch-path "$folder" --package-path "$root"
            -Xswiftc -DFUZZ -Xcc -DFUZZ --sanitize=fuzzer)
        # Links Swift's library statically: an engine's image doesn't have it, and direct calls save a seventh of the
        # time. Not with the thread sanitizer, which must intercept a shared libdispatch.
        [ "$sanitizer" = thread ] || flags+=(-Xswiftc -static-stdlib --static-swift-stdlib)
        # Fuzz/WorkCounter counts the comparisons before libFuzzer sees them, and passes on only some.
        local traced
        for traced in {,const_}cmp{1,2,4,8} pc_indir; do flags+=(-Xlinker "--wrap=__sanitizer_cov_trace_$traced"); done
        # It also counts copied bytes.
        local copying
        for copying in {,__asan_,__tsan_}mem{move,cpy}; do flags+=(-Xlinker "--wrap=$copying"); done
        # If the compiler supports it, uncounted comparisons make no call.
        local gate=-sanitizer-coverage-gated-trace-callbacks
        ! swiftc -frontend -parse -Xllvm $gate - </dev/null 2>/dev/null ||
            flags+=(-Xswiftc -Xllvm -Xswiftc $gate -Xcc -mllvm -Xcc $gate)
        # The target decides which counters libFuzzer sees.
        local table
        for table in 8bit_counters pcs; do flags+=(-Xlinker "--wrap=__sanitizer_cov_${table}_init"); done
        mkdir -p "$folder"
        print_counter_sections >"$folder/counters.ld"
        flags+=(-Xswiftc -use-ld=lld -Xlinker -T -Xlinker "$folder/counters.ld")
        # In one option, and last: SwiftPM drops one of two --sanitize options. C has flags of its own.
        [ "$sanitizer" = none ] || flags+=(-Xcc "-fsanitize=$sanitizer" -Xswiftc "-sanitize=fuzzer,$sanitizer")
        if ! swift build "${flags[@]}" >"$folder/build.log" 2>&1; then
            cat "$folder/build.log" >&2
            fail "the instrumented build failed"
        fi
        binary=$(swift build "${flags[@]}" --show-bin-path)/cachefuzz
    fi
    check_instrumentation "$sanitizer"
}

# The modules of the harness that cachefuzz links, the folders and files of them that targets test, and the files of
# cachefuzz for those targets.
harness=(GaugeSupport GaugeTraces)
seen=(GaugeSupport/Console/NearNames.swift GaugeSupport/JSON GaugeSupport/Xoshiro256.swift GaugeTraces/Policies
    GaugeTraces/Input GaugeTraces/Logs GaugeTraces/Formats GaugeTraces/Traces GaugeTraces/Workloads)
judges=(HARTarget.swift JSONModel.swift LogLineModel.swift PolicyTarget.swift TraceFilesTarget.swift TraceReaderTarget.swift TraceWriter.swift
    WorkloadTarget.swift)

# print_counter_sections: prints a linker script that moves counters out of the compiler's common section. libFuzzer
# scans every counter that it knows after every input. More than half belong to the harness; the targets need a fifth of
# these, and no target needs both these and the cache's.
print_counter_sections() {
    local file files='' module kind
    # Another package has no harness.
    if [ -d "$root/Sources/Harness" ]; then
        for file in $(cd "$root/Sources/Harness" && find "${seen[@]}" -name '*.swift' | sort); do
            files+=" *${file%%/*}.build/${file##*/}.o"
        done
    fi
    printf 'SECTIONS {\n'
    # The table of code positions follows, in the order of the counters.
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

# A build that lost its flags fuzzes without feedback and finds nothing, so look for the calls in the binary.
check_instrumentation() {
    local symbol symbols nm
    nm=$(command -v llvm-nm || command -v nm || true)
    [ -n "$nm" ] || { echo "fuzz: neither llvm-nm nor nm found, instrumentation not checked" >&2; return; }
    symbols=$("$nm" "$binary" 2>/dev/null)
    local wanted=(__sanitizer_cov_trace LLVMFuzzerTestOneInput)
    case $1 in
        address) wanted+=(__asan_report_load work_in_c_has_address_sanitizer) ;;
        thread) wanted+=(__tsan_read work_in_c_has_thread_sanitizer) ;;
    esac
    for symbol in "${wanted[@]}"; do
        grep -q "$symbol" <<<"$symbols" ||
            fail "$binary has no $symbol: it was built without the instrumentation of --sanitizer $1"
    done
}
