# Builds, tests and installs tappa. `make run` and `make test` install missing Debian packages first.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE = $(SWIFT) build -c release --static-swift-stdlib $(SMALL)
# Prints a line for each phase instead of SwiftPM's progress.
BUILD = Assets/packaging/build.sh

# Options for a small program that loads quickly on Linux: optimize for size (measured: as fast), leave out functions that nothing calls,
# merge identical ones, pack relocations, and include only the required ICU data and no tables for unwinding. The debug information goes
# into a file of its own.
PROGRAM = $(CURDIR)/.build/program/tappa
ICU_DATA = .build/icu-data
UNCALLED = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link
ifeq ($(shell uname -s),Linux)
SMALL = -Xswiftc -Osize $(UNCALLED) -Xswiftc -g -Xswiftc -use-ld=lld -Xlinker --icf=safe \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic -Xlinker -O2 -Xlinker $(BUILD_ID) \
	-Xlinker --no-eh-frame-hdr -Xlinker $(CURDIR)/Assets/packaging/program.ld -Xlinker $(CURDIR)/$(ICU_DATA)/icu-data.ld \
	$(RELATIVE_PATHS)
endif

# A build of a commit without changes is identified by the commit and its date, any other build by its content.
COMMIT := $(shell git diff --quiet HEAD 2>/dev/null && git log -1 --format='%H %ct' 2>/dev/null)
BUILD_ID := --build-id$(if $(COMMIT),=0x$(shell printf '%s%08x' $(COMMIT)))
# No name of the folder gets into the program, so that two folders give the same one.
RELATIVE_PATHS = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
# The date of everything in a package: that of the commit.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

# Debian packages for the build, and further ones for the tests.
BUILD_PACKAGES = pkg-config libncurses-dev libxml2-dev libcurl4-openssl-dev libsqlite3-dev libturbojpeg0-dev \
	libspng-dev libwebp-dev libgif-dev libuchardet-dev libpcre2-dev libzstd-dev zlib1g-dev
TEST_PACKAGES = tmux procps ncurses-base

.DEFAULT_GOAL := help
.PHONY: strings measure fuzz mutate soak sanitize help deps test-deps build run test example gallery documentation bench bench-ratatui lint format screens allocations screenshots install uninstall deb release release-fixture reproducible clean icu-data

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# $(call install_packages,NAMES): installs the missing packages, or prints the command for it.
define install_packages
	@missing=""; \
	if command -v dpkg-query >/dev/null 2>&1; then \
		for name in $(1); do \
			dpkg-query -W -f '$${Status}' $$name 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$name"; \
		done; \
		if [ -n "$$missing" ]; then \
			if [ "$$(id -u)" = 0 ]; then run=""; \
			elif command -v sudo >/dev/null 2>&1; then run="sudo"; \
			else printf 'Packages are missing. Run as root:\n  apt-get install --no-install-recommends%s\n' "$$missing"; exit 1; fi; \
			echo "Installing:$$missing"; \
			$$run apt-get update -q >/dev/null; \
			$$run env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing >/dev/null || \
				{ printf 'apt-get failed. Run as root:\n  apt-get install --no-install-recommends%s\n' "$$missing"; exit 1; }; \
		fi; \
	else \
		for tool in pkg-config $(if $(findstring tmux,$(1)),tmux); do \
			command -v $$tool >/dev/null 2>&1 || missing="$$missing $$tool"; \
		done; \
		for library in ncursesw libxml-2.0 libcurl sqlite3 libturbojpeg spng libwebp uchardet libpcre2-8 libzstd zlib; do \
			pkg-config --exists $$library 2>/dev/null || missing="$$missing $$library"; \
		done; \
		if [ -n "$$missing" ]; then \
			echo "This is not a Debian system. Install the development files of:$$missing"; \
			printf 'On Debian the command would be:\n  apt-get install --no-install-recommends %s\n' "$(1)"; \
			exit 1; \
		fi; \
	fi
	@command -v $(SWIFT) >/dev/null 2>&1 || { echo "Install Swift 6.2 or newer: https://www.swift.org/install/linux/"; exit 1; }
endef

deps: ## install the packages for the build
	$(call install_packages,$(BUILD_PACKAGES))

