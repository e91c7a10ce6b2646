# The commands' options, and their errors.

fail() {
    echo "fuzz: $1" >&2
    exit 1
}

fail_usage() {
    echo "fuzz: $1" >&2
    usage >&2
    exit 64
}

# libFuzzer's numbers have 32 bits.
is_number() { [[ $1 =~ ^(0|[1-9][0-9]{0,8})$ ]]; }

# is_seed TEXT: 0, and what is 0 in 32 bits, stands for a random seed.
is_seed() { [[ $1 =~ ^[1-9][0-9]{0,9}$ ]] && [ "$1" -le 4294967295 ]; }

# read_options ARGUMENT…: sets the options, and `operands` to the other arguments. Every option takes a value.
read_options() {
    sanitizer=address given_binary='' seed='' runs='' cpu_minutes='' into='' from='' operands=()
    while [ $# -gt 0 ]; do
        case $1 in
            --*) [ $# -ge 2 ] || fail_usage "$1 is unknown, or has no value" ;;
            *) operands+=("$1"); shift; continue ;;
        esac
        case $1 in
            --sanitizer) sanitizer=$2 ;;
            --binary) given_binary=$2 ;;
            --seed) seed=$2 ;;
            --runs) runs=$2 ;;
            --cpu-minutes) cpu_minutes=$2 ;;
            --into) into=$2 ;;
            --from) from=$2 ;;
            *) fail_usage "unknown option $1" ;;
        esac
        case $1 in
            --seed) is_seed "$2" || fail_usage "--seed is '$2'; pass a whole number from 1 to 4294967295" ;;
            --runs | --cpu-minutes) is_number "$2" || fail_usage "$1 is '$2'; pass a whole number" ;;
        esac
        shift 2
    done
    case $sanitizer in
        address | thread | none) ;;
        *) fail_usage "--sanitizer is '$sanitizer'; pass address, thread or none" ;;
    esac
}

# require_target NAME: unless NAME is a target, ends the script with the list of targets. Needs `binary`.
require_target() {
    local targets
    targets=$("$binary" --list)
    ! grep -qxF -- "$1" <<<"$targets" || return 0
    echo "fuzz: no target is called '$1'; the targets are $(paste -sd ' ' <<<"$targets")" >&2
    exit 64
}

# entropic TARGET: prints whether libFuzzer should prefer inputs that reach rare features (Böhme, Manès and Cha,
# "Boosting fuzzer efficiency", 2020). A list of operations reaches so many features that counting them takes a fifth of
# the time.
entropic() {
    case $1 in disk_* | two_tier* | memory_tier) echo 0 ;; *) echo 1 ;; esac
}

# longest_input TARGET: prints the length in bytes of libFuzzer's longest input. It is long enough for every case that a
# target distinguishes, and to show work that grows faster than the input. Longer inputs would only cost executions.
longest_input() {
    case $1 in
        http_date) echo 64 ;;
        cache_control | etag | vary | range) echo 256 ;;
        # Keys of more than 512 bytes are hashed in pieces.
        url_key) echo 640 ;;
        field_block | freshness | reuse | trace_files | trace_reader | transport) echo 512 ;;
        # An archive says much before it says anything.
        har | workload_json) echo 640 ;;
        *) echo 4096 ;;
    esac
}
