# Tillroll. `make` alone lists the targets; each sets up what it needs.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

# How often `make test-long` kills the register, how many lives by chance it lives, and how many seconds it sells.
KILLS ?= 1000
LIVES ?= 10000
SOAK_S ?= 1800
# How often `make test-long` cuts the power of a simulated disk.
CUTS ?= 100000
# How many seconds the storm, the outage and the shop's day of `make bench-long` last.
STORM_S ?= 1800
OUTAGE_S ?= 1800
HOUR_S ?= 3600
# How many splits `make demo-splits` pays.
SPLITS ?= 100000
# How much `make fuzz-api` asks of each route.
EXAMPLES ?= 5
# How many seconds `make fuzz` searches each target.
FUZZ_S ?= 600

RUN_NEEDS := cc=build-essential /usr/share/zoneinfo/UTC=tzdata \
  /usr/share/fonts/opentype/noto/NotoSansCJK*=fonts-noto-cjk \
  /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf=fonts-dejavu-core
WINDOW_NEEDS := $(RUN_NEEDS) node=nodejs npm=npm dpkg=libwebkit2gtk-4.1-dev dpkg=librsvg2-dev \
  dpkg=libayatana-appindicator3-dev dpkg=libdbus-1-dev pkg-config=pkg-config
JOURNEY_NEEDS := $(WINDOW_NEEDS) Xvfb=xvfb WebKitWebDriver=webkit2gtk-driver dbus-run-session=dbus
PAGE_NEEDS := $(WINDOW_NEEDS) chromium=chromium
CLUSTER_NEEDS := /usr/lib/postgresql/*/bin/postgres=postgresql redis-server=redis-server \
  /usr/sbin/haproxy=haproxy
TEST_NEEDS := $(JOURNEY_NEEDS) zbarimg=zbar-tools pdftotext=poppler-utils strace=strace git=git \
  python3=python3 openssl=openssl /usr/sbin/mkfs.ext4=e2fsprogs $(CLUSTER_NEEDS)
FUZZ_NEEDS := $(RUN_NEEDS) python3=python3 /usr/lib/python3*/ensurepip=python3-venv curl=curl
BENCH_NEEDS := $(RUN_NEEDS) /usr/sbin/cupsd=cups lpadmin=cups-client python3=python3
ICON_NEEDS := rsvg-convert=librsvg2-bin optipng=optipng icotool=icoutils png2icns=icnsutils

TILLCTL := cargo run -p tillroll-register --bin tillctl --
DISPATCHER := cargo run -p tillroll-dispatcher --bin tillroll-dispatcher --
# Packs the .deb; the version of the library it packs.
TAURI_CLI := npx --yes @tauri-apps/cli@2.12
# What the lock names. `npm ci` would refuse it: packages for other systems stand in no registry.
INSTALL := npm install --no-save --loglevel=error --no-audit --no-fund
# Everything: the window too, and the journeys in it, which need WebKit.
ALL := --workspace --features tillroll-tests/window
ORACLES := tests/oracles/node_modules/.package-lock.json
# What `make bench` measures, in this order; each is a command of its own, as bench-store.
BENCHES := store register dispatcher counters cluster window storm
# Storms that take minutes; what follows says which.
STORM := cargo test --release -p tillroll-tests --test storm -- --ignored --nocapture
FIGURES := cargo run --quiet --release -p tillroll-tests --example figures --

.PHONY: help
help: ## Lists the targets.
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: run
run: $(if $(DISPLAY)$(WAYLAND_DISPLAY),run-window,run-demo) ## Opens the window on a training store; without a display, a demo as text.

.PHONY: run-window
run-window: pages
	cargo run -p tillroll -- --training

.PHONY: run-demo
run-demo:
	@.ci/need $(RUN_NEEDS)
	@echo "There is no display, so no window: this is the same register as text."
	$(TILLCTL) demo

.PHONY: demo-cloud
demo-cloud: ## A dispatcher and two registers: an order, a cut network, and equal days, as text.
	@.ci/need $(RUN_NEEDS)
	cargo build --quiet -p tillroll-register -p tillroll-dispatcher --bins
	cargo run --quiet -p tillroll-tests --example demo_cloud

.PHONY: demo-cluster
demo-cluster: ## Two nodes on PostgreSQL and Redis behind HAProxy, 50 registers, one node killed, as text.
	@.ci/need $(RUN_NEEDS) $(CLUSTER_NEEDS)
	cargo build --quiet -p tillroll-dispatcher --bin tillroll-dispatcher
	cargo run --quiet -p tillroll-tests --example demo_cluster

