# Commands for developers. CMakeLists.txt and CMakePresets.json define the build.
#
# ARGS has further arguments for the program that a target runs: make demo ARGS=course. The long checks and
# the benches are rows of tables: tests/campaign.py and bench/run.py.
.DEFAULT_GOAL := help
.PHONY: help demo serve test clients packages bench campaign format lint ci clean

LANGUAGES ?= c go java javascript python rust
dolmen := build/release/api/command/dolmen
# Installs packages of the operating system, and builds targets of the release.
install = @.ci/packages.sh $(patsubst %,.ci/%.txt,packages $(1))
build = cmake --preset release && cmake --build --preset release --target $(1)

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

demo:  ## build and run the demo; ARGS=course runs one model, ARGS='--endpoint URL' runs it on a service
	$(install)
	$(call build,dolmen_demo)
	build/release/models/dolmen_demo $(ARGS)

serve:  ## build dolmen and serve DynamoDB's requests, in memory or with ARGS='--path app.dolmen --port 9000'
	$(install)
	$(call build,dolmen_command)
	$(dolmen) serve $(or $(ARGS),--memory)

test:  ## build all but the benches, and run every test but `install`; ARGS='-L wire' selects
	$(install)
	$(call build,all)
	ctest --preset release -LE '^install$$' $(ARGS)

clients:  ## run SDKs and tools on `dolmen serve`; CLIENTS='go python' selects, PEER=process or PEER=NAME=URL replaces the server
	$(call install,packages-clients)
ifeq ($(PEER),process)
	api/bindings/packages.sh build $(filter-out c,$(LANGUAGES))
	tests/clients/run.py --build build/clients --in-process build/packages $(ARGS) $(CLIENTS)
else ifneq ($(PEER),)
	tests/clients/run.py --build build/clients --peer $(PEER) $(ARGS) $(CLIENTS)
else
	$(call build,dolmen_command)
	tests/clients/run.py --build build/clients --dolmen $(dolmen) $(ARGS) $(CLIENTS)
endif

packages:  ## build and test the packages for other languages; LANGUAGES=python selects, BARE=1 runs them on a bare Debian
	$(install)
	api/bindings/packages.sh $(if $(BARE),bare,test) $(LANGUAGES)

bench:  ## run a bench; BENCH='http scale' selects, BENCH=help lists them, ARGS changes them
	@bench/run.py $(if $(filter help,$(BENCH)),--help,$(BENCH))

campaign:  ## run and record what takes too long for CI; CHECKS='crash faults' selects, CHECKS=help lists them, HOURS=24 repeats
	@tests/campaign.py $(if $(filter help,$(CHECKS)),--help,$(CHECKS)) $(if $(HOURS),--hours=$(HOURS))

format:  ## format the sources with clang-format
	$(call install,packages-ci)
	git ls-files -z '*.h' '*.cc' | xargs -0r clang-format-16 -i

lint:  ## run clang-tidy over the sources that this branch changes; ARGS=all or ARGS=HEAD~3 selects others
	$(call install,packages-ci)
	cmake --preset dev
	.ci/lint.sh build/dev $(ARGS)

ci:  ## check everything that must hold before a change is merged
	.ci/run

clean:  ## remove every build
	rm -rf build
