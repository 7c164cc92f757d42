# Every target installs what it needs: with apt-get as root or sudo on Linux, with brew on macOS.

SWIFT ?= swift
# $(call need,COMMAND,DEBIAN PACKAGES,BREW PACKAGES): installs packages unless the command is there.
need = command -v $(1) > /dev/null || Scripts/install "$(2)" "$(3)"
# The font that the demo's page names first: what fits into a line depends on it.
INTER = fc-list | grep -q Inter || Scripts/install "fonts-inter" "font-inter"

# SwiftPM hands traits to the compiler in an order that differs from run to run, unless hashing is
# deterministic, and another order rebuilds everything.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build

# The products that need a trait.
TRAITS = --traits SQLite,Postgres
# Packages that share the build folder of the library, and with it what is built of the library.
TOOL = --package-path Tool --scratch-path .build
BENCHMARKS = --package-path Benchmarks --scratch-path .build
# Stand-ins for UIKit, AppKit and SwiftUI: modules of one build folder see each other.
VIEWS = --package-path Tests/Apple
MEASURE = "$$($(BUILD) -c release $(BENCHMARKS) --show-bin-path)"
FRESHET = "$$($(BUILD) $(TOOL) --show-bin-path)/freshet"

# One test for each processor: those that compute would keep those that wait from their turn.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= $(shell getconf _NPROCESSORS_ONLN)

# Builds what only tests need, too.
export FRESHET_TESTING = 1

# $(call python,FOLDER,PACKAGES): a Python of its own in FOLDER, with PACKAGES.
define python
python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
test -d $(1)/.venv || python3 -m venv $(1)/.venv
$(1)/.venv/bin/pip install --quiet --disable-pip-version-check $(2)
endef

.PHONY: help demo install uninstall libraries postgres build-core build-tool build-views test test-core test-tool \
  test-views test-browser test-terminal test-peers test-flights test-threads test-memory test-load fuzz attacks \
  fuzz-parsers lint check-apple api-check format docs pictures terminal-picture bench charts counts guard soak nightly clean

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /	/' | expand -t 16

demo: libraries ## Builds and starts the demo: a live list in the browser.
	$(BUILD) $(TOOL) --product freshet
	$(FRESHET) demo $(ARGUMENTS)

# Where `make install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local
COMPLETIONS = share/bash-completion/completions/freshet share/zsh/site-functions/_freshet \
  share/fish/vendor_completions.d/freshet.fish
CONFIGURATION ?= release

install: libraries ## Installs freshet, its manual page and completions for shells into PREFIX.
	$(BUILD) -c $(CONFIGURATION) $(TOOL) --product freshet
	Scripts/install-tool "$$($(BUILD) -c $(CONFIGURATION) $(TOOL) --show-bin-path)" \
	  "$(DESTDIR)$(PREFIX)" $(COMPLETIONS)

uninstall: ## Removes what `make install` put into PREFIX.
	rm -rf "$(DESTDIR)$(PREFIX)/libexec/freshet"
	cd "$(DESTDIR)$(PREFIX)" && rm -f bin/freshet share/man/man1/freshet.1 $(COMPLETIONS)

test: test-core test-tool test-views ## Runs the tests of the library, of the tool and of the views.

libraries: ## Installs what HTTP, SQLite and PostgreSQL need.
	[ "$$(uname)" = Darwin ] || test -e /usr/include/sqlite3.h || Scripts/install "libsqlite3-dev" ""
	[ "$$(uname)" = Darwin ] || pkg-config --exists libcurl 2> /dev/null || Scripts/install "libcurl4-openssl-dev pkg-config" ""
	pkg-config --exists libpq 2> /dev/null || Scripts/install "libpq-dev pkg-config" "libpq pkgconf"

# A server that the tests start in a throw-away folder.
postgres: libraries
	ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || \
	  $(call need,initdb,postgresql,postgresql)

