# One file, no recursion but for a change of MODE. MODE only picks flags and a build folder, so
# objects of different flags never meet. `make help` lists the targets.

MODE   ?= release
PREFIX ?= /usr/local
B      := build/$(MODE)

PACKAGES      := libmicrohttpd-dev libsqlite3-dev sqlite3 libjansson-dev libsodium-dev zlib1g-dev \
                 libunistring-dev gcc make
TEST_PACKAGES := libcriterion-dev libcurl4-openssl-dev libyaml-dev curl jq
NODE_PACKAGES := nodejs npm
LINT_PACKAGES := clang clang-format clang-tidy cppcheck libclang-rt-14-dev mandoc

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
        -Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wcast-align \
        -Wwrite-strings -Wformat=2 -Wvla -Wundef -Wswitch-enum -Wimplicit-fallthrough \
        -Wdouble-promotion -Wnull-dereference
GCC_WARN := -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wjump-misses-init

# make has a CC of its own, so `?=` would never take effect.
ifeq ($(origin CC),default)
CC := gcc
endif
ifneq (,$(findstring Free Software,$(shell $(CC) --version)))
WARN += $(GCC_WARN)
endif

FLAGS_release := -O2 -g -D_FORTIFY_SOURCE=2
FLAGS_debug   := -O1 -g -DBANZUKE_TESTING
FLAGS_asan    := -O1 -g -DBANZUKE_TESTING -fsanitize=address,undefined -fno-sanitize-recover=all \
                 -fno-omit-frame-pointer
FLAGS_tsan    := -O1 -g -DBANZUKE_TESTING -fsanitize=thread
FLAGS_cov     := -O0 -g -DBANZUKE_TESTING --coverage
FLAGS_fuzz    := -O1 -g -DBANZUKE_TESTING -fsanitize=fuzzer-no-link,address,undefined \
                 -fno-sanitize-recover=all
LINK_release  := -Wl,-z,relro,-z,now
LINK_fuzz     := -fsanitize=address,undefined
LINK_asan     := -fsanitize=address,undefined
LINK_tsan     := -fsanitize=thread
LINK_cov      := --coverage
WERROR        ?=

CPPFLAGS += -D_DEFAULT_SOURCE -I.
CFLAGS   += -std=c17 $(WARN) $(WERROR) -fno-common -fstack-protector-strong -fPIE -pthread \
            $(FLAGS_$(MODE))
LDFLAGS  += -pie -pthread $(LINK_$(MODE))
LIBS     := -lmicrohttpd -ljansson -lsqlite3 -lsodium -lz -lunistring -lm
TEST_LIBS := -lcriterion -lcurl -lyaml

