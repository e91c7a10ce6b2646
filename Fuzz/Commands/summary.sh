# The totals of the logs of all runs.

# records [TARGET…]: prints these targets' lines of figures, or all, oldest first.
records() {
    local target logs=()
    [ $# -gt 0 ] || set -- '*'
    for target in "$@"; do
        # Unquoted on purpose: `*` is every target.
        for log in "$work"/$target/logs/*.log; do [ ! -f "$log" ] || logs+=("$log"); done
    done
    [ ${#logs[@]} -eq 0 ] || grep -h '^fuzz: target=' "${logs[@]}" || true
}

# summary_table [TARGET…]: prints a Markdown table with a row per target. Executions are per second of processor time,
# which a busy machine changes less than elapsed time.
summary_table() {
    records "$@" | awk '
        function row(name, executions, cpu, units, crashes) {
            printf "| %s | %d | %s | %.1f | %d | %d |\n", name, executions,
                (cpu > 0) ? sprintf("%d", executions / cpu) : "-", cpu / 60, units, crashes
        }
        {
            for (i = 2; i <= NF; i++) { at = index($i, "="); value[substr($i, 1, at - 1)] = substr($i, at + 1) }
            target = value["target"]
            if (!(target in cpu)) names[++count] = target
            executions[target] += value["executions"]; cpu[target] += value["cpu"]
            units[target] += value["units"]; crashes[target] += value["crashes"]
            if (!(value["sanitizer"] in seenS)) { seenS[value["sanitizer"]]; s = s (s ? ", " : "") value["sanitizer"] }
            if (!(value["revision"] in seenR)) { seenR[value["revision"]]; r = r (r ? ", " : "") value["revision"] }
            if (first == "" || value["date"] < first) first = value["date"]
            if (value["date"] > last) last = value["date"]
        }
        END {
            if (count == 0) { print "No run has been logged yet: Fuzz/fuzz all SECONDS"; exit }
            for (i = 2; i <= count; i++)
                for (j = i; j > 1 && names[j] < names[j - 1]; j--) { t = names[j]; names[j] = names[j - 1]; names[j - 1] = t }
            print "| target | executions | executions per second | CPU minutes | new inputs | crashes |"
            print "|---|---|---|---|---|---|"
            for (i = 1; i <= count; i++) {
                n = names[i]
                row(n, executions[n], cpu[n], units[n], crashes[n])
                e += executions[n]; c += cpu[n]; u += units[n]; k += crashes[n]
            }
            if (count > 1) row("all", e, c, u, k)
            printf "\nSanitizer: %s. Revisions: %s. From %s to %s.\n", s, r, first, last
        }'
}

summary() {
    read_options "$@"
    local target
    # A removed target may still have logs.
    for target in ${operands[@]+"${operands[@]}"}; do
        [ -f "$root/Fuzz/Corpora/$target.pack" ] || [ -d "$work/$target/logs" ] ||
            fail_usage "no target is called '$target'; Fuzz/fuzz list prints the targets"
    done
    {
        summary_table ${operands[@]+"${operands[@]}"}
        local directory
        for directory in "$work"/*/artifacts; do
            target=$(basename "$(dirname "$directory")")
            [ -d "$directory" ] && [[ ${#operands[@]} -eq 0 || " ${operands[*]} " == *" $target "* ]] || continue
            print_crash_kinds "$directory" "$root/Fuzz/Known/$target.txt" >"$scratch/kinds"
            [ ! -s "$scratch/kinds" ] || printf '\n%s, crashes by kind:\n\n%s\n' "$target" "$(cat "$scratch/kinds")"
        done
        for directory in "$work"/*/findings; do
            target=$(basename "$(dirname "$directory")")
            [ -d "$directory" ] && [[ ${#operands[@]} -eq 0 || " ${operands[*]} " == *" $target "* ]] || continue
            print_findings "$target" "$directory" >"$scratch/findings"
            [ ! -s "$scratch/findings" ] || printf '\n%s:\n\n%s\n' "$target" "$(cat "$scratch/findings")"
        done
    } >"$scratch/table"
    put_table summary "$scratch/table"
}

# put_table COMMAND FILE: prints a table, or puts it between the command's marks in the file that --into names.
put_table() {
    [ -n "$into" ] || { cat "$2"; return; }
    local begin="<!-- Fuzz/fuzz $1: begin -->" end="<!-- Fuzz/fuzz $1: end -->"
    [ -f "$into" ] && grep -qxF -- "$begin" "$into" && grep -qxF -- "$end" "$into" ||
        fail "--into $into has not the two lines '$begin' and '$end'; the table goes between them"
    awk -v begin="$begin" -v end="$end" -v table="$2" '
        $0 == end { is_inside = 0 }
        !is_inside { print }
        $0 == begin { is_inside = 1; while ((getline line < table) > 0) print line }' "$into" >"$scratch/page"
    cat "$scratch/page" >"$into"
}
