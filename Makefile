# The README's two commands are `make run` and `make test`; `make check` is what
# CI runs beside the tests. Everything needs only Go. What tests run beside Souk
# where it is there (PARTS) is skipped where it is not, and `make test` says so;
# SOUK_TEST_INSTALL=1 has it installed with apt, as root on Debian.

GO        ?= go
CONTENT   ?= content
LISTEN    ?= 127.0.0.1:8080
FUZZTIME  ?= 5s
LISTINGS  ?= 1000
TEST      ?= $(GO) test
BENCH      = SOUK_BENCH_LISTINGS=$(LISTINGS) $(GO) test -run '^$$' -timeout 3h
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# PARTS are Debian's packages of them. MODULES are the tests that need a module of
# their own, since they need what nobody who builds Souk does.
PARTS   := nginx caddy apache2 chromium postgresql
MODULES := build/document/openapi build/delivery/hosts/javascript dynamic/browser dynamic/operator/metrics/exposition

# The race detector watches everything but UNWATCHED: libraries that only compute,
# for the one goroutine that calls them. SQLite, C translated to Go, takes more than
# ten times as long when it is watched. No package that uses sync.Map may be one: the
# linker might take its unwatched copy of that for everybody's, and the detector would
# tell races that are none. test-long watches these as well.
UNWATCHED := modernc.org/sqlite/lib modernc.org/libc github.com/molecule-man/go-brrr/... github.com/klauspost/compress/flate \
  golang.org/x/image/vp8 golang.org/x/image/vp8l compress/flate image/draw image/jpeg image/png
RACE      := -race $(foreach package,$(UNWATCHED),-gcflags=$(package)=-race=false)

# PLAIN are the tests that run without the detector, by parts of their names: whole
# real marketplaces and what is judged by them, every seller in turn, every text of a
# market, hundreds of random sequences of builds, every fault of a host, and lists and
# pictures of great size are minutes of work there, of code that the other tests have
# watched. test-long watches them too.
PLAIN := RealMarket|OfCNCF|NothingInEnglish|Sellers?OfTheSample|AllSellersRemoved|OfLongLists|FindWhatAnswersThem|FiftyThousand|LinearMemory|LinearTime|WhatAFreshBuildMakes|FreshOnesTell|WritingAllMakes|ProbeFinds|DependOnItsHistory|MeaningsFind|InfluencesNoCorrection|OfALandscape

.PHONY: run build test test-long parts fuzz bench check fmt generate released release clean

## run: build the sample marketplace for its own address, serve it, and follow its content
run: build
	@# Not go run: each time that makes another program, which trusts no cache of the last.
	@exec var/bin/souk serve --content $(CONTENT) --listen $(LISTEN) --preview --watch

## build: make the program, as var/bin/souk
build:
	@$(GO) build -o var/bin/souk ./cmd/souk

## test: the tests of all modules; those of Souk itself with the race detector but for PLAIN; vet is for make check
test: parts
	@failed=0; \
	for module in $(MODULES); do (cd $$module && $(TEST) -vet=off -timeout 45m ./...) || failed=1; done; \
	$(TEST) -vet=off -timeout 45m -run '$(PLAIN)' ./... || failed=1; \
	GORACE=atexit_sleep_ms=0 $(TEST) $(RACE) -vet=off -timeout 45m -skip '$(PLAIN)' ./... || failed=1; \
	exit $$failed

## test-long: what takes hours of a processor: many more processes killed, mails, clients and sequences of edits, every seller leaving
test-long: parts
	$(TEST) -race -timeout 3h ./build ./build/delivery/publish ./build/catalog ./build/internal/markdown -rapid.checks 500
	$(TEST) -race -timeout 3h ./dynamic -thorough
	$(TEST) -race -timeout 3h ./build/delivery/hosts ./build/kit/picture ./build/release ./dynamic/ledger ./dynamic/search ./dynamic/operator/trace ./dynamic/verification
	$(TEST) -timeout 3h ./dynamic/verification -flood 13000
	$(TEST) -timeout 3h ./cmd/souk -kills 200 -removal-kills 200 -publish-kills 100

## parts: install what tests run beside Souk where SOUK_TEST_INSTALL asks for it, else say what is missing
parts:
	@missing=; \
	for part in $(PARTS); do \
	  test -n "$$(PATH="$$PATH:/usr/sbin:$$(echo /usr/lib/postgresql/*/bin | tr ' ' :)" command -v $${part%ql})" || missing="$$missing $$part"; \
	done; \
	test -n "$$missing" || exit 0; \
	if [ -z "$(SOUK_TEST_INSTALL)" ]; then \
	  echo "make test: missing here, so that their tests are skipped:$$missing (SOUK_TEST_INSTALL=1 installs them with apt, as root)" >&2; \
	elif ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y --no-install-recommends $$missing; } >&2; then \
	  echo "make test: these could not be installed, so that their tests are skipped:$$missing" >&2; \
	fi

## fuzz: every fuzz target for FUZZTIME; each package is compiled and linked once
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

## bench: builds by their settings and beside Hugo, edits, removals and publishing beside the floor of this machine, serving beside nginx and Caddy, search beside bleve, with LISTINGS listings
bench:
	$(BENCH) -v -bench 'Build|Publish' -benchtime 1x ./cmd/souk ./dynamic/search
	$(BENCH) -bench 'Edit|Removal' -benchtime 30x ./build ./dynamic
	$(BENCH) -bench 'Start|Search|Suggest|HTTP' -benchtime 2000x ./dynamic ./dynamic/search ./dynamic/web/searchapi
	$(BENCH) -bench Serve -benchtime 1x ./dynamic/web
	cd dynamic/search/bench && $(BENCH) -bench Compare -benchtime 1x .

## check: format, vet, static analysis, known vulnerabilities, generated files
check: var/bin/staticcheck var/bin/govulncheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "these files are not formatted: make fmt"; exit 1; }
	$(GO) vet ./...
	var/bin/staticcheck ./...
	@for module in $(MODULES) dynamic/search/bench; do \
	  (cd $$module && $(GO) vet ./... && $(CURDIR)/var/bin/staticcheck ./...) || exit 1; \
	done
	@var/bin/govulncheck ./... || { \
	  if [ $$? -eq 3 ]; then exit 1; fi; \
	  echo "govulncheck: skipped, its database cannot be reached from here"; }
	@# A module of some dependency's tests may be out of reach; only a difference counts.
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

## generate: make the generated parts of the docs, and the description that the module openapi looks at, anew
generate:
	$(GO) test ./build/document ./build/delivery/hosts ./build/site ./build ./build/intake/formats ./cmd/souk -run 'Reference|RequestsThatChange|GuideToThemes' -update

## released: take the present description of the API for that of a release, which later ones are compared with (docs/compatibility.md)
released:
	cd build/document/openapi && $(GO) test . -run NothingBreaks -released

## release: static binaries of VERSION for every one of PLATFORMS, with their digests, in dist/
release:
	@rm -rf dist && mkdir -p dist
	@for platform in $(PLATFORMS); do \
	  os=$${platform%/*}; arch=$${platform#*/}; end=; test $$os != windows || end=.exe; \
	  echo "dist/souk_$(VERSION)_$${os}_$$arch$$end"; \
	  CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -ldflags "-s -w -X main.released=$(VERSION)" \
	    -o "dist/souk_$(VERSION)_$${os}_$$arch$$end" ./cmd/souk || exit 1; \
	done
	@cd dist && sha256sum souk_* > SHA256SUMS

## clean: delete what building and running leave here
clean:
	rm -rf var dist public/* public/.well-known public.release
