# Commands for developers. CMakeLists.txt and CMakePresets.json define the build.
.DEFAULT_GOAL := help
.PHONY: help demo serve c-library c-loop c-bare javascript-package javascript-test javascript-bare javascript-kill bench-javascript python-package python-test python-bare python-kill bench-python go-package go-test go-bare bench-go java-package java-test java-bare java-kill bench-java rust-package rust-test rust-loop rust-bare test bench-rust test-clients model simulate backup bench bench-models bench-tests instructions scale soak bench-http load large differential fuzz crash evolution damage faults network encrypted campaign format lint store-release fresh clean packages packages-bench packages-ci packages-clients copy remote-local bench-remote

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

demo: packages  ## build the demo and run it; MODEL=course runs one model only, ENDPOINT=http://127.0.0.1:8000 runs it on a service
	cmake --preset release
	cmake --build --preset release --target dolmen_demo
	build/release/models/dolmen_demo $(MODEL) $(if $(ENDPOINT),--endpoint $(ENDPOINT))

serve: packages  ## build dolmen and serve DynamoDB's requests; SERVE_ARGS='--path app.dolmen --port 9000'
	cmake --preset release
	cmake --build --preset release --target dolmen_command
	build/release/api/command/dolmen serve $(if $(SERVE_ARGS),$(SERVE_ARGS),--memory)

c-library: packages  ## build libdolmen_c.so for C and other languages: build/c gets it with its header and all libraries that it needs
	cmake --preset release
	cmake --build --preset release --target dolmen_c
	api/c/bundle.py build/release/api/c/libdolmen_c.so build/c

c-loop: c-library  ## check that a million calls of the C interface do not make the process grow; DOLMEN_STEPS=... selects another number
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000000} tests/c/loop_test.sh build/c/lib/libdolmen_c.so cc build/c-loop

c-bare: c-library  ## run the C example with build/c on a Debian that has no other library; DEBIAN=trixie selects its release; needs Debian and root
	tests/c/bare_debian.sh build/c

javascript-package: c-library  ## build the package for Node.js into build/packages
	api/bindings/javascript/package.sh build/c build/packages

javascript-test: javascript-package  ## test the package for Node.js; JAVASCRIPT_TESTS=test/sdk.test.mjs selects files
	api/bindings/javascript/test.sh build/packages $(JAVASCRIPT_TESTS)

javascript-bare: javascript-package  ## install the package and run the first program on a Debian that has only Node.js; DEBIAN=trixie selects its release; needs Debian and root
	api/bindings/javascript/bare_debian.sh build/packages

javascript-kill: javascript-test  ## kill a program in Node.js 50 times while it writes; DOLMEN_SEED=7 selects the kills
	cd build/packages/javascript-test && node test/kill.mjs --durability=sync
	cd build/packages/javascript-test && node test/kill.mjs --durability=buffered

bench-javascript: javascript-test  ## time reads in Node.js by each way, over HTTP and by SQLite; JAVASCRIPT_ARGS=--rounds=3
	cmake --build --preset release --target dolmen_command
	bench/javascript/bench.sh build/packages build/release/api/command/dolmen --out $(if $(JAVASCRIPT_ARGS),build/bench,bench/results) $(JAVASCRIPT_ARGS)

python-package: c-library  ## build the wheel of the package for Python into build/packages
	api/bindings/python/package.sh build/c build/packages

python-test: python-package  ## test the package for Python; PYTEST_ARGS='-k fork' selects tests
	api/bindings/python/test.sh build/packages $(PYTEST_ARGS)

python-bare: python-package  ## install the wheel and run the first program on a Debian that has only Python; DEBIAN=trixie selects its release; needs Debian and root
	api/bindings/python/bare_debian.sh build/packages

python-kill: python-package  ## kill a program in Python 50 times while it writes; DOLMEN_SEED=7 selects the kills
	PYTHONPATH=build/packages/python api/bindings/python/tests/kill.py --durability=sync
	PYTHONPATH=build/packages/python api/bindings/python/tests/kill.py --durability=buffered

