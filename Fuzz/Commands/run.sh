# Fuzzes one target.

# fuzz_once TARGET SECONDS LOG: runs libFuzzer, and appends its output to LOG, with a line of figures at the end:
#
#     fuzz: target=… sanitizer=… revision=… date=… cpu=SECONDS executions=… units=… crashes=… findings=…
#
# Sets `status` to libFuzzer's, `executions` to the number of inputs that ran, `crashes` to the number of inputs that
# broke a promise, which it prints, `known_crashes` to the number of those of a known kind, `is_stuck` if the next run
# would end with the same crash before anything is fuzzed, and `findings` to the number of kinds of disagreement that
# there are now, known ones left out. Every run starts from the repository's corpus and what earlier runs found. The
# output also goes to the open file 3.
fuzz_once() {
    local target=$1 seconds=$2 log=$3
    local work=$work/$target seeds dictionary=$root/Fuzz/Dictionaries/$target.dict
    local known=$root/Fuzz/Known/$target.txt
    unpack_seeds "$target"
    # A reproducible run must not depend on earlier runs' files.
    local corpus=$work/corpus kept=$work/findings
    [ -z "$runs" ] || corpus=$scratch/corpus/$target kept=$scratch/findings/$target
    mkdir -p "$corpus" "$work/artifacts" "$work/findings" "$kept"
    rm -f "$kept/shrinking"
    # What the target prints would mix with libFuzzer's lines, so its stdout is closed.
    local flags=("--target=$target" "-artifact_prefix=$work/artifacts/" -timeout=10 -len_control=100
        "-max_len=$(longest_input "$target")" "-entropic=$(entropic "$target")" -rss_limit_mb=2048
        -print_final_stats=1 -verbosity=1 -close_fd_mask=1 "--findings=$kept" "--known=$known")
    [ "$seconds" -eq 0 ] || flags+=("-max_total_time=$seconds")
    [ -z "$seed" ] || flags+=("-seed=$seed")
    [ -z "$runs" ] || flags+=("-runs=$runs")
    [ ! -f "$dictionary" ] || flags+=("-dict=$dictionary")

    local cpu start
    touch "$log"
    start=$(wc -c <"$log")
    status=0
    local TIMEFORMAT='%U %S'
    # Control-C reaches the fuzzer, too, which then ends with its figures.
    cpu=$(
        trap : INT TERM
        { time "$binary" "${flags[@]}" "$corpus" "$seeds" 2>&1 | (trap '' INT TERM && exec tee -a "$log" >&3); } 2>&1
    ) || status=$?
    # libFuzzer's exit code for Control-C and SIGTERM. It has another where it ends by itself at that moment.
    [ "$status" -ne 72 ] || interrupted=1
    cpu=$(awk '{ printf "%.1f", $1 + $2 }' <<<"$cpu")
    local said
    said=$(tail -c +$((start + 1)) "$log" | tr -d '\0')
    executions=$(stat_of number_of_executed_units "$said")
    crashes=0 known_crashes=0
    local artifact before removed=0
    while IFS= read -r artifact; do
        artifact=$(culprit "$artifact" "$kept/shrinking")
        is_slow_by_accident "$target" "$artifact" && continue
        before=$(count_files "$kept")
        leave_out "$artifact" "$seeds" "$corpus" "$kept"
        removed=$((removed + before - $(count_files "$kept")))
        crash_kind "$artifact" "$said" >"$artifact.kind"
        if is_known "$(cat "$artifact.kind")" "$known"; then
            known_crashes=$((known_crashes + 1))
        else
            crashes=$((crashes + 1))
            print_crash "$target" "$artifact" | tee -a "$log" >&2
        fi
    done < <(sed -n 's/.*Test unit written to //p' <<<"$said")
    # The first execution also tries what earlier runs found, and the next one won't try an input that is left out.
    is_stuck=
    [ "$executions" -gt 1 ] || [ "$known_crashes" -eq 0 ] || [ "$removed" -gt 0 ] || is_stuck=1
    [ "$kept" = "$work/findings" ] || keep_findings "$kept" "$work/findings"
    tell_findings "$target" "$kept" "$work/findings"
    printf 'fuzz: target=%s sanitizer=%s revision=%s date=%s cpu=%s executions=%s units=%s crashes=%s findings=%s\n' \
        "$target" "$sanitizer" "$revision" "$(date -u +%Y-%m-%dT%H:%MZ)" "$cpu" \
        "$executions" "$(stat_of new_units_added "$said")" "$crashes" "$findings" \
        >>"$log"
}

# leave_out FILE DIRECTORY…: removes an input that crashed from what the next run begins with, which would end with it,
# too.
leave_out() {
    local file
    while IFS= read -r file; do
        ! cmp -s "$file" "$1" || rm -f "$file" "$file.txt"
    done < <(find "${@:2}" -type f -size "$(($(wc -c <"$1")))c")
}

count_files() { find "$1" -type f | wc -l; }

# keep_findings FROM TO: copies each finding. An older one of its kind in TO may be of another version of the parser.
keep_findings() {
    local text name
    for text in "$1"/*.txt; do
        name=${text##*/}
        name=${name%.txt}
        [ ! -f "$1/$name" ] || cp "$text" "$1/$name" "$2/"
    done
}

