# Fuzzes one target.

# fuzz_once TARGET SECONDS LOG: runs libFuzzer, and appends its output to LOG, with a line of figures at the end:
#
#     fuzz: target=… sanitizer=… revision=… date=… cpu=SECONDS executions=… units=… crashes=… findings=…
#
# Sets `status` to libFuzzer's, `crashes` to the number of inputs that broke a promise, which it prints, without those of
# a known kind, and `findings` to the number of new kinds of disagreement. Every run starts from the repository's corpus and what earlier runs found.
# The output also goes to the open file 3.
fuzz_once() {
    local target=$1 seconds=$2 log=$3
    local work=$work/$target seeds dictionary=$root/Fuzz/Dictionaries/$target.dict
    unpack_seeds "$target"
    mkdir -p "$work/corpus" "$work/artifacts"
    local flags=("--target=$target" "-artifact_prefix=$work/artifacts/" -timeout=10 -len_control=100
        "-max_len=$(longest_input "$target")" "-entropic=$(entropic "$target")" -rss_limit_mb=2048
        -print_final_stats=1 -verbosity=1)
    [ "$seconds" -eq 0 ] || flags+=("-max_total_time=$seconds")
    [ -z "$seed" ] || flags+=("-seed=$seed")
    [ -z "$runs" ] || flags+=("-runs=$runs")
    [ ! -f "$dictionary" ] || flags+=("-dict=$dictionary")
    # A reproducible run must not depend on earlier runs' files.
    local corpus=$work/corpus
    [ -z "$runs" ] || corpus=$(mktemp -d "$scratch/corpus-XXXXXX")
    local inputs=("$corpus" "$seeds") kept=$work/findings
    [ -z "$runs" ] || kept=$(mktemp -d "$scratch/findings-XXXXXX")
    flags+=("--findings=$kept" "--known=$root/Fuzz/Known/$target.txt")
    rm -f "$kept/shrinking"

    local cpu start
    touch "$log"
    start=$(wc -c <"$log")
    status=0
    local TIMEFORMAT='%U %S'
    cpu=$({ time "$binary" "${flags[@]}" "${inputs[@]}" 2>&1 | tee -ai "$log" >&3; } 2>&1) || status=$?
    cpu=$(awk '{ printf "%.1f", $1 + $2 }' <<<"$cpu")
    local said
    said=$(tail -c +$((start + 1)) "$log")
    crashes=0
    local artifact
    while read -r artifact; do
        artifact=$(culprit "$artifact" "$kept/shrinking")
        is_slow_by_accident "$target" "$artifact" && continue
        crash_kind "$artifact" "$said" >"$artifact.kind"
        ! is_known "$(cat "$artifact.kind")" "$root/Fuzz/Known/$target.txt" || continue
        crashes=$((crashes + 1))
        print_crash "$target" "$artifact" | tee -a "$log" >&2
    done < <(sed -n 's/.*Test unit written to //p' <<<"$said")
    findings=$(grep -c "^fuzz: finding of $target: " <<<"$said" || true)
    [ "$findings" -eq 0 ] || print_findings "$target" "$kept" >&2
    printf 'fuzz: target=%s sanitizer=%s revision=%s date=%s cpu=%s executions=%s units=%s crashes=%s findings=%s\n' \
        "$target" "$sanitizer" "$revision" "$(date -u +%Y-%m-%dT%H:%MZ)" "$cpu" \
        "$(stat_of number_of_executed_units "$said")" "$(stat_of new_units_added "$said")" "$crashes" "$findings" \
        >>"$log"
}

# culprit FILE SHRINKING: prints the name of the input that ended the process: FILE, or one that was made of it to find a
# smaller disagreement, and that the harness has left in SHRINKING. That one takes the place of FILE.
culprit() {
    if [ ! -f "$2" ]; then
        echo "$1"
        return
    fi
    local hash name
    hash=$(sha1sum <"$2")
    name=${1%-*}-${hash%% *}
    rm -f "$1"
    mv "$2" "$name"
    echo "$name"
}

# crash_kind FILE TEXT: prints what happened and where: the innermost three functions of the stack in TEXT that have a
# source file, without the compiler's, libFuzzer's and the harness's own. Such a line in Fuzz/Known/TARGET.txt hides the
# crash.
crash_kind() {
    local demangle=cat
    ! command -v swift-demangle >/dev/null || demangle='swift-demangle -compact -simplified'
    $demangle <<<"$2" | awk -v file="${1##*/}" '
        BEGIN { sub(/-[0-9a-f]*$/, "", file) }
        /^ *#0 / { if (stacks++) exit }
        /^ *#[0-9]+ 0x[0-9a-f]+ in / && stacks {
            if (!/\.(swift|c|cpp|h)(:[0-9]+)*$/ || /compiler-rt/) next
            if (/\/Harness\/|main\.c/) exit
            sub(/^ *#[0-9]+ 0x[0-9a-f]+ in /, ""); sub(/ [^ ]*$/, "")
            if ($0 != last && count < 3) places = places (count++ ? " < " : "") (last = $0)
        }
        END { print file " in " (places ? places : "an unknown place") }'
}

