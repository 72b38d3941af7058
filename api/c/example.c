// A to-do list in C99, with the functions of dolmen.h that a program and its tests need: tables,
// items, conditions, errors, a subscription, a fork, and a clock that the program moves.
//
//   make packages LANGUAGES=c
//   cc api/c/example.c -Ibuild/c/include -Lbuild/c/lib -Wl,-rpath,$PWD/build/c/lib -ldolmen_c

#define _POSIX_C_SOURCE 200809L

#include <dolmen.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const create_table =
    "{\"TableName\": \"to-do\", \"BillingMode\": \"PAY_PER_REQUEST\","
    " \"KeySchema\": [{\"AttributeName\": \"list\", \"KeyType\": \"HASH\"},"
    "                 {\"AttributeName\": \"task\", \"KeyType\": \"RANGE\"}],"
    " \"AttributeDefinitions\": [{\"AttributeName\": \"list\", \"AttributeType\": \"S\"},"
    "                            {\"AttributeName\": \"task\", \"AttributeType\": \"S\"}],"
    " \"StreamSpecification\": {\"StreamEnabled\": true, \"StreamViewType\": \"NEW_IMAGE\"}}";
static const char* const forget_done_tasks =
    "{\"TableName\": \"to-do\","
    " \"TimeToLiveSpecification\": {\"Enabled\": true, \"AttributeName\": \"forget_at\"}}";
static const char* const all_tasks =
    "{\"TableName\": \"to-do\", \"KeyConditionExpression\": \"#l = :l\","
    " \"ExpressionAttributeNames\": {\"#l\": \"list\"},"
    " \"ExpressionAttributeValues\": {\":l\": {\"S\": \"home\"}}}";

// Ends the program if a call has not the expected status. Prints the response and frees it.
static void expect(int expected, int status, const char* call, dolmen_buffer* response) {
  printf("%-12s %d %s\n", call, status, response->data);
  if (status != expected) exit(1);
  dolmen_free(response);
}

static void execute(dolmen_database* database, const char* operation, const char* request,
                    int expected) {
  dolmen_buffer response;
  const int status = dolmen_execute(database, operation, request, strlen(request), &response);
  expect(expected, status, operation, &response);
}

// Adds a task. Fails with ConditionalCheckFailedException if the list has the task already.
static void add_task(dolmen_database* database, const char* task, int64_t forget_at, int expected) {
  char request[400];
  snprintf(request, sizeof request,
           "{\"TableName\": \"to-do\","
           " \"Item\": {\"list\": {\"S\": \"home\"}, \"task\": {\"S\": \"%s\"},"
           "            \"forget_at\": {\"N\": \"%" PRId64
           "\"}},"
           " \"ConditionExpression\": \"attribute_not_exists(task)\"}",
           task, forget_at);
  execute(database, "PutItem", request, expected);
}

// The changes that the subscription has delivered.
struct changes {
  pthread_mutex_t mutex;
  pthread_cond_t delivered;
  int count;
};

// Runs on a thread of the library.
static int count_change(void* context, const char* records, size_t size) {
  struct changes* changes = context;
  printf("change       %.*s\n", (int)size, records);
  pthread_mutex_lock(&changes->mutex);
  ++changes->count;
  pthread_cond_signal(&changes->delivered);
  pthread_mutex_unlock(&changes->mutex);
  return 0;  // acknowledged
}

static void wait_for_changes(struct changes* changes, int count) {
  pthread_mutex_lock(&changes->mutex);
  while (changes->count < count) pthread_cond_wait(&changes->delivered, &changes->mutex);
  pthread_mutex_unlock(&changes->mutex);
}

// Returns 1 if the list has the task.
static int is_listed(dolmen_database* database, const char* task) {
  dolmen_buffer response;
  int listed;
  if (dolmen_execute(database, "Query", all_tasks, strlen(all_tasks), &response) != 200) exit(1);
  listed = strstr(response.data, task) != NULL;
  dolmen_free(&response);
  return listed;
}

// Moves the clock past the time at which the task is forgotten.
static void forget(dolmen_database* database) {
  dolmen_buffer response;
  int64_t now;
  if (dolmen_clock(database, &now, NULL) != 200) exit(1);
  expect(200, dolmen_set_clock(database, now + 3600 * 1000, &response), "set_clock", &response);
  expect(200, dolmen_expire(database, &response), "expire", &response);
}

int main(void) {
  static const char* const options =
      "{\"Clock\": \"2026-04-15T10:30:00Z\", \"ExpiryLagSeconds\": 0}";
  static const int64_t soon = 1776249060;  // one minute after the beginning of the clock
  struct changes changes = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
  dolmen_database* database;
  dolmen_database* copy;
  dolmen_subscription* subscription;
  dolmen_buffer response;

  printf("dolmen %s\n", dolmen_version());
  if (dolmen_abi() < DOLMEN_ABI) return 1;  // the library is older than the header
  expect(400, dolmen_open("{\"Directry\": \"x\"}", &database, &response), "open", &response);
  expect(200, dolmen_open(options, &database, &response), "open", &response);
  execute(database, "CreateTable", create_table, 200);
  execute(database, "UpdateTimeToLive", forget_done_tasks, 200);
  expect(200,
         dolmen_subscribe(database, "to-do", "printer", count_change, &changes, &subscription,
                          &response),
         "subscribe", &response);

  add_task(database, "bread", soon, 200);
  add_task(database, "bread", soon, 400);
  wait_for_changes(&changes, 1);
  dolmen_unsubscribe(subscription);

  // A fork has the same tasks. Its changes are its own.
  expect(200, dolmen_fork(database, NULL, &copy, &response), "fork", &response);
  forget(copy);
  if (is_listed(copy, "bread") || !is_listed(database, "bread")) return 1;
  dolmen_close(copy);
  dolmen_close(database);
  return 0;
}