test-deps: ## install the packages for the build and the tests
	$(call install_packages,$(BUILD_PACKAGES) $(TEST_PACKAGES))

# The required part of ICU's 34 MB of data.
icu-data:
	@Assets/packaging/icu-data.sh $(SWIFT) $(CURDIR)/$(ICU_DATA)

build: deps icu-data ## build the optimized program, .build/program/tappa, with its debug file beside it
	@$(BUILD) "about 5 minutes" $(RELEASE) --product tappa
	@Assets/packaging/split-debug.sh .build/release/tappa $(dir $(PROGRAM))

run: deps ## build a program that isn't optimized, which is sooner, and start the dashboard
	@$(BUILD) "about 2 minutes" $(SWIFT) build --product tappa
	@.build/debug/tappa $(ARGS)

test: test-deps ## run all tests, and print the ten slowest
	@$(BUILD) "about 6 minutes" $(SWIFT) build --build-tests
	@Tests/Run/run.sh "$(SWIFT)"

soak: test-deps ## repeat kills, full disks, quits, walks and simulated weeks a thousand times, syncs ten thousand times; test the package on a minimal Debian
	$(SWIFT) build --build-tests
	SOAK_ROUNDS=1000 WORLD_SEEDS=1000 SYNC_ROUNDS=10000 $(SWIFT) test --skip-build \
		--filter 'KilledAtAnyMoment|KeepsPromisesForWeeks|SyncWalkTests|SurvivesAnything|ChangeWalkTests'
	$(MAKE) deb reproducible
	Tests/Packaging/bare-debian.sh .build/tappa_*.deb bookworm
	Tests/Packaging/bare-debian.sh .build/tappa_*.deb trixie

