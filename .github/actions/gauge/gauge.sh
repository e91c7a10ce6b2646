#!/usr/bin/env bash
# The steps of the action: build, gate, and post the summary. Exits with the exit code of the gate. Needs git, swift,
# and curl for comments.
set -euo pipefail

# find_base: prints the commit to compare with. A new branch has no commit before its first push.
find_base() {
    local base=${INPUT_BASE:-${BASE_OF_EVENT:-}}
    case $base in '' | 0000000000*) base=HEAD^ ;; esac
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
        [ -z "$found" ] || { echo "$found"; return; }
        grep -q '/issues/comments/' <<<"$comments" || return 0
    done
}

# as_json FILE: prints {"body": …} with the marker and the file's text.
as_json() {
    { echo "$marker"; echo; head -c 60000 "$1"; } | tr -d '\000-\010\013-\037' |
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

cd "$INPUT_PATH"
marker="[//]: # (gauge $INPUT_PRODUCT)"
git config --global --add safe.directory "${GITHUB_WORKSPACE:-$PWD}"
base=$(find_base)
swift build -c release --product "$INPUT_PRODUCT"
executable=$(swift build -c release --product "$INPUT_PRODUCT" --show-bin-path)/$INPUT_PRODUCT

summary=$(mktemp)
trap 'rm -f "$summary"' EXIT
read -ra arguments <<<"$INPUT_ARGUMENTS"
arguments+=(--base "$base")
[ -z "$INPUT_FILTER" ] || arguments+=(--filter "$INPUT_FILTER")
[ -z "$INPUT_METRICS" ] || arguments+=(--require "$INPUT_METRICS")
status=0
GITHUB_STEP_SUMMARY=$summary "$executable" gate "${arguments[@]}" || status=$?
[ -s "$summary" ] || printf '### %s\n\nThe gate ended with exit code %s and no verdict; the log of the job says why.\n' \
    "$INPUT_PRODUCT" "$status" >"$summary"
cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ "$INPUT_COMMENT" = true ] && [ -n "${PULL_REQUEST:-}" ]; then
    # The gate's verdict counts, whether the comment was written or not.
    post "$summary" || echo "::warning::gauge: the comment could not be written; the job needs pull-requests: write"
fi
exit "$status"
