#!/usr/bin/env bash
# The steps of the action: build, gate, and post the summary. Exits with the exit code of the gate. Needs git, swift,
# and curl for comments.
set -euo pipefail

# find_base: prints the commit to compare with. A new branch has no commit before its first push.
find_base() {
    local base=${INPUT_BASE:-${BASE_OF_EVENT:-}}
    case $base in '' | 0000000000*) base=HEAD^ ;; esac
    git rev-parse --git-dir >/dev/null || return 1
    git rev-parse --verify --quiet "$base^{commit}" || {
        echo "gauge: there is no commit $base; check out with fetch-depth: 0, or pass the input base" >&2
        return 1
    }
}

api() { curl --silent --show-error --fail --header "Authorization: Bearer $INPUT_TOKEN" "$@"; }

# find_comment: prints the address of the comment that carries the marker, or nothing.
find_comment() {
    local page comments found
    for page in 1 2 3 4 5 6 7 8 9 10; do
        comments=$(api "$issue?per_page=100&page=$page") || return 1
        # The address of a comment comes before its text.
        found=$(grep -oE '"url": *"[^"]*/issues/comments/[0-9]+"|\[//\]: # \(gauge [^)]*\)' <<<"$comments" |
            awk -v marker="$marker" '$0 == marker { print url; exit } { split($0, part, "\""); url = part[4] }') || true
        [ -z "$found" ] || { echo "$found"; return 0; }
        grep -q '/issues/comments/' <<<"$comments" || return 0
    done
}

# as_json FILE: prints {"body": …} with the marker and the file's text, of which a comment holds 65,536 characters.
as_json() {
    {
        printf '%s\n\n' "$marker"
        if [ "$(wc -c <"$1")" -le 60000 ]; then
            cat "$1"
        else
            printf 'Cut to 60,000 bytes; the summary of the job is whole.\n\n'
            # The last line may end within a character.
            head -c 60000 "$1" | sed '$d'
        fi
    } | tr -d '\000-\010\013-\037' |
        awk 'BEGIN { printf "{\"body\":\"" }
            { gsub(/\\/, "\\\\\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); printf "%s\\n", $0 }
            END { print "\"}" }'
}

# post FILE: updates the comment of an earlier run, or adds one.
post() {
    local issue=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments old
    old=$(find_comment) || return 1
    if [ -n "$old" ]; then
        as_json "$1" | api --request PATCH --data-binary @- "$old" >/dev/null
    else
        as_json "$1" | api --request POST --data-binary @- "$issue" >/dev/null
    fi
}

# tell: the last step, also where there was no verdict. The exit code stays, whether this was written or not.
tell() {
    [ -s "$summary" ] || printf '### %s\n\n%s; the log of the job says why.\n' "$INPUT_PRODUCT" "$trouble" >"$summary"
    cat "$summary" >>"$GITHUB_STEP_SUMMARY" || true
    if [ "$INPUT_COMMENT" = true ] && [ -n "${PULL_REQUEST:-}" ]; then
        post "$summary" || echo "::warning::gauge: the comment could not be written; the job needs pull-requests: write"
    fi
    rm -f "$summary" "$git_settings"
}

# split TEXT: the array arguments. Blanks and ends of lines separate them, and quotes keep them together.
split() {
    local rest=$1 word part="^(\"([^\"]*)\"|'([^']*)'|([^[:space:]\"']+))(.*)\$"
    arguments=()
    while [[ $rest =~ ^[[:space:]]*([^[:space:]].*)$ ]]; do
        rest=${BASH_REMATCH[1]} word=
        while [[ $rest =~ $part ]]; do
            word+=${BASH_REMATCH[2]}${BASH_REMATCH[3]}${BASH_REMATCH[4]} rest=${BASH_REMATCH[5]}
        done
        case $rest in [\"\']*) break ;; esac
        arguments+=("$word")
    done
    case $rest in *[\"\']*) echo "gauge: a quotation mark has no second one in the arguments: $1" >&2; return 1 ;; esac
}

# A job with other inputs has another comment, and each job of a matrix.
case ${MATRIX_OF_JOB:-} in null | '{}') MATRIX_OF_JOB= ;; esac
marker=$(printf '%s\n' "${GITHUB_WORKFLOW:-}" "${GITHUB_JOB:-}" "$INPUT_PATH" "$INPUT_FILTER" "$INPUT_METRICS" \
    "$INPUT_ARGUMENTS" ${MATRIX_OF_JOB:+"$MATRIX_OF_JOB"} | cksum)
marker="[//]: # (gauge $INPUT_PRODUCT ${marker%% *})"
summary=$(mktemp) git_settings=$(mktemp)
trouble="The action did not begin"
trap tell EXIT
# In a container the checkout belongs to somebody else. Some versions of git take this from a file alone.
printf '[include]\npath = "%s"\npath = "%s"\n[safe]\ndirectory = *\n' \
    "${XDG_CONFIG_HOME:-${HOME:-}/.config}/git/config" "${HOME:-}/.gitconfig" >"$git_settings"
export GIT_CONFIG_GLOBAL=$git_settings
split "$INPUT_ARGUMENTS"
cd "$INPUT_PATH"
trouble="There is no base to compare with"
base=$(find_base)
trouble="The package does not build"
swift build -c release --product "$INPUT_PRODUCT"
executable=$(swift build -c release --product "$INPUT_PRODUCT" --show-bin-path)/$INPUT_PRODUCT

arguments+=(--base "$base")
[ -z "$INPUT_FILTER" ] || arguments+=(--filter "$INPUT_FILTER")
[ -z "$INPUT_METRICS" ] || arguments+=(--require "$INPUT_METRICS")
status=0
GITHUB_STEP_SUMMARY=$summary "$executable" gate "${arguments[@]}" || status=$?
trouble="The gate ended with exit code $status and no verdict"
exit "$status"
