# Writes a target for somebody else's parser, and what it needs, into another package.

# new TARGET MODULE [CALL] [--into DIRECTORY]
new() {
    read_options "$@"
    local target=${operands[0]:-} module=${operands[1]:-} call=${operands[2]:-} own=${into:-.} fuzz name
    local template=$root/Fuzz/Templates/$target.swift
    [ ${#operands[@]} -eq 2 ] || [ ${#operands[@]} -eq 3 ] || fail_usage "new takes TARGET, MODULE and perhaps CALL"
    [ -d "$root/Fuzz/Templates" ] || fail "new is a command of CacheGauge's own Fuzz/fuzz; run that one"
    [[ $target =~ ^[a-z_]+$ ]] && [ -f "$template" ] ||
        fail_usage "there is nothing to compare a '$target' with; the targets are $(
            basename -s .swift "$root"/Fuzz/Templates/*.swift | paste -sd ' ')"
    [[ $module =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || fail_usage "MODULE is '$module'; pass the name of a Swift module"
    [ -f "$own/Package.swift" ] || fail "$own has no Package.swift; run this in the package of the parser, or pass --into"
    own=$(cd "$own" && pwd)
    [ "$own" != "$root" ] || fail "$own is the package of the reference; run this in the package of the parser"
    fuzz=$own/Fuzz
    [ -d "$fuzz/parserfuzz/Harness" ] || copy_harness "$fuzz"
    [ ! -e "$fuzz/parserfuzz/$target.swift" ] || fail "$fuzz/parserfuzz/$target.swift is there already; remove it first"

    # Without CALL the target doesn't compile before it is written.
    local body="    #error(\"read bytes with $module here, and return what it says\")"
    [ -z "$call" ] || body="    $call"
    MODULE=$module BODY=$body awk '
        $0 == "    CALL" { print ENVIRON["BODY"]; next }
        { gsub("MODULE", ENVIRON["MODULE"]); print }' "$template" >"$fuzz/parserfuzz/$target.swift"
    name=$(sed -n 's/.*static let \([A-Za-z]*\) = FuzzTarget.*/\1/p' "$template")
    # A target that was removed to be written anew keeps what its runs have found.
    grep -q "^        \.$name,\$" "$fuzz/parserfuzz/FuzzTarget+All.swift" ||
        sed -i "s/^    ]\$/        .$name,\n    ]/" "$fuzz/parserfuzz/FuzzTarget+All.swift"
    mkdir -p "$fuzz/Corpora" "$fuzz/Dictionaries"
    local file
    for file in Corpora/$target.pack Dictionaries/$target.dict; do
        [ -e "$fuzz/$file" ] || cp "$root/Fuzz/$file" "$fuzz/$file"
    done
    echo "$fuzz/parserfuzz/$target.swift: the target; $(($(wc -l <"$fuzz/Corpora/$target.pack") - 1)) inputs and a dictionary lie beside it"
    grep -q '"parserfuzz"' "$own/Package.swift" || manifest_lines "$module"
    echo "Then: Fuzz/fuzz run $target 60"
}

# copy_harness FUZZ: copies what doesn't depend on this package. The names differ, since two packages that depend on
# each other can't have targets of one name.
copy_harness() {
    mkdir -p "$1/parserfuzz"
    cp -R "$root/Fuzz/fuzz" "$root/Fuzz/Commands" "$1/"
    rm -f "$1/Commands/new.sh"
    cp -R "$root/Fuzz/WorkCounter" "$1/ParserWork"
    mv "$1/ParserWork/WorkCounter.c" "$1/ParserWork/ParserWork.c"
    mv "$1/ParserWork/include/WorkCounter.h" "$1/ParserWork/include/ParserWork.h"
    cp -R "$root/Fuzz/cachefuzz/Harness" "$1/parserfuzz/"
    find "$1/fuzz" "$1/Commands" "$1/ParserWork" "$1/parserfuzz" -type f -exec sed -i \
        -e 's/cachefuzz/parserfuzz/g' -e 's/WorkCounter/ParserWork/g' -e 's/^import Platform$/import Glibc/' \
        -e '/^       Fuzz.fuzz new /d' -e '/^new       writes/,/^          package in/d' -e 's/ package new; do/ package; do/' -e 's/ | package | new)/ | package)/' {} +
    printf 'extension FuzzTarget {\n    /// Every target.\n    static let all: [FuzzTarget] = [\n    ]\n}\n' \
        >"$1/parserfuzz/FuzzTarget+All.swift"
    grep -qsx '/Fuzz/.work/' "$1/../.gitignore" || echo '/Fuzz/.work/' >>"$1/../.gitignore"
}

# The dependency is the place that this repository was cloned from, or else this folder itself.
manifest_lines() {
    local dependency=".package(name: \"CacheGauge\", path: \"$root\")" name=CacheGauge url
    if url=$(git -C "$root" remote get-url origin 2>/dev/null); then
        url=${url%"${url##*[!/]}"}
        # SwiftPM calls a package by the end of its address.
        name=${url##*[/:]} name=${name%.git}
        # A relative address would be another one in that manifest.
        [[ $url != *:* && $url != /* ]] && url=$(cd "$root" && realpath -m -- "$url")
        dependency=".package(url: \"$url\", branch: \"main\")"
    fi
    cat <<END
Add to Package.swift, if they are not there, the dependency and the targets:

    dependencies: [$dependency],
    …
        .target(name: "ParserWork", path: "Fuzz/ParserWork"),
        .executableTarget(
            name: "parserfuzz",
            dependencies: ["$1", "ParserWork", .product(name: "HTTPReference", package: "$name")],
            path: "Fuzz/parserfuzz"),
END
}
