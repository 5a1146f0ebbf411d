# Facts about the project for its packages. Sourced by the scripts beside it.
# shellcheck shell=sh disable=SC2034
home_page=https://github.com/tappa-reader/tappa
maintainer="The tappa authors <tappa-reader@users.noreply.github.com>"
# The one place that has the version is Sources/Fetching/ProgramVersion.swift.
version=$(sed -n 's/.*let number = "\(.*\)"/\1/p' "$(dirname "$0")/../../Sources/Fetching/ProgramVersion.swift")

# Prints the libraries that a program is linked with.
linked() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort; }