bench-python: python-package  ## time reads in Python by each way, over HTTP, by moto and by sqlite3; PYTHON_ARGS=--rounds=3
	cmake --build --preset release --target dolmen_command
	bench/python/bench.sh build/packages build/release/api/command/dolmen --out $(if $(PYTHON_ARGS),build/bench,bench/results) $(PYTHON_ARGS)

go-package: c-library  ## write the Go module with the C library into build/packages/go
	api/bindings/go/package.sh build/c build/packages

go-test: go-package packages-clients  ## vet and test the Go module, also with the race detector; GO_ARGS='-run Fork' selects tests
	api/bindings/go/test.sh build/packages $(GO_ARGS)

go-bare: go-package packages-clients  ## build and run the first program on a Debian that has only Go and a C compiler; DEBIAN=trixie selects its release; needs Debian and root
	api/bindings/go/bare_debian.sh build/packages

bench-go: go-package packages-clients  ## time reads in Go by the SDK in process and over HTTP, by Execute and by SQLite; GO_ARGS=--rounds=3
	cmake --build --preset release --target dolmen_command
	bench/go/bench.py build/release/api/command/dolmen --out $(if $(GO_ARGS),build/bench,bench/results) $(GO_ARGS)

java-package: c-library packages-clients  ## build the package for Java into build/packages/java
	api/bindings/java/package.sh build/c build/packages

java-test: java-package  ## test the package for Java; JAVA_ARGS=-Dtest=DatabaseTest selects tests
	api/bindings/java/test.sh build/packages $(JAVA_ARGS)

java-bare: java-package  ## run the first program on a Debian that has only Java; DEBIAN=trixie selects its release; needs Debian and root
	api/bindings/java/bare_debian.sh build/packages

java-kill: java-package  ## kill a program in Java 50 times while it writes; DOLMEN_SEED=7 selects the kills
	DOLMEN_KILLS=50 api/bindings/java/test.sh build/packages -Dtest=KillTest

bench-java: java-package  ## time reads in Java by each way, over HTTP and by SQLite; JAVA_ARGS=--rounds=3
	cmake --build --preset release --target dolmen_command
	bench/java/bench.sh build/packages build/release/api/command/dolmen --out=$(if $(JAVA_ARGS),build/bench,bench/results) $(JAVA_ARGS)

rust-package: c-library  ## write the crate for Rust with the C library into build/packages/rust
	api/bindings/rust/package.sh build/c build/packages

rust-test: rust-package packages-clients  ## check the format of the crate, and run clippy and its tests; RUST_ARGS=fork selects tests
	api/bindings/rust/test.sh build/packages $(RUST_ARGS)

rust-loop: rust-package packages-clients  ## check that a million calls of the crate do not make the process grow; DOLMEN_STEPS=... selects another number
	cd build/packages/rust && CARGO_TARGET_DIR=$(CURDIR)/build/cargo DOLMEN_STEPS=$${DOLMEN_STEPS:-1000000} \
	  cargo test --locked --release --all-features --test dolmen -- --nocapture grow

rust-bare: rust-package packages-clients  ## run the first program of the crate on a Debian that has no other library; DEBIAN=trixie selects its release; needs Debian and root
	api/bindings/rust/bare_debian.sh build/packages

bench-rust: rust-package packages-clients  ## time reads in Rust by the SDK in process and over HTTP, by execute and by SQLite; RUST_ARGS=--rounds=3
	cmake --build --preset release --target dolmen_command
	bench/rust/bench.py build/release/api/command/dolmen --out $(if $(RUST_ARGS),build/bench,bench/results) $(RUST_ARGS)

test: packages  ## build all but the benches, and run every test but those that build the library once more; CI runs these, too
	cmake --preset release
	cmake --build --preset release
	ctest --preset release -LE '^install$$'

# The package by which a client runs in process.
package_of = $(or $(filter $(1)-package,go-package java-package rust-package),$(if $(filter python pynamodb,$(1)),python-package,javascript-package))