build-core: libraries
	$(BUILD) --build-tests $(TRAITS)

build-tool: libraries
	$(BUILD) --build-tests $(TOOL)

build-views: libraries
	[ "$$(uname)" = Darwin ] || $(BUILD) --build-tests $(VIEWS)

test-core: postgres build-core
	$(SWIFT) test --skip-build $(TRAITS)

test-tool: postgres build-tool
	$(SWIFT) test --skip-build $(TOOL)

# Against modules that stand in for UIKit, AppKit and SwiftUI, on systems without them.
test-views: check-apple build-views
	[ "$$(uname)" = Darwin ] || $(SWIFT) test --skip-build $(VIEWS)

check-apple: ## Compares the stand-ins for UIKit, AppKit and SwiftUI with what Apple's documentation declares.
	[ "$$(uname)" = Darwin ] || { Scripts/check-apple && Scripts/check-xcode27; }

fuzz: libraries ## Runs a hundred thousand random histories, or HISTORIES of them.
	FRESHET_EFFORT=$$(( $${HISTORIES:-100000} / 25 )) $(SWIFT) test -c release --scratch-path .build-fuzz \
	  -Xswiftc -enable-testing --filter 'TimelineHistoryTests|CompositionLawTests|PresentationTests'

attacks: postgres build-core ## Sends 2,000 hostile answers, and attacks a database under 50 stores.
	FRESHET_EFFORT=500 $(SWIFT) test --skip-build $(TRAITS) --filter 'AttackTests|HostileTests'

fuzz-parsers: libraries ## Tries random input on every parser of a server's text, for a minute or SECONDS.
	Tests/Fuzz/run $(or $(SECONDS),60) $(TARGETS)

test-browser: build-tool ## Drives the demo in a headless browser, and checks its accessibility.
	$(call need,chromium,chromium,chromium)
	$(INTER)
	$(call python,Tests/Browser,-r Tests/Browser/requirements.txt)
	for tests in test_demo test_stars test_pages test_archive test_access; do \
	  Tests/Browser/.venv/bin/python Tests/Browser/$$tests.py $(FRESHET) || exit 1; done

test-terminal: build-tool ## Drives freshet watch in a pseudo-terminal, and installs it into a temporary folder.
	$(call python,Tests/Terminal,-r Tests/Terminal/requirements.txt)
	Tests/Terminal/.venv/bin/python Tests/Terminal/test_terminal.py $(FRESHET)

terminal-picture: build-tool ## Draws the moving picture of the terminal, from a recorded session with the demo.
	$(call python,Tests/Terminal,-r Tests/Terminal/requirements.txt)
	Tests/Terminal/.venv/bin/python Scripts/terminal-picture $(FRESHET) Documentation/terminal.svg

test-peers: build-tool ## Reads lists of real servers: Datasette, Django REST framework, fastapi-pagination.
	$(call python,Tests/Peers,-r Tests/Peers/requirements.txt)
	cd Tests/Peers && .venv/bin/python -m pytest -q -n auto -p no:cacheprovider . $(ARGUMENTS) \
	  --freshet "$$(cd $(CURDIR) && $(BUILD) $(TOOL) --show-bin-path)/freshet"

test-flights: build-core ## Follows 336,776 rows of real data in SQLite, judged by SQL.
	$(call python,Tests/Flights,--no-deps -r Tests/Flights/requirements.txt)
	Tests/Flights/.venv/bin/python Tests/Flights/flights.py .build/flights.sqlite
	FRESHET_FLIGHTS=$(CURDIR)/.build/flights.sqlite $(SWIFT) test --skip-build $(TRAITS) --filter FlightTests

test-threads: postgres ## Runs the tests of the library under the thread sanitizer.
	$(BUILD) --build-tests $(TRAITS) --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build-threads
	FRESHET_EFFORT=10 FRESHET_SLOWNESS=5 $(SWIFT) test --skip-build $(TRAITS) --sanitize=thread --scratch-path .build-threads \
	  --skip FreshetListsTests --skip TimelineHistoryTests --skip CompositionLawTests --skip PresentationTests