.PHONY: demo-splits
demo-splits: ## Shares and pays SPLITS=100000 orders through a bank that loses messages; outages, as text.
	@.ci/need $(RUN_NEEDS)
	cargo build --quiet --release -p tillroll-dispatcher --bins
	SPLITS=$(SPLITS) cargo run --quiet --release -p tillroll-tests --example demo_splits

.PHONY: window
window: pages ## Builds the program with the window.
	cargo build -p tillroll

.PHONY: pages
pages: ## Builds the pages of the window.
	@.ci/need $(WINDOW_NEEDS)
	cd ui && $(INSTALL) && npm run --silent build

.PHONY: pages-test
pages-test: pages ## Texts, types, units, keyboard journeys and accessibility of the pages.
	@.ci/need $(PAGE_NEEDS)
	cd ui && npm run --silent verify

.PHONY: bindings
bindings: ## Writes the TypeScript types of the window from the Rust types.
	@.ci/need $(WINDOW_NEEDS)
	TILLROLL_WRITE_BINDINGS=1 cargo test --quiet -p tillroll --test it bindings

.PHONY: window-test
window-test: pages driver ## The commands of the window, and journeys in it, without a person or a screen.
	@.ci/need $(JOURNEY_NEEDS)
	cargo nextest run $(ALL) -E 'package(tillroll) | binary(window)'

.PHONY: package
package: pages ## Packs the window as a .deb in target/release/bundle/deb.
	cd src-tauri && $(TAURI_CLI) build --bundles deb

.PHONY: package-test
package-test: package ## Installs the .deb, opens its window, removes it again. For root.
	@.ci/need $(JOURNEY_NEEDS) xwininfo=x11-utils xauth=xauth
	.ci/try-package $(or $(CARGO_TARGET_DIR),target)/release/bundle/deb/Tillroll_*.deb

.PHONY: test
test: tools driver oracles pages-test lint doc fuzz-api ## Everything that guards a change; what CI runs.
	cargo nextest run $(ALL) $(if $(CI),--profile ci)

.PHONY: test-long
test-long: tools driver oracles pages ## The large counts (hours): KILLS=1000, CUTS=100000, LIVES=10000, SOAK_S=1800, ignored tests too.
	TILLROLL_KILLS=$(KILLS) TILLROLL_CUTS=$(CUTS) TILLROLL_LIVES=$(LIVES) TILLROLL_SOAK_S=$(SOAK_S) cargo nextest run $(ALL) --profile long --run-ignored all
	$(MAKE) fuzz

.PHONY: attacks
attacks: ## Attacks the three promises and prints what was lost, doubled or hidden: nothing, or it fails.
	@.ci/need $(RUN_NEEDS) $(CLUSTER_NEEDS) strace=strace python3=python3
	@cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
	cargo build --quiet -p tillroll-register -p tillroll-dispatcher --bins
	@.ci/attacks

.PHONY: storm
storm: ## Large storms of registers against the dispatcher (20 min), simulated and over lossy sockets. For root.
	@.ci/need $(RUN_NEEDS) ip=iproute2 iptables=iptables
	cargo build --release -p tillroll-dispatcher
	$(STORM) large::
	$(STORM) --test-threads 1 sockets::storm_at

.PHONY: storm-rest
storm-rest: ## What `make storm` has no time for (10 min): three nodes that fail, a thin line, sales at 30 % loss. For root.
	@.ci/need $(RUN_NEEDS) $(CLUSTER_NEEDS) ip=iproute2 iptables=iptables
	cargo build --release -p tillroll-dispatcher
	$(STORM) --test-threads 1 cluster:: sockets::storm_over sockets::sales sockets::steady

.PHONY: fuzz
fuzz: ## Searches for bytes that break what reads them, FUZZ_S=600 seconds each target.
	@.ci/need $(RUN_NEEDS) c++=build-essential
	@cargo bolero --version >/dev/null 2>&1 || cargo install --locked cargo-bolero
	.ci/fuzz $(FUZZ_S)

.PHONY: fuzz-api
fuzz-api: ## Asks both APIs, as running programs, what their documents allow and what they do not.
	@.ci/need $(FUZZ_NEEDS)
	cargo build --quiet -p tillroll-register -p tillroll-dispatcher --bins
	.ci/fuzz-api $(or $(CARGO_TARGET_DIR),target)/debug $(EXAMPLES)

.PHONY: lint
lint: ## Formatting and clippy, warnings denied.
	cargo fmt --all --check
	cargo clippy --quiet $(ALL) --all-targets -- -D warnings