test-clients: packages packages-clients  ## run real SDKs and tools against `dolmen serve`; CLIENTS="electrodb go" runs only these, IN_PROCESS=1 runs them in process
ifeq ($(PEER),dynamodb-local)
	tests/differential/install_peers.sh build/differential
	tests/clients/run.py --build build/clients --dynamodb-local build/differential $(CLIENTS)
else ifdef IN_PROCESS
	$(MAKE) $(sort $(foreach client,$(or $(CLIENTS),go java rust python all),$(call package_of,$(client))))
	tests/clients/run.py --build build/clients --in-process build/packages $(CLIENTS)
else
	cmake --preset release
	cmake --build --preset release --target dolmen_command
	tests/clients/run.py --build build/clients --dolmen build/release/api/command/dolmen \
	  $(if $(filter rewrite,$(LOCK)),--rewrite-lock) $(if $(filter items,$(RECORD)),--record) $(CLIENTS)
endif

model: packages  ## compare a million random operations with the model; DOLMEN_STEPS=... and DOLMEN_SEED=7 select others
	cmake --preset release
	cmake --build --preset release --target model_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000000} build/release/tests/model_test --gtest_filter='TablesTest.*ReferenceMaps'

simulate: packages  ## run 1000 random programs twice under all faults, and the model and concurrent callers; DOLMEN_SEED=7
	cmake --preset release
	cmake --build --preset release --target simulate_test model_test concurrent_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000} build/release/tests/simulate_test --gtest_filter='RandomSimulationTest.*'
	DOLMEN_STEPS=50000 build/release/tests/model_test --gtest_filter='TablesTest.*Fault'
	build/release/tests/concurrent_test --gtest_filter='IsolationTest.*Fault:IsolationTest.*Lag'

backup: packages  ## check 50 backups under four writers, and the second backup of 1 GB; DOLMEN_STEPS=... and DOLMEN_BACKUP_MB=... select others
	cmake --preset release
	cmake --build --preset release --target backup_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-50} DOLMEN_BACKUP_MB=$${DOLMEN_BACKUP_MB:-1000} \
	  build/release/tests/backup_test --gtest_filter='BackupRigTest.*:BackupSizeTest.*'

bench: packages packages-bench  ## run the benches, report, draw; BENCH_ARGS=--benchmark_filter=... is passed on
	cmake --preset release
	cmake --build --preset release --target dolmen_bench
	mkdir -p build/bench && rm -f build/bench/run.json build/bench/cold.json
	build/release/bench/dolmen_bench --benchmark_out=build/bench/run.json $(BENCH_ARGS)
	$(if $(BENCH_ARGS),,build/release/bench/dolmen_bench --cold --benchmark_out=build/bench/cold.json \
	  --benchmark_filter='^(point_get|newest_50|inbox_50)/(dolmen|dolmen_encrypted|rocksdb|sqlite|lmdb)$$')
	bench/report/report.py build/bench/run.json --out $(if $(BENCH_ARGS),build/bench,bench/results)

bench-models: packages  ## time the access patterns of the models; BENCH_ARGS=--benchmark_filter=chat/ is passed on
	cmake --preset release
	cmake --build --preset release --target dolmen_model_bench
	build/release/bench/dolmen_model_bench $(BENCH_ARGS)

bench-tests: packages  ## time 200 tests that fork 10,000 items: by threads, by shards of ctest, and in a process each
	cmake --preset release
	cmake --build --preset release --target orders_test
	tests/processes/seconds.py build/release/tests/processes/orders_test

instructions: packages packages-bench  ## count the instructions of the benches and compare them with RocksDB without Dolmen
	cmake --preset release
	cmake --build --preset release --target dolmen_bench
	bench/report/instructions.py build/release/bench/dolmen_bench

scale: packages packages-bench  ## measure the cost of a row and of a page as the data grow to 10^7 items; SCALE_ARGS=--max=1000000
	cmake --preset release
	cmake --build --preset release --target dolmen_scale
	bench/scale/scale.py build/release/bench/dolmen_scale $(SCALE_ARGS) --out $(if $(SCALE_ARGS),build/bench,bench/results)

