// Calls the C interface many times and fails if the resident memory grows. Usage: loop CALLS

#define _POSIX_C_SOURCE 200809L

#include <dolmen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The memory that a process may take while its caches and its heap find their final size.
#define GROWTH_MAX_BYTES (8L << 20)

static void fail(const char* what, const char* response) {
  fprintf(stderr, "%s: %s\n", what, response);
  exit(1);
}

static void execute(dolmen_database* database, const char* operation, const char* request,
                    int expected) {
  dolmen_buffer response;
  if (dolmen_execute(database, operation, request, strlen(request), &response) != expected)
    fail(operation, response.data);
  dolmen_free(&response);
}

static long resident_bytes(void) {
  long pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1) fail("/proc/self/statm", "unreadable");
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fill(dolmen_database* database) {
  int item;
  execute(database, "CreateTable",
          "{\"TableName\": \"app\", \"BillingMode\": \"PAY_PER_REQUEST\","
          "\"KeySchema\": [{\"AttributeName\": \"PK\", \"KeyType\": \"HASH\"},"
          "{\"AttributeName\": \"SK\", \"KeyType\": \"RANGE\"}],"
          "\"AttributeDefinitions\": [{\"AttributeName\": \"PK\", \"AttributeType\": \"S\"},"
          "{\"AttributeName\": \"SK\", \"AttributeType\": \"N\"}]}",
          200);
  for (item = 0; item < 100; ++item) {
    char request[200];
    snprintf(request, sizeof request,
             "{\"TableName\": \"app\", \"Item\": {\"PK\": {\"S\": \"a\"}, \"SK\": {\"N\": \"%d\"},"
             "\"body\": {\"S\": \"%0100d\"}}}",
             item, item);
    execute(database, "PutItem", request, 200);
  }
}

// Makes one call of each kind in turn.
static void call(dolmen_database* database, long number) {
  static const char* const get =
      "{\"TableName\": \"app\", \"Key\": {\"PK\": {\"S\": \"a\"}, \"SK\": {\"N\": \"7\"}}}";
  static const char* const newest =
      "{\"TableName\": \"app\", \"KeyConditionExpression\": \"PK = :p\", \"Limit\": 50,"
      "\"ScanIndexForward\": false, \"ExpressionAttributeValues\": {\":p\": {\"S\": \"a\"}}}";
  static const char* const refused =
      "{\"TableName\": \"app\", \"Item\": {\"PK\": {\"S\": \"a\"}, \"SK\": {\"N\": \"7\"}},"
      "\"ConditionExpression\": \"attribute_not_exists(PK)\"}";
  switch (number % 4) {
    case 0:
      execute(database, "GetItem", get, 200);
      break;
    case 1:
      execute(database, "Query", newest, 200);
      break;
    case 2:
      execute(database, "PutItem", refused, 400);
      break;
    default:
      execute(database, "Nothing", "{", 400);
      break;
  }
  if (number % 1000 == 0) {
    dolmen_database* copy;
    if (dolmen_fork(database, NULL, &copy, NULL) != 200) fail("dolmen_fork", "failed");
    execute(copy, "DeleteTable", "{\"TableName\": \"app\"}", 200);
    if (dolmen_reset(copy, NULL) != 200) fail("dolmen_reset", "failed");
    execute(copy, "GetItem", get, 200);
    dolmen_close(copy);
  }
}

int main(int argc, char** argv) {
  const long calls = argc > 1 ? atol(argv[1]) : 20000;
  const long warm_up = 5000;
  dolmen_database* database;
  dolmen_buffer response;
  long number;
  long before;
  long growth;
  double start;
  // Forks share the read cache, which grows up to its size.
  if (dolmen_open("{\"CacheBytes\": 1000000}", &database, &response) != 200)
    fail("dolmen_open", response.data);
  dolmen_free(&response);
  fill(database);
  for (number = 0; number < warm_up; ++number) call(database, number);
  before = resident_bytes();
  start = seconds();
  for (number = 0; number < calls; ++number) call(database, number);
  growth = resident_bytes() - before;
  printf("%ld calls, %.1f us each, resident memory %ld kB, growth %ld kB\n", calls,
         1e6 * (seconds() - start) / (double)calls, before / 1024, growth / 1024);
  dolmen_close(database);
  return growth <= GROWTH_MAX_BYTES ? 0 : 1;
}
