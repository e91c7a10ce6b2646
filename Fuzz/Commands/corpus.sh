# The files of the repository's corpus: kind-hash-slug, the hash the first 8 digits of the contents' SHA-1.
#
#     seed-…        written by hand
#     corpus-…      found by fuzzing, as few files as have the same coverage; rewritten by merge
#     regression-…  broke a promise once; never pruned

# The most files of one target that merge keeps.
most_corpus_files=300

# slug FILE: prints the beginning of its text, or its length if it is not text.
slug() {
    local text
    text=$(head -c 40 "$1" | LC_ALL=C tr -cs 'A-Za-z0-9' '-' | LC_ALL=C tr 'A-Z' 'a-z' | sed 's/^-*//' | cut -c 1-24 |
        sed 's/-*$//')
    if [ -z "$text" ] || head -c 40 "$1" | LC_ALL=C grep -qaP '[^\t\r\n\x20-\x7E]'; then
        text=$(wc -c <"$1" | tr -d ' ')-bytes
    fi
    echo "$text"
}

hash_of() { sha1sum "$1" | cut -c 1-8; }

# merge [TARGET…]: rewrites the corpus-… files of these targets, or of all, from the present files and the inputs that
# runs have found.
merge() {
    read_options "$@"
    build "$sanitizer"
    [ ${#operands[@]} -gt 0 ] || mapfile -t operands < <("$binary" --list | grep -vx canary)
    local target
    for target in "${operands[@]}"; do require_target "$target"; done
    for target in "${operands[@]}"; do merge_one "$target"; done
}

merge_one() {
    local target=$1 corpus=$root/Fuzz/Corpora/$1 kept=$scratch/kept-$1 found=$work/$1/corpus file
    mkdir -p "$kept" "$corpus" "$found"
    # Seeds and regressions stay whatever they cover, so merge only looks for further coverage.
    for file in "$corpus"/seed-* "$corpus"/regression-*; do [ ! -f "$file" ] || cp "$file" "$kept/"; done
    "$binary" "--target=$target" -set_cover_merge=1 -timeout=10 "-max_len=$(longest_input "$target")" -verbosity=0 \
        "$kept" "$corpus" "$found" >"$scratch/merge.log" 2>&1 || { tail -n 20 "$scratch/merge.log" >&2; fail "the merge of $target failed"; }
    local before after
    before=$(find "$corpus" -name 'corpus-*' | wc -l)
    rm -f "$corpus"/corpus-*
    # libFuzzer names the files that it adds by their hash of 40 digits, and writes those that cover most first.
    while read -r file; do
        # An input with unstable coverage may be added although it is a seed already.
        ls "$corpus" | grep -q -- "-$(hash_of "$kept/$file")-" && continue
        cp "$kept/$file" "$corpus/corpus-$(hash_of "$kept/$file")-$(slug "$kept/$file")"
    done < <(ls -tr "$kept" | grep -xE '[0-9a-f]{40}' | head -n $most_corpus_files)
    after=$(find "$corpus" -name 'corpus-*' | wc -l)
    echo "$target: $before files, now $after"
}

# minimise TARGET FILE [SECONDS]: looks for a smaller input that breaks a promise too.
minimise() {
    read_options "$@"
    [ ${#operands[@]} -ge 2 ] && [ ${#operands[@]} -le 3 ] || fail_usage "minimise takes TARGET, FILE and perhaps SECONDS"
    local target=${operands[0]} file=${operands[1]} seconds=${operands[2]:-60} smaller
    is_number "$seconds" || fail_usage "SECONDS is '$seconds'; pass a whole number"
    [ -f "$file" ] || fail_usage "$file is no file; pass an input that broke a promise"
    build "$sanitizer"
    require_target "$target"
    mkdir -p "$work/$target/artifacts"
    smaller=$work/$target/artifacts/minimised-$(hash_of "$file")
    cp "$file" "$smaller"
    "$binary" "--target=$target" -minimize_crash=1 "-max_total_time=$seconds" "-exact_artifact_path=$smaller" "$file" \
        >"$scratch/minimise.log" 2>&1 || true
    if grep -q 'did not crash' "$scratch/minimise.log"; then
        rm -f "$smaller"
        fail "$file breaks no promise of $target"
    fi
    echo "$(wc -c <"$file") bytes, now $(wc -c <"$smaller"): $smaller"
    "$binary" "--target=$target" "--dump=$smaller" 2>&1 | head -n 100 | sed 's/^/    /'
    echo "keep it, once it is mended: cp $smaller Fuzz/Corpora/$target/regression-$(hash_of "$smaller")-WHAT-IT-WAS"
}