.PHONY: doc
doc: ## API documentation, warnings denied, and its examples run.
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet $(ALL) --no-deps
	cargo test --quiet $(ALL) --doc

.PHONY: bench
bench: ## Every figure beside its peer and its limit (35 min, nothing else at work): a summary, and the tables of docs/.
	$(FIGURES) clear
	failed=; for bench in $(BENCHES); do $(MAKE) bench-$$bench || failed+=" $$bench"; done; \
	  $(MAKE) figures; [ -z "$$failed" ] || { echo "not measured to the end:$$failed" >&2; exit 1; }

.PHONY: figures
figures: ## The summary of what the benches measured last, and its tables put into docs/.
	@$(FIGURES)

.PHONY: bench-store
bench-store: ## In process: encoding, due query, durable enqueue, claim and completion.
	@.ci/need $(RUN_NEEDS)
	cargo bench -p tillroll-tests --bench encode --bench due_query --bench enqueue

.PHONY: bench-register
bench-register: ## The whole path of a receipt beside a CUPS queue, PostgreSQL and Redis.
	@.ci/need $(BENCH_NEEDS) $(CLUSTER_NEEDS)
	cargo bench -p tillroll-tests --bench register

.PHONY: bench-dispatcher
bench-dispatcher: ## The dispatcher beside a task a job, bare SQLite and bare WebSockets; 10,000 registers.
	@.ci/need $(RUN_NEEDS)
	cargo build --release -p tillroll-dispatcher
	cargo bench -p tillroll-tests --bench dispatcher

.PHONY: bench-counters
bench-counters: tools ## Counters on both engines beside the disk alone and Redis that syncs always.
	cargo bench -p tillroll-tests --bench counters

.PHONY: bench-cluster
bench-cluster: ## The dispatcher on PostgreSQL and Redis beside both bare; what nodes and registers cost.
	@.ci/need $(RUN_NEEDS) $(CLUSTER_NEEDS)
	cargo build --release -p tillroll-dispatcher
	cargo bench -p tillroll-tests --bench cluster

.PHONY: bench-window
bench-window: pages driver ## The window with a million receipts in its store and 200 a second arriving.
	@.ci/need $(JOURNEY_NEEDS)
	cargo build --release -p tillroll
	TILLROLL_WINDOW=$(abspath $(or $(CARGO_TARGET_DIR),target)/release/tillroll) cargo bench -p tillroll-tests --bench window

.PHONY: bench-storm
bench-storm: ## Outages; for root a storm at 444 orders a second and sales over cables that lose packets.
	@.ci/need $(RUN_NEEDS) ip=iproute2 iptables=iptables
	@[ "$$(id -u)" = 0 ] || echo "cables that lose packets are left out: only root can make them"
	cargo build --release -p tillroll-dispatcher
	$(STORM) --test-threads 1 --exact \
	  large::every_sale_of_an_outage_arrives_soon_after_its_end \
	  $$([ "$$(id -u)" != 0 ] || echo sockets::storm_at_ten_times_the_published_mean_rate_on_real_sockets \
	  sockets::steady::sales_arrive_as_fast_as_they_are_made_at_thirty_percent_loss)

.PHONY: bench-long
bench-long: tools ## In real time (2 h, for root): a storm of STORM_S=1800, an outage of OUTAGE_S=1800, memory over HOUR_S=3600.
	@.ci/need ip=iproute2 iptables=iptables
	cargo build --release -p tillroll-register -p tillroll-dispatcher --bins
	TILLROLL_STORM_S=$(STORM_S) TILLROLL_OUTAGE_S=$(OUTAGE_S) $(STORM) --test-threads 1 --exact \
	  sockets::storm_at_the_published_peak_rate_on_real_sockets \
	  sockets::sales::every_sale_arrives_at_thirty_percent_loss
	TILLROLL_SOAK_S=$(HOUR_S) cargo test --release -p tillroll-tests --test system -- --nocapture soak

.PHONY: openapi
openapi: ## Writes docs/openapi.json and docs/openapi-dispatcher.json from the routes.
	$(TILLCTL) openapi >docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json
	$(DISPATCHER) openapi >docs/openapi-dispatcher.json.new
	mv docs/openapi-dispatcher.json.new docs/openapi-dispatcher.json

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

.PHONY: driver
driver:
	@tauri-driver --help >/dev/null 2>&1 || cargo install --locked tauri-driver --version 2.1.0

.PHONY: tools
tools: ## Installs what the tests call: fonts, zbarimg, pdftotext, strace, node, WebKit, PostgreSQL, Redis, HAProxy, nextest.
	@.ci/need $(TEST_NEEDS)
	@cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