# tell_findings TARGET KEPT SHOWN: sets `findings`, and prints the findings if there are others than the last time.
tell_findings() {
    local told=$scratch/told-$1
    print_findings "$1" "$2" "$3" >"$told.new"
    findings=$(grep -c '^[0-9]*\. ' "$told.new" || true)
    cmp -s "$told.new" "$told" || cat "$told.new" >&2
    mv "$told.new" "$told"
}

# culprit FILE SHRINKING: prints the name of the input that ended the process: FILE, or one that was made of it to find
# a smaller disagreement, and that the harness has left in SHRINKING. That one takes the place of FILE.
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
        # Reads to the end: otherwise the demangler would be killed, and the script would end.
        isOver { next }
        /^ *#0 / && stacks++ { isOver = 1; next }
        /^ *#[0-9]+ 0x[0-9a-f]+ in / && stacks {
            if (!/\.(swift|c|cpp|h)(:[0-9]+)*$/ || /compiler-rt/) next
            if (/\/Harness\/|main\.c/) { isOver = 1; next }
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

# print_findings TARGET DIRECTORY [SHOWN]: prints each kind of disagreement in DIRECTORY that isn't in the list of known
# ones, with the smallest input that shows it, in DIRECTORY or SHOWN.
print_findings() {
    local text file kind known=$root/Fuzz/Known/$1.txt count=0
    while IFS=$'\t' read -r kind text; do
        ! is_known "$kind" "$known" || continue
        count=$((count + 1))
        echo "$count. $kind"
        file=${3:-$2}/${text##*/}
        tail -n +2 "$file" | sed 's/^/    /'
        echo "    ${file%.txt}: $(wc -c <"${file%.txt}") bytes"
    done < <(for text in "$2"/*.txt; do [ ! -f "$text" ] || printf '%s\t%s\n' "$(head -n 1 "$text")" "$text"; done | sort)
    [ "$count" -eq 0 ] ||
        echo "fuzz: $1 has $count kinds of disagreement; those whose first lines are in $known are no longer reported"
}

# is_known KIND FILE: whether a line of the file, blanks and CR at its end aside, is the kind, or its beginning and `*`.
is_known() {
    local line
    [ -f "$2" ] || return 1
    while IFS= read -r line || [ -n "$line" ]; do
        line=${line%"${line##*[![:space:]]}"}
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
    local file hashing=
    printf -v file %q "$2"
    [ -z "$runs" ] || hashing='SWIFT_DETERMINISTIC_HASHING=1 '
    echo "fuzz: $1 broke a promise with $2"
    "$binary" "--target=$1" "--dump=$2" 2>&1 | first_lines
    echo "fuzz: replay it, without and with the sanitizer:"
    echo "    ${hashing}swift run cachefuzz replay $1 $file"
    printf '    %s%q --target=%s %s\n' "$hashing" "$binary" "$1" "$file"
    echo "fuzz: make it smaller: Fuzz/fuzz minimise $1 $file"
}

# first_lines: prints the first 100 lines of a dump, indented. It reads to the end, unlike head, since a writer that is
# killed would end the script.
first_lines() { sed -n '1,100s/^/    /p'; }

# run TARGET SECONDS: behind a known crash it goes on, with the next seed, until SECONDS or --runs are over.
run() {
    read_options "$@"
    [ ${#operands[@]} -eq 2 ] || fail_usage "run takes TARGET and SECONDS"
    local target=${operands[0]} seconds=${operands[1]} log start=$SECONDS rest all_known=0
    is_number "$seconds" || fail_usage "SECONDS is '$seconds'; pass a whole number"
    build "$sanitizer"
    require_target "$target"
    # Otherwise a Set's order, and with it the coverage, would differ from run to run.
    [ -z "$runs" ] || export SWIFT_DETERMINISTIC_HASHING=1
    # Runs for a demonstration or CI don't count in the summary.
    if [ -n "$runs" ]; then log=$scratch/log; else log=$(new_log "$target"); fi
    rest=$seconds
    trap 'interrupted=1' INT TERM
    while :; do
        fuzz_once "$target" "$rest" "$log" 3>&1
        all_known=$((all_known + known_crashes))
        [ "$crashes" -eq 0 ] && [ "$known_crashes" -gt 0 ] && [ -z "$interrupted" ] || break
        [ -z "$is_stuck" ] || fail "$target crashes on its first input, so nothing can be fuzzed"
        if [ "$seconds" -gt 0 ]; then
            rest=$((seconds - (SECONDS - start)))
            [ "$rest" -gt 0 ] || break
        fi
        if [ -n "$runs" ]; then
            [ "$runs" -gt "$executions" ] || break
            runs=$((runs - executions))
        fi
        [ -z "$seed" ] || seed=$((seed % 4294967295 + 1))
    done
    [ "$all_known" -eq 0 ] || echo "fuzz: $target: $all_known known crashes" >&2
    [ -z "$interrupted" ] || exit 72
    [ "$crashes" -eq 0 ] && [ "$findings" -eq 0 ] || exit 1
    [ "$status" -eq 0 ] || [ "$known_crashes" -gt 0 ] || fail "libFuzzer ended with status $status"
}

# new_log TARGET: prints the path of a new log.
new_log() {
    mkdir -p "$work/$1/logs"
    echo "$work/$1/logs/$(date -u +%Y%m%dT%H%M%S)-$$.log"
}