# The suites that compare something recorded. Each is named after its file.
RECORDING = grep -lE 'difference\(|RECORD_SCREENS' Tests/DashboardTests/*.swift Tests/TerminalUITests/*.swift | xargs -n 1 basename -s .swift

screens: test-deps ## record the current screens as the expected ones
	RECORD_SCREENS=1 $(SWIFT) test --filter "($$($(RECORDING) | paste -s -d '|'))/"

allocations: test-deps ## record the current numbers of allocations as the expected ones
	SWIFT_DETERMINISTIC_HASHING=1 RECORD_ALLOCATIONS=1 $(SWIFT) test --filter CountsAllocations

screenshots: build ## write screenshots from real terminals, sheets and contrasts to .build/screenshots, and the README's
	Tests/Screenshots/readme.sh $(PROGRAM) Assets/screenshots
	Tests/Screenshots/screenshots.sh $(PROGRAM) .build/screenshots

gallery: deps icu-data ## build and start the gallery of controls
	$(RELEASE) --product Gallery
	@.build/release/Gallery

example: deps ## build and start the toolkit's example
	$(SWIFT) build --product Example
	@.build/debug/Example

# HOSTED_AT is the folder of a web server that will contain both.
documentation: deps ## build the guide and the toolkit's documentation into .build/guide and .build/documentation
	docc convert Sources/tappa/Guide.docc --fallback-display-name tappa --fallback-bundle-identifier tappa.Guide \
		--output-path .build/guide $(if $(HOSTED_AT),--hosting-base-path $(HOSTED_AT)/guide)
	$(SWIFT) build --target TerminalUIExtras -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir \
		-Xswiftc .build/symbol-graphs --scratch-path .build/documentation-build >/dev/null
	@for module in TerminalUI TerminalUIExtras; do \
		mkdir -p .build/symbol-graphs/$$module; \
		mv .build/symbol-graphs/$$module.symbols.json .build/symbol-graphs/$$module@*.symbols.json \
			.build/symbol-graphs/$$module 2>/dev/null; \
		docc convert Sources/$$module/$$module.docc --fallback-display-name $$module \
			--fallback-bundle-identifier tappa.$$module --additional-symbol-graph-dir .build/symbol-graphs/$$module \
			--output-path .build/documentation/$$module \
			$(if $(HOSTED_AT),--hosting-base-path $(HOSTED_AT)/documentation/$$module) || exit 1; \
	done

bench: build ## measure start, memory and keys, next to newsboat, ratatui and Textual if they are installed
	$(RELEASE) --product tappa-bench
	@.build/release/tappa-bench $(PROGRAM) $(SIZES)

# The folder of the crates, as Debian installs them.
CRATES ?= /usr/share/cargo/registry

bench-ratatui: ## build ratatui's scenes for make bench (needs cargo and Debian 13's librust-ratatui-dev)
	CARGO_TARGET_DIR=$(CURDIR)/.build/ratatui-scenes cargo build --release --offline \
		--manifest-path Tests/Bench/ratatui_scenes/Cargo.toml \
		--config 'source.crates-io.replace-with="installed"' --config 'source.installed.directory="$(CRATES)"'

FUZZ_SECONDS ?= 600
FUZZ_OPTIONS ?=
FUZZ_TARGETS ?= $(notdir $(wildcard Tests/FuzzingSeeds/*))

# Leak detection is off for whole screens, because Swift's weak references look like leaks.
fuzz: test-deps ## run the readers of external data on random input, FUZZ_SECONDS each, and measure them on long input
	TAPPA_FUZZ=1 $(SWIFT) build -c release --product Fuzzing --scratch-path .build/fuzzing -Xswiftc -sanitize=fuzzer,address \
		-Xswiftc -use-ld=lld
	@for target in $(FUZZ_TARGETS); do \
		echo "== $$target"; mkdir -p .build/fuzzing/corpus/$$target; \
		ASAN_OPTIONS=$$(test $$target != race-screens || echo detect_leaks=0) TAPPA_FUZZ_TARGET=$$target SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 .build/fuzzing/release/Fuzzing -max_total_time=$(FUZZ_SECONDS) \
			-max_len=262144 -timeout=10 -rss_limit_mb=1024 $(FUZZ_OPTIONS) -artifact_prefix=.build/fuzzing/$$target- \
			.build/fuzzing/corpus/$$target Tests/FuzzingSeeds/$$target || exit 1; \
	done
	GROWTH=1 $(SWIFT) test --filter CostsGrowWithLength

# The suites of the engine. Most that start programs hang or fail under the thread sanitizer.
SANITIZED ?= ModelCoreTests.(SyncTests|SyncWalkTests|ChangesInOrder|ReadsOnOtherThreads|StoresFeeds|FollowsRaces|Download|WaitsForStates|SurvivesSyncErrors|FollowsByName)|FeedServersTests|RaceCentreTests
sanitize: test-deps ## run the C targets with each fallible call failing in turn, and the engine under the thread sanitizer
	Tests/FailingCalls/run.sh .build/failing-calls
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build/thread-sanitizer
	TSAN_OPTIONS=halt_on_error=1 $(SWIFT) test --skip-build --sanitize=thread --scratch-path .build/thread-sanitizer \
		--filter '$(SANITIZED)'
	TSAN_OPTIONS=halt_on_error=1 .build/thread-sanitizer/debug/simulated-world run 1 5 1

MUTATE_SECONDS ?= 7200
MUTATE_SIZE ?= 30
SEED ?= 1
MODULES ?=

mutate: test-deps ## report deliberate faults that no test notices (SEED, MUTATE_SIZE a module, MUTATE_SECONDS, MODULES)
	$(SWIFT) build --package-path Tests/Mutate --scratch-path .build/mutate
	.build/mutate/debug/mutate --seed $(SEED) --size $(MUTATE_SIZE) --seconds $(MUTATE_SECONDS) \
		--survivors .build/mutants/survivors $(MODULES)

measure: ## print figures about the structure of the sources
	@mkdir -p .build
	@$(SWIFT)c -swift-version 6 -package-name tappa -O Tests/Measure/main.swift Tests/CommonTesting/FolderCircles.swift Tests/CommonTesting/TypeMembers.swift -o .build/measure
	@.build/measure Sources

# Texts of several words and, without a blank, those that end like a sentence; SQL and patterns are left out.
strings: ## print every sentence that users see, by file
	@find Sources -name '*.swift' ! -path '*/tappa-bench/*' ! -path '*/Gallery/*' ! -path '*/FuzzTargets/*' | sort | xargs awk ' \
		/^ *\/\// { next } \
		{ rest = $$0; sub(/ \/\/ .*/, "", rest); \
			while (match(rest, /"([^"\\]|\\.)*"/)) { \
				text = substr(rest, RSTART + 1, RLENGTH - 2); rest = substr(rest, RSTART + RLENGTH); \
				if (text !~ /[A-Za-z][a-z,]* [A-Za-z(\\]/ && text !~ /[a-z]{3}[.?!]$$/) continue; \
				if (text ~ /SELECT |INSERT |UPDATE |DELETE |CREATE |PRAGMA | JOIN |WHERE |[a-z_]+ = \?|\[\^/) continue; \
				if (FILENAME != last) { print "\n" FILENAME; last = FILENAME } \
				print "  " text } }'

