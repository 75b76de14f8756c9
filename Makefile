# Tillroll. `make` alone lists the targets; each sets up what it needs.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# How often `make test-long` kills the register.
KILLS ?= 1000

RUN_NEEDS := cc=build-essential /usr/share/zoneinfo/UTC=tzdata \
  /usr/share/fonts/opentype/noto/NotoSansCJK*=fonts-noto-cjk \
  /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf=fonts-dejavu-core
WINDOW_NEEDS := $(RUN_NEEDS) node=nodejs npm=npm dpkg=libwebkit2gtk-4.1-dev dpkg=librsvg2-dev \
  dpkg=libayatana-appindicator3-dev dpkg=libdbus-1-dev pkg-config=pkg-config
JOURNEY_NEEDS := $(WINDOW_NEEDS) Xvfb=xvfb WebKitWebDriver=webkit2gtk-driver dbus-run-session=dbus
TEST_NEEDS := $(RUN_NEEDS) zbarimg=zbar-tools strace=strace git=git node=nodejs npm=npm
BENCH_NEEDS := $(RUN_NEEDS) /usr/sbin/cupsd=cups lpadmin=cups-client python3=python3
ICON_NEEDS := rsvg-convert=librsvg2-bin optipng=optipng icotool=icoutils png2icns=icnsutils

TILLCTL := cargo run -p tillroll-register --bin tillctl --
WINDOW := $(abspath $(or $(CARGO_TARGET_DIR),target)/debug/tillroll)
# Packs the .deb; the version of the library it packs.
TAURI_CLI := npx --yes @tauri-apps/cli@2.12
# Everything but the window, which needs WebKit.
ENGINE := --workspace --exclude tillroll
ORACLES := tests/oracles/node_modules/.package-lock.json

.PHONY: help
help: ## Lists the targets.
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: run
run: ## Shows it: sample receipts on a virtual printer, and the day's table.
	@.ci/need $(RUN_NEEDS)
	$(TILLCTL) demo

.PHONY: window
window: pages ## Builds the program with the window.
	cargo build -p tillroll

.PHONY: pages
pages: ## Builds the pages of the window.
	@.ci/need $(WINDOW_NEEDS)
	cd ui && npm ci --silent --no-audit --no-fund && npm run --silent build

.PHONY: bindings
bindings: ## Writes the TypeScript types of the window from the Rust types.
	@.ci/need $(WINDOW_NEEDS)
	TILLROLL_WRITE_BINDINGS=1 cargo test --quiet -p tillroll --test it bindings

.PHONY: window-test
window-test: window ## Journeys in the real window, without a person or a screen.
	@.ci/need $(JOURNEY_NEEDS)
	@tauri-driver --help >/dev/null 2>&1 || cargo install --locked tauri-driver --version 2.1.0
	cargo build -p tillroll-register --bin tillctl
	TILLROLL_WINDOW=$(WINDOW) cargo nextest run -p tillroll-tests --test window --run-ignored all -j 1

.PHONY: package
package: pages ## Packs the window as a .deb in target/release/bundle/deb.
	cd src-tauri && $(TAURI_CLI) build --bundles deb

.PHONY: test
test: tools oracles lint doc ## Everything that guards a change; what CI runs. The window has `window-test`.
	cargo nextest run $(ENGINE) $(if $(CI),--profile ci)

.PHONY: test-long
test-long: tools oracles ## The large counts (hours): KILLS=1000, ignored tests too. The window has `window-test`.
	TILLROLL_KILLS=$(KILLS) cargo nextest run $(ENGINE) --profile long --run-ignored all -E 'not binary(window)'

.PHONY: lint
lint: ## Formatting and clippy, warnings denied.
	cargo fmt --all --check
	cargo clippy --quiet $(ENGINE) --all-targets -- -D warnings

.PHONY: doc
doc: ## API documentation, warnings denied, and its examples run.
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet $(ENGINE) --no-deps
	cargo test --quiet $(ENGINE) --doc

.PHONY: bench
bench: ## In process: encoding, due query, durable enqueue, claim and completion.
	@.ci/need $(RUN_NEEDS)
	cargo bench -p tillroll-tests --bench encode --bench due_query --bench enqueue

.PHONY: bench-register
bench-register: ## The whole path of a receipt beside a CUPS queue, from the request to the first byte.
	@.ci/need $(BENCH_NEEDS)
	cargo bench -p tillroll-tests --bench register

.PHONY: openapi
openapi: ## Writes docs/openapi.json from the routes.
	$(TILLCTL) openapi >docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json

.PHONY: icons
icons: ## Renders icons/*.svg into the bitmaps beside them.
	@.ci/need $(ICON_NEEDS)
	icons/render.sh

.PHONY: audit
audit: ## Licences, sources and forbidden crates of all dependencies.
	@cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
	cargo deny --workspace check licenses bans sources

.PHONY: oracles
oracles: $(ORACLES) ## Fetches the third-party programs that tests judge by.

$(ORACLES): tests/oracles/package-lock.json
	@.ci/need node=nodejs npm=npm
	cd tests/oracles && npm ci --silent --no-audit --no-fund
	@touch $@

.PHONY: tools
tools: ## Installs what the tests call: fonts, zbarimg, strace, node, nextest.
	@.ci/need $(TEST_NEEDS)
	@cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
