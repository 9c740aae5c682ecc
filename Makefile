# The short commands. Each runs a script in scripts/; run the script with --help for an explanation.

.PHONY: help demo test lab check build release bench-idle bench-drain bench-export bench-sync bench-year score docs format clean

help: ## List the commands
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: ## Set up, build, and watch a drive pass through gpsd, the tracker and three servers to a page
	@scripts/setup
	@scripts/demo

test: ## Set up, then build and run all tests
	@scripts/setup
	@scripts/test

lab: ## Set up, then run the tests that need real devices, in a small Linux that has them
	@scripts/setup
	@scripts/lab

check: ## Run all checks except the tests: sizes, language, format, warnings
	@scripts/check

build: ## Build for debugging
	@scripts/build

release: ## Build the optimised trackerd
	@scripts/build --release

bench-idle: ## Count how often the tracker at rest wakes the processor
	@scripts/bench-idle

bench-export: ## Measure the time and memory of an export of a million records
	@scripts/bench-export

bench-drain: ## Measure how fast trackerd delivers a backlog over HTTP and MQTT
	@scripts/bench-drain

.PHONY: bench-air
bench-air: ## Count the bytes of a location on the way to a server, in each format for mobile networks
	@scripts/bench-air

.PHONY: bench-return
bench-return: ## Measure how soon the newest record arrives after an outage (75 minutes, as root): make bench-return MINUTES=1
	@scripts/bench-return $(MINUTES)

bench-sync: ## Count the disk syncs, and measure the time for a durable record
	@scripts/bench-sync

.PHONY: bench-wear
bench-wear: ## Count the bytes written to the card for each record
	@scripts/bench-wear

bench-year: ## Replay a year of driving, and measure time and memory: make bench-year DATA=folder
	@scripts/bench-year $(DATA)

.PHONY: bench-memory
bench-memory: ## Measure the memory of the service in a drive (5 minutes)
	@scripts/bench-memory

.PHONY: mutate
mutate: ## Count the small changes to the code that make a test fail (10 minutes): make mutate SEED=1
	@scripts/mutate $(if $(SEED),--seed $(SEED))

.PHONY: torture
torture: ## Kill trackerd, cut its power, break its disk, calls and network, and count lost records (an hour)
	@scripts/torture $(PARTS)

score: ## Score the tracker's judgement on recorded drives: make score DATA=folder
	@scripts/score $(DATA)

.PHONY: package
package: ## Build the Debian package for this computer, or on a PC for a Raspberry Pi (as root): make package ARCH=arm64
	@scripts/setup
	@scripts/package $(if $(ARCH),--arch $(ARCH)) $(if $(RELEASE),--release $(RELEASE))

.PHONY: test-package
test-package: ## Install, upgrade, remove and purge the package in a clean Debian 13 (as root): make test-package PACKAGE=file
	@scripts/setup
	@scripts/test-package $(if $(PACKAGE),--package $(PACKAGE))

.PHONY: test-arm64
test-arm64: ## Build the tests for arm64 and run them in emulation (as root)
	@scripts/setup
	@scripts/test-arm64

.PHONY: virtual-pi
virtual-pi: ## Install the package in a virtual Raspberry Pi, drive, and cut its power (as root): make virtual-pi CUTS=20
	@scripts/setup
	@scripts/virtual-pi $(if $(PACKAGE),--package $(PACKAGE)) $(if $(CUTS),--cuts $(CUTS)) $(if $(PARTS),--parts $(PARTS))

.PHONY: page-check
page-check: ## Open the page in a real browser while a recorded drive is replayed (3 minutes): make page-check SHOTS=folder
	@scripts/setup
	@scripts/page-check $(if $(SHOTS),--shots $(SHOTS))

.PHONY: awkward
awkward: ## Judge the tracker in generated awkward situations: queues, ferries, tunnels, gales (1 minute)
	@scripts/awkward $(ARGS)

.PHONY: peers
peers: ## Send a drive to software that others wrote: validators, and servers from PyPI: make peers PEER=formats
	@scripts/peers $(PEER)

docs: ## Rewrite the generated parts of docs/
	@scripts/docs

format: ## Format all Swift files
	@scripts/format

clean: ## Remove the build and the output of the demo
	rm -rf .build demo-out