soak: packages packages-bench  ## check for ten minutes that resident memory stays within its limit; SOAK_ARGS=--minutes=1
	cmake --preset release
	cmake --build --preset release --target dolmen_soak
	bench/soak/soak.py build/release/bench/dolmen_soak $(SOAK_ARGS) --out $(if $(SOAK_ARGS),build/bench,bench/results)

bench-http: packages  ## compare the requests per second over HTTP with dynoxide and DynamoDB Local; HTTP_ARGS=--rounds=3
	bench/http/install_peers.sh build/http
	cmake --preset release
	cmake --build --preset release --target dolmen_command
	bench/http/throughput.py build/release/api/command/dolmen --peers build/http $(HTTP_ARGS) --out $(if $(HTTP_ARGS),build/bench,bench/results)

bench-remote: packages packages-clients  ## compare Database::Connect with the SDKs for Go, Java and Python over HTTP; REMOTE_ARGS=--rounds=1
	cmake --preset release
	cmake --build --preset release --target dolmen_command dolmen_remote_client
	bench/remote/bench.sh build/remote build/release/api/command/dolmen build/release/bench/dolmen_remote_client \
	  --out $(if $(REMOTE_ARGS),build/bench,bench/results) $(REMOTE_ARGS)

load: packages  ## run all operations from 64 connections for ten minutes, then kill servers during writes; LOAD_ARGS=--minutes=1
	.ci/packages_or_commands.sh .ci/packages-http.txt
	cmake --preset release
	cmake --build --preset release --target dolmen_command
	bench/http/load.py build/release/api/command/dolmen $(LOAD_ARGS) --out $(if $(LOAD_ARGS),build/bench,bench/results)
	tests/killed_server/kill.py build/release/api/command/dolmen --durability=sync --rounds=20
	tests/killed_server/kill.py build/release/api/command/dolmen --durability=buffered --rounds=20

copy: packages  ## copy 10^6 items to a server and back, with 20 kills each, compare the units with the estimate, and follow four writers; COPY_ARGS=--items=20000
	cmake --preset release
	cmake --build --preset release --target dolmen_command
	tests/copy/killed.py build/release/api/command/dolmen --direction=to_service --items=1000000 --kills=20 $(COPY_ARGS)
	tests/copy/killed.py build/release/api/command/dolmen --direction=from_service --items=1000000 --kills=20 $(COPY_ARGS)
	tests/copy/followed.py build/release/api/command/dolmen --kills=2
	tests/copy/followed.py build/release/api/command/dolmen --kills=2 --to-directory

large: packages  ## send bodies of 16 MiB from 64 clients and check memory and the time of other clients; LARGE_ARGS=--clients=8
	cmake --preset release
	cmake --build --preset release --target dolmen_command
	bench/http/large.py build/release/api/command/dolmen $(LARGE_ARGS) --out $(if $(LARGE_ARGS),build/bench,bench/results)

differential: packages  ## compare with other implementations of DynamoDB; CASES=1000 and DOLMEN_SEED=7 select the cases, WIRE=1 tests dolmen serve, PARTIQL=1 sends statements to it
	tests/differential/install_peers.sh build/differential
	cmake --preset release
	cmake --build --preset release --target $(if $(WIRE)$(PARTIQL),dolmen_command,dolmen_runner)
	tests/differential/run.py --build build/differential $(if $(PARTIQL),--partiql) \
	  $(if $(WIRE)$(PARTIQL),--wire build/release/api/command/dolmen,--runner build/release/tests/differential/dolmen_runner)

remote-local: packages  ## run the tests of models and entities on DynamoDB Local; FOLDERS=entity selects
	tests/differential/install_peers.sh build/differential
	cmake --preset release
	cmake --build --preset release --target models_test entity_test
	tests/remote/on_dynamodb_local.py --local build/differential --tests build/release/tests $(FOLDERS)