LAYERS := api match engine ratings db
SRC    := $(wildcard $(addsuffix /*.c,$(LAYERS)))
MAIN   := api/main.c
TESTS  := engine ratings db match api fault
BENCH  := $(patsubst tests/bench/%.c,$(B)/bench/%,$(wildcard tests/bench/*.c))
FUZZ   := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/*.c))
MIGRATIONS := $(sort $(wildcard migrations/[0-9]*.sql))

# One line a file; V=1 shows the commands, -s nothing.
say     = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-6s%s\n' $(1) $(2);)
# As many jobs as there are processors, unless make was told how many.
JOBS    = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

obj     = $(patsubst %.c,$(B)/%.o,$(1))
layer   = $(B)/lib$(1).a
ALL_LIB := $(foreach l,$(LAYERS),$(call layer,$(l)))

.DEFAULT_GOAL := all
.SECONDARY:
.PHONY: all run test bench fuzz asan tsan lint contract format deps deps-test deps-lint deps-node \
        demo install uninstall clean help

all: $(B)/banzuke ## build the server (MODE=release|debug|asan|tsan|fuzz|cov)

run: deps ## install what is missing, build, serve on 127.0.0.1:8080 with banzuke.db here
	@$(MAKE) --no-print-directory $(JOBS) MODE=release all
	build/release/banzuke serve --db banzuke.db

test: deps deps-test ## install what is missing, build, run all tests
	@$(MAKE) --no-print-directory $(JOBS) MODE=debug check

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

deps: ## install missing packages (as root or with password-less sudo), else print the command
	@sh .ci/deps.sh $(PACKAGES)
deps-test:
	@sh .ci/deps.sh $(TEST_PACKAGES)
deps-lint:
	@sh .ci/deps.sh $(LINT_PACKAGES)
# A Node.js from elsewhere has an npm of its own, beside which Debian's cannot be installed.
deps-node:
	@command -v npm >/dev/null || sh .ci/deps.sh $(NODE_PACKAGES)
	@sh .ci/deps.sh jq

# --- objects, one library a layer: the linker proves the layering as well -----------------------

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(B)/migrations.c: migrations/embed.sh $(MIGRATIONS)
	@mkdir -p $(@D)
	$(call say,embed,migrations)sh migrations/embed.sh $(MIGRATIONS) > $@.tmp && mv $@.tmp $@
$(B)/migrations.o: $(B)/migrations.c
	$(call say,cc,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(B)/openapi.c: migrations/embed.sh openapi.yaml
	@mkdir -p $(@D)
	@gzip -9 -n -c openapi.yaml > $(@D)/openapi.yaml.gz
	$(call say,embed,openapi.yaml){ sh migrations/embed.sh --text openapi_document openapi.yaml && \
	  sh migrations/embed.sh --text openapi_packed $(@D)/openapi.yaml.gz; } > $@.tmp && mv $@.tmp $@
$(B)/openapi.o: $(B)/openapi.c
	$(call say,cc,$<)$(CC) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

define LAYER_RULE
$$(call layer,$(1)): $$(call obj,$$(filter-out $(MAIN),$$(filter $(1)/%,$$(SRC)))) $(2)
	@rm -f $$@ && ar rcs $$@ $$^
endef
$(eval $(call LAYER_RULE,engine))
$(eval $(call LAYER_RULE,ratings))
$(eval $(call LAYER_RULE,match))
$(eval $(call LAYER_RULE,db,$(B)/migrations.o))
$(eval $(call LAYER_RULE,api,$(B)/openapi.o))

$(B)/banzuke: $(call obj,$(MAIN)) $(ALL_LIB)
	$(call say,link,$@)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# --- tests: a runner a folder; the lower layers link nothing above them -------------------------
# `check-scale`, with a million rows, takes longer than anybody waits: .ci/run asks for it.

SUPPORT := $(call obj,$(wildcard tests/support/*.c))
UPPER   := $(ALL_LIB)
TEST_LIB_engine  := $(call layer,engine)
TEST_LIB_ratings := $(call layer,ratings)
TEST_LIB_db      := $(call layer,db)
TEST_LIB_match   := $(foreach l,match engine ratings db,$(call layer,$(l)))
TEST_LIB_api     := $(UPPER)
TEST_LIB_fault   := $(UPPER)
TEST_LIB_scale   := $(call layer,db)
TEST_SUPPORT_match := $(call obj,tests/db/store.c)
TEST_SUPPORT_scale := $(call obj,tests/db/store.c)
TEST_SUPPORT_api   := $(SUPPORT)
TEST_SUPPORT_fault := $(SUPPORT)

define TEST_RULE
$(B)/test_$(1): $$(call obj,$$(wildcard tests/$(1)/*.c)) $$(TEST_SUPPORT_$(1)) $$(TEST_LIB_$(1))
	$$(call say,link,$$@)$$(CC) $$(LDFLAGS) $$^ $$(LIBS) $$(TEST_LIBS) -o $$@
.PHONY: check-$(1)
check-$(1): $(B)/test_$(1) $(B)/banzuke
	BANZUKE=$(B)/banzuke $$< $$(CRITERION)
endef
$(foreach t,$(TESTS) scale,$(eval $(call TEST_RULE,$(t))))

# A plain driver beside the runners, since Criterion does not run under ThreadSanitizer.
RACES := 2000
$(B)/races: $(call obj,$(wildcard tests/fault/plain/*.c)) $(TEST_LIB_match)
	$(call say,link,$@)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@
.PHONY: check-races
check-races: $(B)/races
	$< $(RACES)

# Built side by side, run one after the other: each runner keeps all processors busy by itself, and
# tests that watch the clock share the machine with as little as can be.
.PHONY: check
check: $(foreach t,$(TESTS),$(B)/test_$(t)) $(B)/banzuke $(B)/races
	@for suite in $(TESTS) races; do \
	  $(MAKE) --no-print-directory MODE=$(MODE) check-$$suite || exit 1; done

# --- everything else ----------------------------------------------------------------------------

BENCH_SUPPORT := $(call obj,tests/support/process.c tests/match/crowd.c $(wildcard tests/bench/support/*.c))
$(B)/bench/%: $(B)/tests/bench/%.o $(BENCH_SUPPORT) $(ALL_LIB)
	@mkdir -p $(@D)
	$(call say,link,$@)$(CC) $(LDFLAGS) $^ $(LIBS) -o $@
$(B)/fuzz/%: $(B)/tests/fuzz/%.o $(ALL_LIB)
	@mkdir -p $(@D)
	$(call say,link,$@)$(CC) $(LDFLAGS) -fsanitize=fuzzer $^ $(LIBS) -o $@

bench: deps ## release build; one table of figures with ratios against baselines of the same run
	@$(MAKE) --no-print-directory $(JOBS) MODE=release bench-run
.PHONY: bench-run
bench-run: $(B)/banzuke $(BENCH)
	sh tests/bench/run.sh $(B)

fuzz: ## libFuzzer over every target (SECONDS_EACH=20 each)
	@$(MAKE) --no-print-directory $(JOBS) MODE=fuzz CC=clang fuzz-run
.PHONY: fuzz-run
fuzz-run: $(FUZZ)
	sh tests/fuzz/run.sh $(B)/fuzz

asan: ## all tests under AddressSanitizer and UBSan; a leak fails too
	sh .ci/asan.sh
tsan: ## the server under ThreadSanitizer and a plain driver
	sh .ci/tsan.sh

lint: deps deps-test deps-lint ## gcc and clang -Werror, clang-format, clang-tidy, cppcheck, layering, fences
	sh tests/lint.sh

contract: deps deps-node ## lint openapi.yaml, generate a client from it, let that play on the release build
	@$(MAKE) --no-print-directory MODE=release all $(NODE_MODULES)
	sh tests/contract/run.sh build/release/banzuke

NODE_MODULES := tests/contract/node_modules/.package-lock.json
$(NODE_MODULES): $(addprefix tests/contract/,package.json package-lock.json .npmrc)
	cd tests/contract && npm ci --ignore-scripts
	@touch $@

.PHONY: lint-objects
lint-objects: $(call obj,$(SRC) $(wildcard tests/*/*.c tests/*/*/*.c))

