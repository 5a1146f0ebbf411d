#!/bin/sh
# Builds the C targets with sanitizers, and runs them with each fallible call failing in turn. The argument is the folder
# for the program.
set -e
folder=$1
mkdir -p "$folder"
rm -f "$folder"/*.o
targets="CPicture CText CSQLiteFunctions CSpawn CCurl CNcurses"
libraries="libturbojpeg spng libwebp libpcre2-8 libzstd sqlite3 zlib ncursesw"
test_file=Tests/FailingCalls/failing_calls.c
options="-g -O1 -D_GNU_SOURCE -DPCRE2_CODE_UNIT_WIDTH=8 -Wno-macro-redefined -fsanitize=address,undefined -fno-sanitize=function
	-fno-sanitize-recover=undefined $(pkg-config --cflags $libraries)"
for target in $targets; do options="$options -ISources/$target/include -ISources/$target"; done
# Each call that the test replaces.
names=$(sed -n 's/^WRAP([^,]*, \([A-Za-z0-9_]*\),.*/\1/p' "$test_file") 
renamed=""
for name in $names dlsym; do renamed="$renamed --redefine-sym $name=failing_$name"; done
for target in $targets; do
	for source in Sources/"$target"/*.c; do
		object="$folder/$target-$(basename "$source" .c).o"
		clang $options -c "$source" -o "$object"
		objcopy $renamed "$object"
	done
done
clang $options -fuse-ld=lld "$test_file" "$folder"/*.o -o "$folder/failing-calls" $(pkg-config --libs $libraries) -lgif -ldl -lpthread
# What failed may leave memory behind.
ASAN_OPTIONS=detect_leaks=0 "$folder/failing-calls"