# print_crash_kinds DIRECTORY KNOWN: prints each kind of crash that is not known, how many inputs show it, and the
# smallest.
print_crash_kinds() {
    local file kind count=0
    while IFS= read -r kind; do
        ! is_known "$kind" "$2" || continue
        count=$((count + 1))
        file=$(grep -lxF -- "$kind" "$1"/*.kind |
            while IFS= read -r file; do echo "$(wc -c <"${file%.kind}") ${file%.kind}"; done | sort -n)
        echo "$count. $kind: $(wc -l <<<"$file") inputs"
        file=${file%%$'\n'*}
        echo "    ${file#* }: ${file%% *} bytes"
    done < <(for file in "$1"/*.kind; do [ ! -f "$file" ] || cat "$file"; done | sort -u)
}

# print_findings TARGET DIRECTORY: prints each kind of disagreement that isn't in the list of known ones, with the
# smallest input that shows it.
print_findings() {
    local text kind known=$root/Fuzz/Known/$1.txt count=0
    while IFS=$'\t' read -r kind text; do
        ! is_known "$kind" "$known" || continue
        count=$((count + 1))
        echo "$count. $kind"
        tail -n +2 "$text" | sed 's/^/    /'
        echo "    ${text%.txt}: $(wc -c <"${text%.txt}") bytes"
    done < <(for text in "$2"/*.txt; do [ ! -f "$text" ] || printf '%s\t%s\n' "$(head -n 1 "$text")" "$text"; done | sort)
    [ "$count" -eq 0 ] ||
        echo "fuzz: $1 has $count kinds of disagreement; those whose first lines are in $known are no longer reported"
}

# is_known KIND FILE: whether a line of the file is the kind, or its beginning and `*`.
is_known() {
    local line
    [ -f "$2" ] || return 1
    while IFS= read -r line; do
        case $line in
            '' | '#'*) ;;
            *'*') [[ $1 != "${line%\*}"* ]] || return 0 ;;
            *) [ "$line" != "$1" ] || return 0 ;;
        esac
    done <"$2"
    return 1
}

# stat_of NAME TEXT: prints one of libFuzzer's final statistics, or 0 if they are missing.
stat_of() { awk -v name="stat::$1:" '$1 == name { value = $2 } END { print value + 0 }' <<<"$2"; }

# is_slow_by_accident TARGET FILE: deletes FILE if it finishes in time when run again. Time-outs go by the clock, and
# the machine may have been paused. An input that really is slow is kept.
is_slow_by_accident() {
    case ${2##*/} in timeout-* | slow-unit-*) ;; *) return 1 ;; esac
    "$binary" "--target=$1" -timeout=10 "$2" >/dev/null 2>&1 || return 1
    rm -f "$2"
}

# print_crash TARGET FILE: prints the artifact, its contents, and the commands that replay it.
print_crash() {
    echo "fuzz: $1 broke a promise with $2"
    "$binary" "--target=$1" "--dump=$2" 2>&1 | head -n 100 | sed 's/^/    /'
    echo "fuzz: replay it, without and with the sanitizer:"
    echo "    swift run cachefuzz replay $1 $2"
    echo "    $binary --target=$1 $2"
    echo "fuzz: make it smaller: Fuzz/fuzz minimise $1 $2"
}

run() {
    read_options "$@"
    [ ${#operands[@]} -eq 2 ] || fail_usage "run takes TARGET and SECONDS"
    local target=${operands[0]} seconds=${operands[1]} log
    is_number "$seconds" || fail_usage "SECONDS is '$seconds'; pass a whole number"
    build "$sanitizer"
    require_target "$target"
    # Runs for a demonstration or CI don't count in the summary.
    if [ -n "$runs" ]; then log=$scratch/log; else log=$(new_log "$target"); fi
    fuzz_once "$target" "$seconds" "$log" 3>&1
    [ "$crashes" -eq 0 ] && [ "$findings" -eq 0 ] || exit 1
    [ "$status" -eq 0 ] || fail "libFuzzer ended with status $status"
}

# new_log TARGET: prints the path of a new log.
new_log() {
    mkdir -p "$work/$1/logs"
    echo "$work/$1/logs/$(date -u +%Y%m%dT%H%M%S)-$$.log"
}
