# Every target installs what it needs: with apt-get as root or sudo on Linux, with brew on macOS.

SWIFT ?= swift
# $(call need,COMMAND,DEBIAN PACKAGES,BREW PACKAGES): installs packages unless the command is there.
need = command -v $(1) > /dev/null || Scripts/install "$(2)" "$(3)"

# The products that need a trait.
TRAITS = --traits SQLite,Postgres

.PHONY: help demo install uninstall libraries postgres test test-core test-tool test-apple fuzz fuzz-parsers test-browser test-terminal test-peers test-threads test-memory lint api-check format docs pictures terminal-picture bench charts counts guard soak clean

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /	/' | expand -t 16

demo: libraries ## Builds and starts the demo: a live list in the browser.
	$(SWIFT) run --package-path Tool freshet demo $(ARGUMENTS)

# Where `make install` puts things; DESTDIR goes before it.
PREFIX ?= /usr/local
COMPLETIONS = share/bash-completion/completions/freshet share/zsh/site-functions/_freshet \
  share/fish/vendor_completions.d/freshet.fish
CONFIGURATION ?= release

install: libraries ## Installs freshet, its manual page and completions for shells into PREFIX.
	$(SWIFT) build -c $(CONFIGURATION) --package-path Tool --product freshet
	Scripts/install-tool "$$($(SWIFT) build -c $(CONFIGURATION) --package-path Tool --show-bin-path)" \
	  "$(DESTDIR)$(PREFIX)" $(COMPLETIONS)

uninstall: ## Removes what `make install` put into PREFIX.
	rm -rf "$(DESTDIR)$(PREFIX)/libexec/freshet"
	cd "$(DESTDIR)$(PREFIX)" && rm -f bin/freshet share/man/man1/freshet.1 $(COMPLETIONS)

test: test-core test-tool test-apple ## Runs the tests of the library, of the tool and of the views.

libraries: ## Installs what HTTP, SQLite and PostgreSQL need.
	[ "$$(uname)" = Darwin ] || test -e /usr/include/sqlite3.h || Scripts/install "libsqlite3-dev" ""
	[ "$$(uname)" = Darwin ] || pkg-config --exists libcurl 2> /dev/null || Scripts/install "libcurl4-openssl-dev pkg-config" ""
	pkg-config --exists libpq 2> /dev/null || Scripts/install "libpq-dev pkg-config" "libpq pkgconf"

# A server that the tests start in a throw-away folder.
postgres: libraries
	ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || \
	  $(call need,initdb,postgresql,postgresql)

test-core: postgres
	$(SWIFT) test $(TRAITS)

test-tool: postgres
	$(SWIFT) test --package-path Tool

# Against modules that stand in for UIKit, AppKit and SwiftUI, where those are not there.
test-apple: libraries
	[ "$$(uname)" = Darwin ] || $(SWIFT) test --package-path Tests/Apple

fuzz: ## Runs a hundred thousand random histories, or as many as HISTORIES says.
	FRESHET_HISTORIES=$$(( $${HISTORIES:-100000} / 25 )) \
	  $(SWIFT) test -c release -Xswiftc -enable-testing --filter 'TimelineHistoryTests|CompositionLawTests|StageTests'

fuzz-parsers: ## Tries random input on every parser of a server's text, for a minute or SECONDS.
	Tests/Fuzz/run $(or $(SECONDS),60) $(TARGETS)

test-browser: libraries ## Drives the demo in a headless browser, and holds it to what everybody can use.
	$(call need,chromium,chromium,chromium)
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Browser/.venv || python3 -m venv Tests/Browser/.venv
	Tests/Browser/.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Browser/requirements.txt
	$(SWIFT) build --package-path Tool
	for tests in test_demo test_access; do \
	  Tests/Browser/.venv/bin/python Tests/Browser/$$tests.py \
	    "$$($(SWIFT) build --package-path Tool --show-bin-path)/freshet" || exit 1; done

test-terminal: libraries ## Drives freshet watch in a pseudo-terminal, and installs it into a temporary folder.
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Terminal/.venv || python3 -m venv Tests/Terminal/.venv
	Tests/Terminal/.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Terminal/requirements.txt
	$(SWIFT) build --package-path Tool
	Tests/Terminal/.venv/bin/python Tests/Terminal/test_terminal.py \
	  "$$($(SWIFT) build --package-path Tool --show-bin-path)/freshet"

