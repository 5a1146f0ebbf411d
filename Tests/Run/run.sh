#!/bin/sh
# Runs all tests of a build: run.sh SWIFT WALKS. WALKS is a pattern for the suites that take minutes of processor time.
#
# Two lanes run in parallel, each with one test at a time: tests that drive programs mostly wait, others mostly compute. So no test
# competes with a thousand others, and its time is its own. Prints failures as they occur and the ten slowest tests at the end; the
# complete output is in .build/test-logs.
set -u
swift=$1 walks=$2
logs=.build/test-logs
mkdir -p "$logs"
rm -f "$logs"/*
failures='✘|↳|: error:|Fatal error|crashed|signal code|Test run with'

# lane NAME FILTER…: runs tests, prints failures, and records whether there were any.
lane() {
    name=$1
    shift
    { $swift test --skip-build --ignore-lock --no-parallel "$@" 2>&1 || touch "$logs/$name.failed"; } \
        | tee "$logs/$name.log" | grep -aE "$failures" | grep -avE '^◇|^✔ Test case'
}

{
    lane programs --filter ProgramTests
    lane walks --filter "$walks"
} &
lane others --skip ProgramTests --skip "$walks"
wait

echo
echo "The ten slowest tests:"
sed -nE 's/^.*Test (.*) passed after ([0-9.]+) seconds.*$/\2 s  \1/p' "$logs"/*.log | grep -v 's  run with' | sort -rn | head -10
failed=$(ls "$logs" | sed -n 's/\.failed$//p')
for name in $failed; do
    echo
    echo "Failures of $name (the whole output: $logs/$name.log):"
    grep -aE '^✘|Fatal error|crashed|signal code' "$logs/$name.log" | head -20
    # A lane without a result crashed or could not start.
    grep -qa 'Test run with' "$logs/$name.log" || tail -20 "$logs/$name.log"
done
[ -z "$failed" ]
