# How much of the parsers and tiers the repository's corpus reaches when replayed; in another package, how much of all
# its modules.

covered=$root/Sources/Cache
covered_modules=(HTTPSemantics CacheTiers)
[ -d "$covered/HTTPSemantics" ] || { covered=$root/Sources && mapfile -t covered_modules < <(ls "$covered" 2>/dev/null); }

coverage() {
    read_options "$@"
    [ ${#operands[@]} -eq 0 ] || fail_usage "coverage takes no ${operands[0]}"
    local build=$root/.build/fuzz-coverage executable status=0
    local flags=(--product cachefuzz --scratch-path "$build" --package-path "$root"
        -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping)
    mkdir -p "$build"
    if ! swift build "${flags[@]}" >"$build/build.log" 2>&1; then
        cat "$build/build.log" >&2
        fail "the build for coverage failed"
    fi
    executable=$(swift build "${flags[@]}" --show-bin-path)/cachefuzz
    # Replays even what a target disagrees about.
    (cd "$root" && LLVM_PROFILE_FILE=$scratch/replay.profraw "$executable" replay >"$scratch/replayed" \
        2>"$scratch/replay.log") || status=$?
    [ $status -eq 0 ] || { [ $status -eq 1 ] && grep -q ' kinds of disagreement$' "$scratch/replayed"; } ||
        { tail -n 5 "$scratch/replay.log" >&2; fail "the replay broke a promise; the last line names the input"; }
    # The toolchain's tools, even if swift is a proxy: others may not know its format.
    local tools
    tools=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/../../bin
    "$tools/llvm-profdata" merge -sparse "$scratch/replay.profraw" -o "$scratch/replay.profdata"
    local module sources=()
    for module in "${covered_modules[@]}"; do sources+=("$covered/$module"); done
    local about=("$executable" "-instr-profile=$scratch/replay.profdata" "${sources[@]}")
    mkdir -p "$work"
    rm -rf "$work/coverage"
    "$tools/llvm-cov" show "${about[@]}" -format=html -output-dir="$work/coverage" >/dev/null
    "$tools/llvm-cov" export "${about[@]}" -summary-only -format=text >"$scratch/coverage.json"
    coverage_table "$scratch/coverage.json" >"$scratch/table"
    put_table coverage "$scratch/table"
    echo "every line: $work/coverage/index.html" >&2
}

# coverage_table FILE: prints the regions of each file, those with most misses first, and a row per module. Fully
# covered files only count in their module's row.
coverage_table() {
    sed 's/"totals":.*//; s/{"filename":/\n&/g' "$1" | sed -n 's/^{"filename":"\([^"]*\)".*"regions":{"count":\([0-9]*\),"covered":\([0-9]*\).*/\2 \3 \1/p' |
        awk -v root="$covered/" '
            function share(covered, count) { return sprintf("%.1f %%", count ? 100 * covered / count : 100) }
            {
                # The path comes last, since there may be blanks in it.
                name = substr($0, length($1 $2 root) + 3); module = name; sub("/.*", "", module)
                count[module] += $1; covered[module] += $2; files[module]++
                if ($2 == $1) { whole[module]++; next }
                rows[++n] = sprintf("%06d| %s | %d | %d | %s |", $1 - $2, name, $1, $1 - $2, share($2, $1))
            }
            END {
                print "| file | regions | not reached | reached |"
                print "|---|---|---|---|"
                for (module in count)
                    printf "| **%s**, %d files, %d of them whole | %d | %d | **%s** |\n", module, files[module],
                        whole[module], count[module], count[module] - covered[module], share(covered[module], count[module])
                for (i = 2; i <= n; i++)
                    for (j = i; j > 1 && rows[j] > rows[j - 1]; j--) { t = rows[j]; rows[j] = rows[j - 1]; rows[j - 1] = t }
                for (i = 1; i <= n; i++) { sub("^[0-9]*", "", rows[i]); print rows[i] }
            }'
}
