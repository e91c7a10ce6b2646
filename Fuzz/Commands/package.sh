# Makes the files that ClusterFuzz, ClusterFuzzLite and OSS-Fuzz expect: per target an executable NAME_fuzzer, and
# NAME_fuzzer.dict, NAME_fuzzer.options and NAME_fuzzer_seed_corpus.zip.

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
        cp "$root/Fuzz/Dictionaries/$target.dict" "$out/${target}_fuzzer.dict"
        print_options "$target" >"$out/${target}_fuzzer.options"
        rm -f "$out/${target}_fuzzer_seed_corpus.zip"
        unpack_seeds "$target"
        zip_folder "$seeds" "$out/${target}_fuzzer_seed_corpus.zip"
    done
    rm -f "$out/.cachefuzz"
}

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
