// A program that is a hard host: it has a RocksDB and gflags of its own, no standard descriptors, a locale, limits,
// handlers that interrupt its system calls, a filter of system calls, and children of fork(2). Dolmen works in it, or
// refuses a call by name. A new kind of host is a further function of kConfinements.

#include <dolmen.h>
#include <gflags/gflags.h>
#include <pthread.h>
#include <rocksdb/db.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <locale>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/system_call_filter.h"

DEFINE_string(directory, "", "where all files are created");

namespace {

using Database = std::unique_ptr<dolmen_database, decltype(&dolmen_close)>;

constexpr int kRounds = 200;
constexpr const char* kTable =
    R"({"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]})";
constexpr const char* kCount = R"({"TableName": "app", "Select": "COUNT"})";

// Ends the program with a message in the file `failure`, because standard error is closed.
void Require(bool holds, const std::string& what) {
  if (holds) return;
  std::FILE* const file = std::fopen((FLAGS_directory + "/failure").c_str(), "a");
  std::fprintf(file, "%s\n", what.c_str());
  std::fclose(file);
  ::_exit(1);
}

// A response. Its text is valid until the next call.
struct Response {
  int status;
  std::string text;
};

template <typename Call>
Response ResponseOf(const Call& call) {
  dolmen_buffer buffer = {nullptr, 0};
  const int status = call(&buffer);
  Response response = {status, std::string(buffer.data != nullptr ? buffer.data : "", buffer.size)};
  dolmen_free(&buffer);
  return response;
}

Response Execute(const Database& database, const char* operation, const std::string& request) {
  return ResponseOf([&](dolmen_buffer* buffer) {
    return dolmen_execute(database.get(), operation, request.data(), request.size(), buffer);
  });
}

void RequireSuccess(const Response& response, const char* expected) {
  Require(response.status == 200 && response.text.find(expected) != std::string::npos,
          std::string("expected ") + expected + ": " + response.text);
}

Database Open(const std::string& directory) {
  dolmen_database* opened = nullptr;
  const std::string options = R"({"Directory": ")" + directory + R"("})";
  RequireSuccess(ResponseOf([&](dolmen_buffer* buffer) {
                   return dolmen_open(options.c_str(), &opened, buffer);
                 }),
                 "");
  return {opened, &dolmen_close};
}

std::string ItemOf(int round) {
  return R"({"TableName": "app", "Item": {"id": {"S": ")" + std::to_string(round) +
         R"("}, "n": {"N": "1234567.5"}, "text": {"S": ")" + std::string(1000, 'x') + R"("}}})";
}

// Writes 1234 as 1'234.
class OwnNumbers : public std::numpunct<char> {
  std::string do_grouping() const override { return "\3"; }
  char do_thousands_sep() const override { return '\''; }
};

void CloseStandardDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(descriptor);
}

void SetLocales() {
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "en_US.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  std::locale::global(std::locale(std::locale::classic(), new OwnNumbers));
}

void SetLimits() {
  constexpr rlimit kFiles = {128, 128};
  constexpr rlimit kFileBytes = {64 << 20, 64 << 20};
  Require(::setrlimit(RLIMIT_NOFILE, &kFiles) == 0 && ::setrlimit(RLIMIT_FSIZE, &kFileBytes) == 0,
          "setrlimit");
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, 256 << 10);
  Require(::pthread_setattr_default_np(&attributes) == 0, "pthread_setattr_default_np");
}

// The kernel ends a slow system call with EINTR after each of these signals.
void InterruptSystemCalls() {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  for (const int signal : {SIGALRM, SIGCHLD, SIGUSR1, SIGUSR2, SIGPIPE, SIGTERM, SIGINT}) {
    ::sigaction(signal, &action, nullptr);
  }
  constexpr itimerval kOften = {{0, 2000}, {0, 2000}};
  ::setitimer(ITIMER_REAL, &kOften, nullptr);
}

// Kills the process if it changes the priority, the processors or the memory of a thread.
void ForbidSystemCalls() {
  using dolmen::test::FilteredCall;
  const std::vector<FilteredCall> calls = {
      {SYS_ioprio_set},         {SYS_mbind},          {SYS_sched_setaffinity},
      {SYS_sched_setattr},      {SYS_sched_setparam}, {SYS_set_mempolicy},
      {SYS_sched_setscheduler}, {SYS_setpriority},    {SYS_setrlimit},
      {SYS_io_uring_setup},     {SYS_ptrace},         {SYS_personality}};
  Require(dolmen::test::FilterSystemCalls(calls), "seccomp");
}

constexpr void (*kConfinements[])() = {CloseStandardDescriptors, SetLocales, SetLimits,
                                       InterruptSystemCalls, ForbidSystemCalls};

void UseOwn(rocksdb::DB* own, int round) {
  const std::string value = std::to_string(round);
  std::string found;
  Require(own->Put(rocksdb::WriteOptions(), "k", value).ok() &&
              own->Flush(rocksdb::FlushOptions()).ok() &&
              own->Get(rocksdb::ReadOptions(), "k", &found).ok() && found == value,
          "the RocksDB of the program");
}

void Use(const Database& database, rocksdb::DB* own) {
  RequireSuccess(Execute(database, "CreateTable", kTable), "\"ACTIVE\"");
  for (int round = 0; round < kRounds; ++round) {
    if (round % 10 == 0) UseOwn(own, round);
    RequireSuccess(Execute(database, "PutItem", ItemOf(round)), "{}");
  }
  RequireSuccess(Execute(database, "GetItem", R"({"TableName": "app", "Key": {"id": {"S": "7"}}})"),
                 "1234567.5");
}

// A child is refused every call, and ends by exit(3).
void Fork(const Database& database) {
  const pid_t child = ::fork();
  if (child == 0) {
    const Response response = Execute(database, "ListTables", "{}");
    Require(response.status == 500 && response.text.find("fork(2)") != std::string::npos,
            "a child gets " + response.text);
    std::exit(7);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) != child) continue;
  Require(WIFEXITED(status) && WEXITSTATUS(status) == 7, "a child of fork(2) ends otherwise");
}

void Copy(const Database& database) {
  const std::string backup = FLAGS_directory + "/backup";
  const std::string restored = FLAGS_directory + "/restored";
  RequireSuccess(ResponseOf([&](dolmen_buffer* buffer) {
                   return dolmen_backup(database.get(), backup.c_str(), buffer);
                 }),
                 "Bytes");
  RequireSuccess(ResponseOf([&](dolmen_buffer* buffer) {
                   return dolmen_restore(backup.c_str(), restored.c_str(), nullptr, buffer);
                 }),
                 "Bytes");
}

}  // namespace

int main(int argc, char** argv) {
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* opened = nullptr;
  Require(rocksdb::DB::Open(options, FLAGS_directory + "/own", &opened).ok(), "the own RocksDB");
  const std::unique_ptr<rocksdb::DB> own(opened);
  for (const auto confine : kConfinements) confine();
  {
    const Database database = Open(FLAGS_directory + "/dolmen");
    Use(database, own.get());
    Fork(database);
    Copy(database);
  }
  const std::string count = "\"Count\":" + std::to_string(kRounds);
  for (const char* name : {"/dolmen", "/restored"}) {
    RequireSuccess(Execute(Open(FLAGS_directory + name), "Scan", kCount), count.c_str());
  }
  UseOwn(own.get(), kRounds);
  return 0;
}
