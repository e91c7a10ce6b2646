# Makes the files that ClusterFuzz, ClusterFuzzLite and OSS-Fuzz expect: per target an executable NAME_fuzzer, and
# NAME_fuzzer.options and, where there are such, NAME_fuzzer.dict, NAME_fuzzer_seed_corpus.zip, and NAME_fuzzer.known
# with the known kinds of disagreement: an unknown one ends the process, since an engine sees crashes alone.

package() {
    read_options "$@"
    [ ${#operands[@]} -eq 1 ] || fail_usage "package takes the directory to be filled"
    [ "$sanitizer" != thread ] ||
        fail_usage "package takes no --sanitizer thread: its binaries need Swift's libraries, which the engine's image has not"
    local out target seeds
    build "$sanitizer"
    mkdir -p "${operands[0]}"
    out=$(cd "${operands[0]}" && pwd)
    # One binary under every name, by which it chooses its target.
    cp "$binary" "$out/.cachefuzz"
    for target in $("$binary" --list | grep -vx canary); do
        ln -f "$out/.cachefuzz" "$out/${target}_fuzzer" 2>/dev/null || cp "$out/.cachefuzz" "$out/${target}_fuzzer"
        copy_or_remove "$root/Fuzz/Dictionaries/$target.dict" "$out/${target}_fuzzer.dict"
        copy_or_remove "$root/Fuzz/Known/$target.txt" "$out/${target}_fuzzer.known"
        print_options "$target" >"$out/${target}_fuzzer.options"
        rm -f "$out/${target}_fuzzer_seed_corpus.zip"
        [ -f "$root/Fuzz/Corpora/$target.pack" ] || continue
        unpack_seeds "$target"
        zip_folder "$seeds" "$out/${target}_fuzzer_seed_corpus.zip"
    done
    rm -f "$out/.cachefuzz"
}

# copy_or_remove FILE COPY: removes the copy of a file that is not there.
copy_or_remove() { if [ -f "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi; }

# print_options TARGET: prints the options that run passes.
print_options() {
    printf '[libfuzzer]\nlen_control = 100\nmax_len = %s\nentropic = %s\ntimeout = 10\nrss_limit_mb = 2048\n' \
        "$(longest_input "$1")" "$(entropic "$1")"
}

# zip_folder FOLDER FILE: FILE is an absolute path.
zip_folder() {
    if command -v zip >/dev/null; then
        (cd "$1" && zip -q -r -X "$2" .)
    elif command -v python3 >/dev/null; then
        (cd "$1" && python3 -m zipfile -c "$2" ./*)
    else
        fail "neither zip nor python3 found; install one of them to make seed corpora"
    fi
}