format: ## rewrite the sources with clang-format
	clang-format -i $(SRC) $(wildcard $(addsuffix /*.h,$(LAYERS)) tests/*/*.c tests/*/*.h tests/*/*/*.c tests/*/*/*.h)

demo: deps ## scripted devices play rated games on a throw-away server
	@sh .ci/deps.sh curl jq
	@$(MAKE) --no-print-directory $(JOBS) MODE=release all
	sh tests/demo.sh build/release/banzuke

# What is installed, and where. `uninstall` takes away exactly these files.
INSTALLED := bin/banzuke share/man/man1/banzuke.1 lib/systemd/system/banzuke.service \
             share/doc/banzuke/README.md share/doc/banzuke/schema.md share/doc/banzuke/openapi.yaml
DEST      := $(DESTDIR)$(PREFIX)

install: ## release build into PREFIX (/usr/local); DESTDIR for packaging
	@$(MAKE) --no-print-directory $(JOBS) MODE=release all
	install -D -m 0755 build/release/banzuke $(DEST)/bin/banzuke
	install -D -m 0644 api/banzuke.1 $(DEST)/share/man/man1/banzuke.1
	install -d $(DEST)/lib/systemd/system
	sed 's|/usr/local/bin/|$(PREFIX)/bin/|' api/banzuke.service > $(DEST)/lib/systemd/system/banzuke.service
	chmod 0644 $(DEST)/lib/systemd/system/banzuke.service
	install -D -m 0644 README.md $(DEST)/share/doc/banzuke/README.md
	install -D -m 0644 migrations/README.md $(DEST)/share/doc/banzuke/schema.md
	install -D -m 0644 openapi.yaml $(DEST)/share/doc/banzuke/openapi.yaml

uninstall: ## remove exactly what install has put there
	rm -f $(addprefix $(DEST)/,$(INSTALLED))
	[ ! -d $(DEST)/share/doc/banzuke ] || rmdir --ignore-fail-on-non-empty $(DEST)/share/doc/banzuke

clean: ## remove everything that was built
	rm -rf build tests/contract/generated

-include $(shell find build/$(MODE) -name '*.d' 2>/dev/null)
