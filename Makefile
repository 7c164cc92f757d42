# Every target installs what it needs: with apt-get as root or sudo on Linux, with brew on macOS.

SWIFT ?= swift
# $(call need,COMMAND,DEBIAN PACKAGES,BREW PACKAGES): installs packages unless the command is there.
need = command -v $(1) > /dev/null || Scripts/install "$(2)" "$(3)"

# The products that need a trait.
TRAITS = --traits SQLite,Postgres

.PHONY: help demo libraries postgres test test-core test-tool fuzz fuzz-parsers test-browser test-peers test-threads test-memory lint format docs bench counts clean

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /	/' | expand -t 16

demo: libraries ## Builds and starts the demo: a live list in the browser.
	$(SWIFT) run --package-path Tool freshet demo $(ARGUMENTS)

test: test-core test-tool ## Runs the tests of the library and of the tool.

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

fuzz: ## Runs a hundred thousand random histories, or as many as HISTORIES says.
	FRESHET_HISTORIES=$$(( $${HISTORIES:-100000} / 25 )) \
	  $(SWIFT) test -c release -Xswiftc -enable-testing --filter 'TimelineHistoryTests|CompositionLawTests|StageTests'

fuzz-parsers: ## Tries random input on every parser of a server's text, for a minute or SECONDS.
	Tests/Fuzz/run $(or $(SECONDS),60) $(TARGETS)

test-browser: libraries ## Drives the demo in a headless browser.
	$(call need,chromium,chromium,chromium)
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Browser/.venv || python3 -m venv Tests/Browser/.venv
	Tests/Browser/.venv/bin/pip install --quiet --disable-pip-version-check playwright
	$(SWIFT) build --package-path Tool
	Tests/Browser/.venv/bin/python Tests/Browser/test_demo.py \
	  "$$($(SWIFT) build --package-path Tool --show-bin-path)/freshet"

test-peers: libraries ## Reads lists of real servers: Datasette, Django REST framework, fastapi-pagination.
	python3 -c 'import venv, ensurepip' 2> /dev/null || Scripts/install "python3-venv" "python3"
	test -d Tests/Peers/.venv || python3 -m venv Tests/Peers/.venv
	Tests/Peers/.venv/bin/pip install --quiet --disable-pip-version-check -r Tests/Peers/requirements.txt
	$(SWIFT) build --package-path Tool
	cd Tests/Peers && .venv/bin/python -m pytest -q -n auto -p no:cacheprovider . $(ARGUMENTS) \
	  --freshet "$$($(SWIFT) build --package-path $(CURDIR)/Tool --show-bin-path)/freshet"

test-threads: postgres ## Runs the tests of the library under the thread sanitizer.
	FRESHET_HISTORIES=60 $(SWIFT) test $(TRAITS) --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build-threads \
	  --skip FreshetListsTests --skip TimelineHistoryTests --skip CompositionLawTests --skip StageTests

test-memory: postgres ## Runs the tests of the library under the address sanitizer.
	LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt FRESHET_HISTORIES=60 $(SWIFT) test $(TRAITS) --sanitize=address --scratch-path .build-memory --disable-xctest

lint: ## Checks the format, the documentation of public declarations, and the examples' snippets.
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Snippets Tool Benchmarks
	Scripts/check-documents

format: ## Formats the code.
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Snippets Tool Benchmarks

docs: libraries ## Builds the documentation into docs-site.
	Scripts/docs docs-site

bench: libraries ## Measures against the standard library, side by side.
	$(SWIFT) run --configuration release --package-path Benchmarks FreshetBenchmarks $(ARGUMENTS)

counts: libraries ## Counts the instructions of fixed workloads, against Benchmarks/counts.txt.
	$(call need,valgrind,valgrind,valgrind)
	$(SWIFT) build -c release --package-path Benchmarks --product FreshetCounts
	Scripts/counts "$$($(SWIFT) build -c release --package-path Benchmarks --show-bin-path)/FreshetCounts" \
	  Benchmarks/counts.txt $(ARGUMENTS)

clean: ## Removes what was built.
	rm -rf .build .build-* docs-site Tool/.build Benchmarks/.build Tests/Fuzz/.build Tests/Browser/.venv Tests/Peers/.venv