terminal-picture: libraries ## Draws the moving picture of the terminal, from a recorded session with the demo.
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Terminal/.venv || python3 -m venv Tests/Terminal/.venv
	Tests/Terminal/.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Terminal/requirements.txt
	$(SWIFT) build --package-path Tool
	Tests/Terminal/.venv/bin/python Scripts/terminal-picture \
	  "$$($(SWIFT) build --package-path Tool --show-bin-path)/freshet" Documentation/terminal.svg

test-peers: libraries ## Reads lists of real servers: Datasette, Django REST framework, fastapi-pagination.
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Peers/.venv || python3 -m venv Tests/Peers/.venv
	Tests/Peers/.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Peers/requirements.txt
	$(SWIFT) build --package-path Tool
	cd Tests/Peers && .venv/bin/python -m pytest -q -n auto -p no:cacheprovider . $(ARGUMENTS) \
	  --freshet "$$($(SWIFT) build --package-path $(CURDIR)/Tool --show-bin-path)/freshet"

test-threads: postgres ## Runs the tests of the library under the thread sanitizer.
	FRESHET_EFFORT=10 FRESHET_HISTORIES=60 $(SWIFT) test $(TRAITS) --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build-threads \
	  --skip FreshetListsTests --skip TimelineHistoryTests --skip CompositionLawTests --skip StageTests

test-memory: postgres ## Runs the tests of the library under the address sanitizer.
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt FRESHET_EFFORT=10 FRESHET_HISTORIES=20 $(SWIFT) test $(TRAITS) --sanitize=address --scratch-path .build-memory --disable-xctest

lint: ## Checks the format, what public declarations say, and the examples, rules and links of the documents.
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Snippets Documentation Tool Benchmarks Examples
	Scripts/check-documents
	Scripts/check-links
	Scripts/check-reference
	Scripts/check-comments

api-check: libraries ## Compares the public API with that of the last version.
	Scripts/check-api

format: ## Formats the code.
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Snippets Documentation Tool Benchmarks Examples

docs: libraries ## Builds the documentation into docs-site.
	Scripts/docs docs-site

pictures: libraries ## Films the demo for the README, light and dark.
	$(call need,chromium,chromium,chromium)
	fc-list | grep -q Inter || Scripts/install "fonts-inter" "font-inter"
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Browser/.venv || python3 -m venv Tests/Browser/.venv
	Tests/Browser/.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Browser/requirements.txt pillow
	$(SWIFT) build --package-path Tool
	Tests/Browser/.venv/bin/python Scripts/pictures \
	  "$$($(SWIFT) build --package-path Tool --show-bin-path)/freshet" Documentation

bench: libraries ## Measures against the standard library and Heckel's difference, and says which bars are met.
	$(SWIFT) run --configuration release --package-path Benchmarks FreshetBenchmarks $(ARGUMENTS)

charts: libraries ## Measures all of it, and draws what grows with the rows.
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Benchmarks/.venv || python3 -m venv Benchmarks/.venv
	Benchmarks/.venv/bin/pip install --quiet --disable-pip-version-check matplotlib
	$(SWIFT) run --configuration release --package-path Benchmarks FreshetBenchmarks --figures Benchmarks/.build/figures.json
	Benchmarks/.venv/bin/python Scripts/charts Benchmarks/.build/figures.json Benchmarks/Charts

soak: libraries ## Runs an hour of a busy list, or MINUTES of it, as fast as the machine goes.
	$(SWIFT) run --configuration release --package-path Benchmarks FreshetSoak $(or $(MINUTES),60)

counts: libraries ## Counts the instructions of fixed workloads with valgrind, against Benchmarks/counts.txt.
	$(call need,valgrind,valgrind,valgrind)
	$(SWIFT) build -c release --package-path Benchmarks --product FreshetCounts
	Scripts/counts "$$($(SWIFT) build -c release --package-path Benchmarks --show-bin-path)/FreshetCounts" \
	  Benchmarks/counts.txt $(ARGUMENTS)

# Those that one thread does: others vary by up to a tenth, as threads take turns.
guard: ## Counts a few of them: what a change must not make slower.
	$(MAKE) counts ARGUMENTS='"append 50" "1 % of" "sorted list, 1 change" "sections, 1 change" "sorted list, load" "an event in"'

clean: ## Removes what was built.
	rm -rf .build .build-* docs-site Tool/.build Benchmarks/.build Tests/Fuzz/.build Tests/Apple/.build Benchmarks/.venv Tests/Browser/.venv Tests/Peers/.venv Tests/Terminal/.venv
