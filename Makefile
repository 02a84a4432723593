# The README's two commands are `make run` and `make test`; CI also runs `make
# check`. Everything needs only Go. Tests that need one of PARTS are skipped if it
# is missing, and `make test` says so; with SOUK_TEST_INSTALL=1 it installs them
# with apt, as root on Debian.

GO        ?= go
CONTENT   ?= content
LISTEN    ?= 127.0.0.1:8080
FUZZTIME  ?= 5s
LISTINGS  ?= 1000
TEST      ?= $(GO) test
BENCH      = SOUK_BENCH_LISTINGS=$(LISTINGS) $(GO) test -run '^$$' -timeout 3h
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# PARTS are Debian packages. MODULES are tests in modules of their own, because they
# need dependencies that Souk itself does not.
PARTS   := nginx caddy apache2 chromium postgresql
MODULES := build/document/openapi build/delivery/hosts/javascript dynamic/browser dynamic/operator/metrics/exposition

# The race detector instruments everything except UNWATCHED: libraries that only
# compute for the goroutine that calls them. SQLite, which is C translated to Go, runs
# more than ten times slower when instrumented. A package that uses sync.Map must not
# be listed: the linker might use its uninstrumented copy for all packages, and the
# detector would report false races. test-long instruments these packages, too.
UNWATCHED := modernc.org/sqlite/lib modernc.org/libc github.com/molecule-man/go-brrr/... github.com/klauspost/compress/flate \
  golang.org/x/image/vp8 golang.org/x/image/vp8l compress/flate image/draw image/jpeg image/png
RACE      := -race $(foreach package,$(UNWATCHED),-gcflags=$(package)=-race=false)

# PLAIN matches the names of tests that run without the detector. They build whole
# real marketplaces, remove every seller in turn, use hundreds of random builds and very
# large lists and pictures, or run the command line hundreds of times. Under the detector
# they would take minutes, and other tests cover the same code. test-long runs them under
# the detector.
PLAIN := ^TestScripts$$|RealMarket|OfCNCF|NothingInEnglish|Sellers?OfTheSample|AllSellersRemoved|OfLongLists|FindWhatAnswersThem|FiftyThousand|LinearMemory|LinearTime|WhatAFreshBuildMakes|FreshOnesTell|WritingAllMakes|ProbeFinds|DependOnItsHistory|MeaningsFind|InfluencesNoCorrection|OfALandscape

.PHONY: run build test test-long parts fuzz bench check fmt generate released release clean

## run: build and serve the sample marketplace, and rebuild it when its content changes
run: build
	@# Not go run: it links a new program each time, which does not trust the previous one's caches.
	@exec var/bin/souk serve --content $(CONTENT) --listen $(LISTEN) --preview --watch

## build: compile the program to var/bin/souk
build:
	@$(GO) build -o var/bin/souk ./cmd/souk

## test: run all tests, under the race detector except the largest (PLAIN)
test: parts
	@failed=0; \
	for module in $(MODULES); do (cd $$module && $(TEST) -vet=off -timeout 45m ./...) || failed=1; done; \
	$(TEST) -vet=off -timeout 45m -run '$(PLAIN)' ./... || failed=1; \
	GORACE=atexit_sleep_ms=0 $(TEST) $(RACE) -vet=off -timeout 45m -skip '$(PLAIN)' ./... || failed=1; \
	exit $$failed

## test-long: run the tests that take hours: many more killed processes, mails, clients and edits, and the removal of every seller
test-long: parts
	$(TEST) -race -timeout 3h ./build ./build/delivery/publish ./build/catalog ./build/internal/markdown -rapid.checks 500
	$(TEST) -race -timeout 3h ./dynamic -thorough
	$(TEST) -race -timeout 3h ./build/delivery/hosts ./build/kit/picture ./build/release ./dynamic/ledger ./dynamic/search ./dynamic/operator/trace ./dynamic/verification
	$(TEST) -timeout 3h ./dynamic/verification -flood 13000
	$(TEST) -timeout 3h ./cmd/souk -kills 200 -removal-kills 200 -publish-kills 100

