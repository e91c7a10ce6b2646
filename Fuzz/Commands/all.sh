# Fuzzes every target in turn, for long runs: a crash is set aside and the run goes on.

# libFuzzer restarts with another seed after so many seconds, the most that a killed run loses.
longest_slice=600
# After so many crashes a target isn't fuzzed anymore, until they have been examined.
most_crashes=10
# After so many runs in a row that end without a single input, such as those with a dictionary that libFuzzer can't read.
most_failures=3

all() {
    read_options "$@"
    local seconds=0 target found=0
    if [ -z "$cpu_minutes" ]; then
        [ ${#operands[@]} -gt 0 ] || fail_usage "all takes SECONDS or --cpu-minutes N"
        seconds=${operands[0]}
        is_number "$seconds" && [ "$seconds" -gt 0 ] || fail_usage "SECONDS is '$seconds'; pass a whole number above 0"
        operands=("${operands[@]:1}")
    fi
    build "$sanitizer"
    # canary must crash, so it is fuzzed only if named.
    [ ${#operands[@]} -gt 0 ] || mapfile -t operands < <("$binary" --list | grep -vx canary)
    for target in "${operands[@]}"; do require_target "$target"; done
    trap 'interrupted=1' INT TERM
    for target in "${operands[@]}"; do
        all_of "$target" "$seconds"
        found=$((found + crashes_of_target + findings_of_target + failures_of_target / most_failures))
    done
    summary_table "${operands[@]}"
    [ $found -eq 0 ] || exit 1
}

# all_of TARGET SECONDS: fuzzes for SECONDS or, with 0, until the target's logs have --cpu-minutes of processor time.
# Earlier runs count: a stopped run continues where it was.
all_of() {
    local target=$1 seconds=$2 start=$SECONDS rest log
    crashes_of_target=0 findings_of_target=0 failures_of_target=0
    log=$(new_log "$target")
    while :; do
        if [ "$seconds" -gt 0 ]; then rest=$((seconds - (SECONDS - start))); else rest=$(cpu_seconds_left "$target"); fi
        [ "$rest" -gt 0 ] || break
        # A shared machine may give less processor time than this; then the loop repeats.
        [ "$seconds" -gt 0 ] || [ "$rest" -ge 10 ] || rest=10
        [ "$rest" -le $longest_slice ] || rest=$longest_slice
        echo "-- $target: $rest s, log $log" >&2
        fuzz_once "$target" "$rest" "$log" 3>/dev/null
        crashes_of_target=$((crashes_of_target + crashes))
        findings_of_target=$((findings_of_target + findings))
        [ -z "$interrupted" ] || { summary_table; exit 72; }
        [ "$status" -eq 0 ] || [ $((crashes + known_crashes)) -gt 0 ] || tail -n 20 "$log" >&2
        if [ "$status" -eq 0 ] || [ $((executions + crashes + known_crashes)) -gt 0 ]; then
            failures_of_target=0
        else
            failures_of_target=$((failures_of_target + 1))
        fi
        if [ $failures_of_target -eq $most_failures ]; then
            echo "fuzz: $target: libFuzzer ended $most_failures times without an input, with status $status; it is left" >&2
            break
        fi
        if [ -n "$is_stuck" ]; then
            echo "fuzz: $target crashes on its first input and is left" >&2
            break
        fi
        if [ $crashes_of_target -ge $most_crashes ]; then
            echo "fuzz: $target has crashed $crashes_of_target times and is left" >&2
            break
        fi
    done
}

cpu_seconds_left() {
    records "$1" | awk -v goal=$((cpu_minutes * 60)) '
        { for (i = 2; i <= NF; i++) if (split($i, pair, "=") == 2 && pair[1] == "cpu") sum += pair[2] }
        END { left = goal - sum; print (left > 0 ? int(left + 0.999) : 0) }'
}
