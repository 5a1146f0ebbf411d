#!/bin/sh
# Runs all tests of a build: run.sh SWIFT.
#
# Two lanes run in parallel, each with one test at a time, so that no test competes with a thousand others, and its time is its own.
# Each lane runs the next test target that the other one hasn't begun, the largest first. Prints failures as they occur and the ten
# slowest tests at the end; the complete output is in .build/test-logs. Homes and temporary files of the tests are removed with them.
set -u
swift=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/tappa-tests.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
export TMPDIR="$scratch" HOME="$scratch/home"
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME
mkdir "$HOME"
logs=.build/test-logs
mkdir -p "$logs"
rm -rf "$logs"/*
failures='✘|↳|: error:|Fatal error|crashed|signal code|Test run with'

# Runs test targets, prints their failures, and records whether there were any.
lane() {
    for target in $targets; do
        mkdir "$logs/$target.begun" 2>/dev/null || continue
        { $swift test --skip-build --ignore-lock --no-parallel --filter "^$target\." 2>&1 || touch "$logs/$target.failed"; } \
            | tee "$logs/$target.log" | grep -aE "$failures" | grep -avE '^◇|^✔ Test case|^↳ (Testing Library|Target Platform)' \
            | sed "s/^/$target: /"
    done
}

listed=$($swift test list --skip-build --ignore-lock 2>"$logs/list.log" | sed 's/\..*//' | sort | uniq -c | sort -rn | sed 's/.* //')
[ -n "$listed" ] || { cat "$logs/list.log"; exit 1; }
# ProgramTests begins at once, because it mostly waits while the others compute. FuzzTargetsTests has few tests, but they are long.
targets="ProgramTests FuzzTargetsTests $listed"
lane &
lane
wait

echo
echo "The ten slowest tests:"
sed -nE 's/^.*Test (.*) passed after ([0-9.]+) seconds.*$/\2 s  \1/p' "$logs"/*.log | grep -v 's  run with' | sort -rn | head -10
failed=$(ls "$logs" | sed -n 's/\.failed$//p')
for name in $failed; do
    echo
    echo "Failures of $name (the whole output: $logs/$name.log):"
    grep -aE '^✘|Fatal error|crashed|signal code' "$logs/$name.log" | head -20
    # A target without a result crashed or could not start.
    grep -qa 'Test run with' "$logs/$name.log" || tail -20 "$logs/$name.log"
done
[ -z "$failed" ]