## parts: list the programs that tests need and that are missing; with SOUK_TEST_INSTALL=1, install them
parts:
	@missing=; \
	for part in $(PARTS); do \
	  test -n "$$(PATH="$$PATH:/usr/sbin:$$(echo /usr/lib/postgresql/*/bin | tr ' ' :)" command -v $${part%ql})" || missing="$$missing $$part"; \
	done; \
	test -n "$$missing" || exit 0; \
	if [ -z "$(SOUK_TEST_INSTALL)" ]; then \
	  echo "make test: skipping the tests of missing programs:$$missing (SOUK_TEST_INSTALL=1 installs them with apt, as root)" >&2; \
	elif ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y --no-install-recommends $$missing; } >&2; then \
	  echo "make test: cannot install$$missing; skipping their tests" >&2; \
	fi

## fuzz: run every fuzz target for FUZZTIME
fuzz:
	@mkdir -p var/fuzz; \
	for folder in $$(grep -rl --include='*_test.go' '^func Fuzz' build cmd dynamic templates | xargs -n1 dirname | sort -u); do \
	  binary=$(CURDIR)/var/fuzz/$$(echo $$folder | tr / -); \
	  $(GO) test -vet=off -c -fuzz . -o $$binary ./$$folder || exit 1; \
	  for target in $$($$binary -test.list '^Fuzz'); do \
	    echo "$$folder $$target"; \
	    (cd $$folder && $$binary -test.run '^$$' -test.fuzz "^$$target$$" -test.fuzztime $(FUZZTIME) -test.fuzzminimizetime 10x \
	      -test.parallel 2 -test.fuzzcachedir $(CURDIR)/var/fuzz/cache) || exit 1; \
	  done; \
	done

## bench: measure builds, edits, removals, publishing, serving and search with LISTINGS listings, and compare them with Hugo, nginx, Caddy, bleve and this machine's limits
bench:
	$(BENCH) -v -bench 'Build|Publish' -benchtime 1x ./cmd/souk ./dynamic/search
	$(BENCH) -bench 'Edit|Removal' -benchtime 30x ./build ./dynamic
	$(BENCH) -bench 'Start|Search|Suggest|HTTP' -benchtime 2000x ./dynamic ./dynamic/search ./dynamic/web/searchapi
	$(BENCH) -bench Serve -benchtime 1x ./dynamic/web
	cd dynamic/search/bench && $(BENCH) -bench Compare -benchtime 1x .

## check: check formatting, vet, staticcheck, known vulnerabilities, go.mod and the sample content
check: var/bin/staticcheck var/bin/govulncheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "these files are not formatted: make fmt"; exit 1; }
	$(GO) vet ./...
	var/bin/staticcheck ./...
	@for module in $(MODULES) dynamic/search/bench; do \
	  (cd $$module && $(GO) vet ./... && $(CURDIR)/var/bin/staticcheck ./...) || exit 1; \
	done
	@var/bin/govulncheck ./... || { \
	  if [ $$? -eq 3 ]; then exit 1; fi; \
	  echo "govulncheck: skipped, its database cannot be reached"; }
	@# Modules that only dependencies' tests need may be unavailable; only a difference is an error.
	@for module in . $(MODULES) dynamic/search/bench; do \
	  difference="$$(cd $$module && $(GO) mod tidy -diff 2>/dev/null)"; \
	  test -z "$$difference" || { echo "$$difference"; echo "$$module/go.mod is not tidy: go mod tidy"; exit 1; }; \
	done
	$(GO) run ./cmd/souk check --content content --state var

var/bin/staticcheck:
	GOBIN=$(CURDIR)/var/bin $(GO) install honnef.co/go/tools/cmd/staticcheck@v0.8.2

var/bin/govulncheck:
	GOBIN=$(CURDIR)/var/bin $(GO) install golang.org/x/vuln/cmd/govulncheck@v1.1.4

## fmt: format the code
fmt:
	gofmt -w .

## generate: regenerate the generated parts of the docs, and the API description that the openapi module checks
generate:
	$(GO) test ./build/document ./build/delivery/hosts ./build/site ./build ./build/intake/formats ./cmd/souk -run 'Reference|RequestsThatChange|GuideToThemes' -update

## released: record the current API description as released; later ones must be compatible with it (docs/compatibility.md)
released:
	cd build/document/openapi && $(GO) test . -run NothingBreaks -released

## release: build static binaries of VERSION for all PLATFORMS in dist/, with their digests
release:
	@rm -rf dist && mkdir -p dist
	@for platform in $(PLATFORMS); do \
	  os=$${platform%/*}; arch=$${platform#*/}; end=; test $$os != windows || end=.exe; \
	  echo "dist/souk_$(VERSION)_$${os}_$$arch$$end"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -ldflags "-s -w -X main.released=$(VERSION)" \
	    -o "dist/souk_$(VERSION)_$${os}_$$arch$$end" ./cmd/souk || exit 1; \
	done
	@cd dist && sha256sum souk_* > SHA256SUMS

## clean: delete everything that building and running created
clean:
	rm -rf var dist public/* public/.well-known public.release
