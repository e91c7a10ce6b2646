# The repository's inputs, in one pack per target (see Fuzz/cachefuzz/Harness/CorpusPack.swift), which the binary
# unpacks for libFuzzer.

# The most inputs of one target that merge keeps, besides seeds and regressions.
most_corpus_files=300

# unpack_seeds TARGET: sets `seeds` to a directory with the repository's inputs for TARGET. Needs `binary`.
unpack_seeds() {
    seeds=$scratch/seeds/$1
    [ ! -d "$seeds" ] || return 0
    mkdir -p "$seeds"
    [ ! -f "$root/Fuzz/Corpora/$1.pack" ] || "$binary" --unpack "$root/Fuzz/Corpora/$1.pack" "$seeds" ||
        fail "the inputs of $1 cannot be unpacked"
}

# merge [--from DIRECTORY] [TARGET…]: chooses anew the inputs found by fuzzing, for these targets or all, from the
# present ones and those that runs have found here, or below DIRECTORY.
merge() {
    read_options "$@"
    [ -z "$from" ] || [ -d "$from" ] || fail_usage "--from $from is no directory"
    build "$sanitizer"
    [ ${#operands[@]} -gt 0 ] || mapfile -t operands < <("$binary" --list | grep -vx canary)
    local target
    for target in "${operands[@]}"; do require_target "$target"; done
    for target in "${operands[@]}"; do merge_one "$target"; done
}

# found_inputs TARGET: prints the directories of inputs that runs have found: TARGET/corpus, and what packs held.
found_inputs() {
    if [ -z "$from" ]; then
        echo "$work/$1/corpus"
    else
        find "$from" -type d -path "*/$1/corpus" | sort
        local pack number=0
        while read -r pack; do
            number=$((number + 1))
            "$binary" --unpack "$pack" "$scratch/found-$1-$number" || fail "$pack cannot be unpacked"
            echo "$scratch/found-$1-$number"
        done < <(find "$from" -type f -name "$1.pack" | sort)
    fi
}

merge_one() {
    local target=$1 pack=$root/Fuzz/Corpora/$1.pack kept=$scratch/kept-$1 file before found=()
    unpack_seeds "$target"
    mapfile -t found < <(found_inputs "$target")
    [ ${#found[@]} -eq 0 ] || mkdir -p "${found[@]}"
    mkdir -p "$kept"
    # Seeds and regressions stay whatever they cover, so merge only looks for further coverage.
    for file in "$seeds"/seed-* "$seeds"/regression-*; do [ ! -f "$file" ] || cp "$file" "$kept/"; done
    "$binary" "--target=$target" -set_cover_merge=1 -timeout=10 "-max_len=$(longest_input "$target")" -verbosity=0 \
        "$kept" "$seeds" ${found[@]+"${found[@]}"} >"$scratch/merge.log" 2>&1 ||
        { tail -n 20 "$scratch/merge.log" >&2; fail "the merge of $target failed"; }
    before=$(find "$seeds" -name 'corpus-*' | wc -l)
    # libFuzzer names the files that it adds by their hash of 40 digits, and writes those that cover most first.
    while read -r file; do rm "$kept/$file"; done < <(
        ls -tr "$kept" | grep -xE '[0-9a-f]{40}' | tail -n +$((most_corpus_files + 1)))
    # An input with unstable coverage may be added although it is a seed; the pack has it once.
    "$binary" --pack "$pack" "$kept" || fail "$pack cannot be written"
    echo "$target: $before inputs found by fuzzing, now $(grep -c '^corpus-' "$pack")"
}

# minimise TARGET FILE [SECONDS]: looks for a smaller input that also breaks a promise.
minimise() {
    read_options "$@"
    [ ${#operands[@]} -ge 2 ] && [ ${#operands[@]} -le 3 ] || fail_usage "minimise takes TARGET, FILE and perhaps SECONDS"
    local target=${operands[0]} file=${operands[1]} seconds=${operands[2]:-60} smaller
    is_number "$seconds" || fail_usage "SECONDS is '$seconds'; pass a whole number"
    [ -f "$file" ] || fail_usage "$file is no file; pass an input that broke a promise"
    [ ! -f "$file.txt" ] || fail "$file is a disagreement, and already as small as its kind allows"
    build "$sanitizer"
    require_target "$target"
    mkdir -p "$work/$target/artifacts"
    smaller=$work/$target/artifacts/minimised-$(sha1sum "$file" | cut -c 1-8)
    cp "$file" "$smaller"
    "$binary" "--target=$target" -minimize_crash=1 "-max_total_time=$seconds" "-exact_artifact_path=$smaller" "$file" \
        >"$scratch/minimise.log" 2>&1 || true
    if grep -q 'did not crash' "$scratch/minimise.log"; then
        rm -f "$smaller"
        fail "$file breaks no promise of $target"
    fi
    echo "$(wc -c <"$file") bytes, now $(wc -c <"$smaller"): $smaller"
    "$binary" "--target=$target" "--dump=$smaller" 2>&1 | first_lines
    echo "keep it, once it is mended: swift run cachefuzz keep Fuzz/Corpora/$target.pack regression $(printf %q "$smaller") WHAT-IT-WAS"
}