# Not Foundation's `URLSession`, which leaks on Linux.
test-memory: export FRESHET_TESTING = 0
test-memory: postgres ## Runs the tests of the library under the address sanitizer.
	$(BUILD) --build-tests $(TRAITS) --sanitize=address --scratch-path .build-memory
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt FRESHET_EFFORT=10 FRESHET_SLOWNESS=5 \
	  $(SWIFT) test --skip-build $(TRAITS) --sanitize=address --scratch-path .build-memory --disable-xctest

test-load: build-core build-tool build-views postgres ## Runs all tests again and again beside four busy loops.
	Scripts/test-load

nightly: ## Runs every check there is but `make soak`; what has passed for this code is not run again.
	Scripts/nightly

lint: ## Checks the format, what public declarations say, and the examples, rules and links of the documents.
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Snippets Tool Benchmarks Examples
	Scripts/check-documents
	Scripts/check-links
	Scripts/check-reference
	Scripts/check-comments
	Scripts/check-words
	Scripts/check-imports
	Scripts/check-walls
	Scripts/check-objc

api-check: libraries ## Compares the public API with that of the last version.
	Scripts/check-api

format: ## Formats the code.
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Snippets Tool Benchmarks Examples

docs: build-core build-views ## Builds the documentation into docs-site.
	Scripts/docs docs-site

pictures: build-tool ## Films the demo for the README, light and dark.
	$(call need,chromium,chromium,chromium)
	$(INTER)
	$(call python,Tests/Browser,-r Tests/Browser/requirements.txt pillow)
	Tests/Browser/.venv/bin/python Scripts/pictures $(FRESHET) Documentation Sources/Freshet/Freshet.docc/Tutorials

bench: libraries ## Measures against the standard library and Heckel's difference, and says which bars are met.
	$(BUILD) -c release $(BENCHMARKS) --product FreshetBenchmarks
	$(MEASURE)/FreshetBenchmarks $(ARGUMENTS)

charts: libraries ## Measures all of it, and draws what grows with the rows.
	$(call python,Benchmarks,matplotlib)
	$(BUILD) -c release $(BENCHMARKS) --product FreshetBenchmarks
	$(MEASURE)/FreshetBenchmarks --figures .build/figures.json
	Benchmarks/.venv/bin/python Scripts/charts .build/figures.json Sources/Freshet/Freshet.docc

# Glibc otherwise keeps freed memory for each thread, as much as its allocations ever needed.
soak: libraries ## Runs an hour of a busy list and a large table, or MINUTES of it, as fast as the machine goes.
	$(BUILD) -c release $(BENCHMARKS) --product FreshetSoak
	MALLOC_ARENA_MAX=1 $(MEASURE)/FreshetSoak $(or $(MINUTES),60)

counts: libraries ## Counts the instructions of fixed workloads with valgrind, against Benchmarks/counts.txt.
	$(call need,valgrind,valgrind,valgrind)
	$(BUILD) -c release $(BENCHMARKS)
	Scripts/counts $(MEASURE)/FreshetCounts Benchmarks/counts.txt $(ARGUMENTS)

# Those that one thread does: others vary by up to a tenth, as threads take turns.
guard: ## Counts a few of them: what a change must not make slower.
	$(MAKE) counts ARGUMENTS='"append 50" "1 % of" "sorted list, 1 change" "sections, 1 change" "sorted list, load" "an event in"'

clean: ## Removes what was built.
	rm -rf .build .build-* docs-site Tool/.build Benchmarks/.build Tests/Fuzz/.build Tests/Apple/.build Benchmarks/.venv Tests/Browser/.venv Tests/Peers/.venv Tests/Terminal/.venv
