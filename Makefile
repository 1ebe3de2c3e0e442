# Capstan: everything a person types. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PORT        ?= 8080
GO          ?= go
BIN         := $(CURDIR)/bin
SANDBOX_DIR ?= $(CURDIR)/.sandbox
VERSION     ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS     := -X main.version=$(VERSION)

GOLANGCI_VERSION := v2.15.0
GOLANGCI         := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)

# Where the browser's driver lies, as playwright-go expects it.
export PLAYWRIGHT_DRIVER_PATH := $(CURDIR)/.cache/playwright
export PLAYWRIGHT_NODEJS_PATH := $(shell command -v node)

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ready-to-run $(BIN)/capstan $(BIN)/sandbox ## the portal on a real management cluster with demo data, http://localhost:8080 (PORT=)
	@$(BIN)/sandbox up --dir $(SANDBOX_DIR) --seed demo --port $(PORT) -- $(BIN)/capstan serve

.PHONY: dev
dev: ready-to-run $(BIN)/sandbox node_modules ## like run, but rebuilds and restarts the portal when a file changes
	@$(BIN)/sandbox up --dir $(SANDBOX_DIR) --seed demo --port $(PORT) -- hack/dev.sh

.PHONY: sandbox
sandbox: ready-to-run $(BIN)/sandbox ## only the management cluster with demo data, without the portal
	@$(BIN)/sandbox up --dir $(SANDBOX_DIR) --seed demo --port $(PORT)

.PHONY: test
test: ready-to-test $(BIN)/sandbox driver ## all tests: unit, on a real management cluster, in a real browser
	@hack/chromium.sh
	$(BIN)/sandbox up --dir $(CURDIR)/.cache/test --seed none --extension -- \
		$(GO) test -race -shuffle=on -tags sandbox -timeout 30m ./...
	cd cmd/sandbox && $(GO) test -shuffle=on -timeout 20m ./...

.PHONY: bench
bench: ready-to-test $(BIN)/sandbox ## measure against a raw client in the same run
	$(BIN)/sandbox up --dir $(CURDIR)/.cache/bench --seed none --managers=false -- \
		$(GO) test -tags sandbox -run '^$$' -bench BenchmarkPortal -benchtime 1x -timeout 20m ./cmd/capstan
	$(GO) test -run '^$$' -bench . -benchmem ./internal/... ./views/... ./web/...

.PHONY: pictures
pictures: ready-to-test $(BIN)/sandbox driver ## pictures of every page with demo data, into .pictures
	@hack/chromium.sh
	$(BIN)/sandbox up --dir $(CURDIR)/.cache/pictures --seed demo -- \
		$(GO) test -tags 'sandbox pictures' -count=1 -timeout 20m -run TestPictures ./cmd/capstan

.PHONY: lint
lint: $(GOLANGCI) ## static checks, the import rule among them
	$(GO) tool templ fmt -fail views
	$(GOLANGCI) run ./...
	cd cmd/sandbox && $(GOLANGCI) run --config $(CURDIR)/.golangci.yml ./...

.PHONY: generate
generate: node_modules ## write the generated files: templ components and app.css
	$(GO) tool templ generate -path views
	npx --no-install @tailwindcss/cli -i static/css/input.css -o static/css/app.css --minify

.PHONY: verify
verify: ready-to-test generate ## regenerate, and fail where a committed file differs
	@test -z "$$(git status --porcelain -- views static)" || { git --no-pager diff --stat -- views static; \
		echo "Generated files differ from the committed ones: run 'make generate' and commit the result." >&2; exit 1; }
	$(GO) mod verify >/dev/null
	$(GO) build -o /dev/null ./cmd/capstan

.PHONY: image
image: ## build the container image (needs docker or podman)
	@tool=$$(command -v docker || command -v podman) || { echo "Neither docker nor podman is installed." >&2; exit 1; }; \
	$$tool build -f deploy/Dockerfile --build-arg VERSION=$(VERSION) -t capstan:$(VERSION) .

.PHONY: clean
clean: ## remove what was built in this folder (the control plane's build stays cached in your user cache)
	rm -rf $(BIN) .cache .sandbox node_modules

# --- what the targets above stand on ---

.PHONY: ready-to-run ready-to-test
ready-to-run:
	@PORT=$(PORT) hack/preflight.sh run
ready-to-test:
	@hack/preflight.sh test

.PHONY: $(BIN)/capstan $(BIN)/sandbox
$(BIN)/capstan:
	@echo "building the portal" >&2
	@$(GO) build -ldflags '$(LDFLAGS)' -o $@ ./cmd/capstan
$(BIN)/sandbox:
	@echo "building the sandbox (the first time this takes some minutes)" >&2
	@cd cmd/sandbox && $(GO) build -o $@ .

node_modules: package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch node_modules

.PHONY: driver
driver: node_modules
	@mkdir -p $(PLAYWRIGHT_DRIVER_PATH) && ln -sfn $(CURDIR)/node_modules/playwright-core $(PLAYWRIGHT_DRIVER_PATH)/package

$(GOLANGCI):
	@echo "building golangci-lint $(GOLANGCI_VERSION) (once, about 4 minutes)" >&2
	@mkdir -p $(BIN) && GOBIN=$(BIN)/tmp $(GO) install -trimpath -ldflags='-s -w' github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	@mv $(BIN)/tmp/golangci-lint $@ && rmdir $(BIN)/tmp