fuzz: packages packages-ci  ## fuzz each parser and decoder for FUZZ_SECONDS (1200); FUZZ_TARGETS="number item" selects targets
	cmake --preset fuzz
	cmake --build --preset fuzz --target fuzzers
	tests/fuzz/run.sh build/fuzz $(FUZZ_TARGETS)

crash: packages  ## kill processes that write, 1000 times in each test, with random options; DOLMEN_STEPS=... and DOLMEN_SEED=7
	cmake --preset release
	cmake --build --preset release --target durability_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000} build/release/tests/durability_test --gtest_filter='Kill*:*/Kill*'

evolution: packages  ## kill three versions of a program that migrate 100000 items 20 times; DOLMEN_STEPS=, DOLMEN_MEMBERS= and DOLMEN_SEED=7
	cmake --preset release
	cmake --build --preset release --target evolution_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-20} DOLMEN_MEMBERS=$${DOLMEN_MEMBERS:-100000} \
	  build/release/tests/evolution_test

damage: packages  ## damage files of a database in 5000 ways and 100000 bits of table files; DAMAGES=, BITS= and DOLMEN_SEED=7 select others
	cmake --preset release
	cmake --build --preset release --target durability_test
	DOLMEN_STEPS=$(or $(DAMAGES),5000) build/release/tests/durability_test --gtest_filter='DamageTest.*-*Bit*'
	DOLMEN_STEPS=$(or $(BITS),100000) build/release/tests/durability_test --gtest_filter='DamageTest.*Bit*'

faults: packages  ## fail each call of the file system, and allocations; cut the power; crash the model; DOLMEN_STEPS=100 is a share
	cmake --preset release
	cmake --build --preset release --target durability_test model_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000000} build/release/tests/durability_test --gtest_filter='FailingCallTest.*'
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000} build/release/tests/durability_test --gtest_filter='*PowerCutTest.*'
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000000} build/release/tests/durability_test --gtest_filter='FailingAllocationTest.*'
	DOLMEN_STEPS=$${DOLMEN_STEPS:-1000000} build/release/tests/model_test --gtest_filter='TablesTest.*AfterCrashes'

network: packages  ## run 100000 random operations of Database::Connect over a network with faults; DOLMEN_STEPS=... and DOLMEN_SEED=7
	cmake --preset release
	cmake --build --preset release --target remote_test
	DOLMEN_STEPS=$${DOLMEN_STEPS:-100000} build/release/tests/remote_test --gtest_filter='BadNetwork*'

encrypted: packages  ## run the tests of all rooms that open databases with encrypted databases
	cmake --preset release
	cmake --build --preset release
	DOLMEN_ENCRYPTED=1 ctest --preset release -LE '^(bench|compile_fail|differential|install|readme|repository|upgrade)$$'

campaign:  ## run what takes too long for CI, and record it in tests/campaign.md; CAMPAIGN="fuzz load" selects, HOURS=24 repeats
	tests/campaign.py $(if $(HOURS),--hours=$(HOURS)) $(CAMPAIGN)

format: packages-ci  ## format the sources with clang-format
	git ls-files -z '*.h' '*.cc' | xargs -0r clang-format-16 -i

lint: packages packages-ci  ## run clang-tidy over api and engine
	cmake --preset dev
	run-clang-tidy-16 -quiet -p build/dev '^$(CURDIR)/(api|engine)/'

store-release: packages  ## store a database of this release in tests/upgrade, once for each release
	cmake --preset release
	cmake --build --preset release --target store_release
	build/release/tests/upgrade/store_release tests/upgrade

fresh:  ## run the demo and the tests on a new Debian machine; needs Debian and root
	tests/fresh_machine.sh

clean:  ## remove every build
	rm -rf build

packages:
	@.ci/packages.sh .ci/packages.txt

packages-bench:
	@.ci/packages.sh .ci/packages-bench.txt

packages-ci:
	@.ci/packages.sh .ci/packages-ci.txt

packages-clients:
	@.ci/packages_or_commands.sh .ci/packages-clients.txt