lint: ## check the style of all Swift files
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

format: ## format all Swift files
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests

install: build ## install to PREFIX (/usr/local) below DESTDIR
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/tappa/assets/races $(DESTDIR)$(PREFIX)/share/tappa/assets/feeds
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/tappa
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d $(DESTDIR)$(PREFIX)/share/doc/tappa/examples
	$(PROGRAM) --generate-completion-script bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/tappa
	$(PROGRAM) --generate-completion-script zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tappa
	$(PROGRAM) --generate-completion-script fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tappa.fish
	install -m 644 Assets/examples/* $(DESTDIR)$(PREFIX)/share/doc/tappa/examples
	install -m 755 Assets/examples/*-race $(DESTDIR)$(PREFIX)/share/doc/tappa/examples
	install -m 644 README.md CHANGELOG.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/tappa
	install -d $(DESTDIR)$(PREFIX)/share/doc/tappa/guide
	install -m 644 Sources/tappa/Guide.docc/*.md $(DESTDIR)$(PREFIX)/share/doc/tappa/guide
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	$(PROGRAM) manual >$(DESTDIR)$(PREFIX)/share/man/man1/tappa.1
	install -d $(DESTDIR)$(PREFIX)/share/tappa/assets/map
	install -m 644 Assets/map/outlines.bin $(DESTDIR)$(PREFIX)/share/tappa/assets/map
	for picture in $$(cd Assets/pictures && find . -name '*.png'); do \
		install -D -m 644 Assets/pictures/$$picture $(DESTDIR)$(PREFIX)/share/tappa/assets/pictures/$$picture || exit 1; done
	install -m 644 Assets/races/*.json $(DESTDIR)$(PREFIX)/share/tappa/assets/races
	install -m 644 Assets/known-races.json $(DESTDIR)$(PREFIX)/share/tappa/assets
	install -m 644 Assets/feeds/*.atom $(DESTDIR)$(PREFIX)/share/tappa/assets/feeds

uninstall: ## remove an installation
	rm -f $(DESTDIR)$(PREFIX)/bin/tappa $(DESTDIR)$(PREFIX)/share/man/man1/tappa.1 \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/tappa $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_tappa \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/tappa.fish
	rm -rf $(DESTDIR)$(PREFIX)/share/tappa/assets $(DESTDIR)$(PREFIX)/share/doc/tappa
	@cd $(DESTDIR)$(PREFIX)/share && for folder in tappa bash-completion/completions zsh/site-functions fish/vendor_completions.d; do \
		rmdir -p $$folder 2>/dev/null || true; done

deb: ## build a Debian package in .build, for this machine's libraries
	$(call install_packages,dpkg-dev)
	rm -rf .build/installation .build/*.deb
	@$(MAKE) install DESTDIR=$(CURDIR)/.build/installation PREFIX=/usr
	Assets/packaging/deb.sh .build/installation .build

release: deb ## build what a release consists of in .build/packages: package, tarball, SBOM and checksums
	rm -rf .build/packages
	mkdir -p .build/packages
	Assets/packaging/tarball.sh .build/installation .build/packages
	cp .build/*.deb .build/packages
	Assets/packaging/sbom.sh $(PROGRAM) >.build/packages/$$(basename .build/packages/*.deb .deb).spdx
	cd .build/packages && sha256sum * >$$(basename *.deb .deb).sha256

release-fixture: build test-deps ## record the files of a user of this release, which later versions must open
	Tests/Packaging/release-fixture.sh $(PROGRAM) Tests/Packaging/Releases

# Two folders give the same program and packages.
reproducible: ## build a release in two folders and compare all bytes
	Tests/Packaging/reproducible.sh .build/reproducible

clean: ## delete all build products
	rm -rf .build
