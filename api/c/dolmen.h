// Dolmen for C and, through C, for every other language: a database with DynamoDB's operations in
// the process of the program. A request and its response are the JSON that every AWS SDK sends and
// reads.
//
//   dolmen_database* database = NULL;
//   dolmen_buffer response = {NULL, 0};
//   if (dolmen_open("{\"Directory\": \"app.dolmen\"}", &database, &response) != 200) return 1;
//   const char* get = "{\"TableName\": \"app\", \"Key\": {\"PK\": {\"S\": \"USER#1\"}}}";
//   int status = dolmen_execute(database, "GetItem", get, strlen(get), &response);
//   printf("%d %s\n", status, response.data);  // 200 {"Item":{...}}
//   dolmen_free(&response);
//   dolmen_close(database);
//
// Results. A function that returns an int returns an HTTP status, except dolmen_abi:
// - 200: success.
// - 400: the request is wrong, or a condition was false. Nothing was written.
// - 500, and 503 of a simulation: the database failed.
// After an error the response is DynamoDB's JSON. A program reads the name behind the #:
//   {"__type":"com.amazon.coral.validate#ValidationException","message":"..."}
//
// Texts. A `const char*` without a size is UTF-8 that ends with a zero byte. The argument for a
// directory is the bytes of its path in the file system, which need not be UTF-8. The library reads
// its arguments during the call only, and keeps none of them.
//
// Threads. Every function is thread-safe, except that dolmen_close, dolmen_unsubscribe and
// dolmen_free must be the last use of their argument. Several threads may use one database at the
// same time.
//
// A call must return, too. pthread_cancel(3) of a thread in a call ends the process, because the call holds locks that
// no other code can unlock: block it with pthread_setcancelstate(3), or cancel outside of calls. A signal handler must
// neither call the library nor jump out of a call by longjmp(3) or an exception. No acknowledged write is lost.
//
// Processes. Only one process at a time can have a directory open. A child process of fork(2)
// cannot use the library if its parent has opened a database before: each function with a status
// returns 500, and dolmen_close and dolmen_unsubscribe do nothing. If the child calls exit(3), the
// streams of stdio and std::cout are flushed. The functions of atexit(3) and the destructors of C++
// that the parent has registered may be skipped. The parent is not affected. Open databases after the
// fork, or start the child with exec.
//
// Memory. If memory runs out, a call returns 500 or the process ends. After that 500 every call
// returns 500, and the program must end. The files stay sound: the next process finds every
// acknowledged write, and no write in part.
//
// Exit. A program that ends with an open database loses no acknowledged write (option Durability).
//
// Compatibility. The library never changes or removes a function of a release. A new function gets
// a version of its own among the symbols (DOLMEN_1, DOLMEN_2, ...). C99 and C++ can include this
// header.

#ifndef DOLMEN_C_H
#define DOLMEN_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DOLMEN_EXPORT __attribute__((visibility("default")))
#else
#define DOLMEN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The version of the functions in this header.
#define DOLMEN_ABI 2

// Returns DOLMEN_ABI of the library that the program has loaded. If it is less than DOLMEN_ABI of
// the header, the library is older than the header and lacks functions.
DOLMEN_EXPORT int dolmen_abi(void);

// Returns the release of the library, such as "0.2.0". The text lives as long as the library.
DOLMEN_EXPORT const char* dolmen_version(void);

// An open database. dolmen_open, dolmen_open_directory and dolmen_fork create it, and dolmen_close
// frees it.
typedef struct dolmen_database dolmen_database;

// A running subscription. dolmen_subscribe creates it, and dolmen_unsubscribe frees it.
typedef struct dolmen_subscription dolmen_subscription;

// A response. The caller owns the bytes, and frees them by dolmen_free.
// - A function overwrites the buffer without freeing its former bytes.
// - A function sets the buffer after success and after an error. `data` is then never NULL, and
//   data[size] is a zero byte that `size` does not count. A success without a result has size 0.
// - Wherever a function takes a dolmen_buffer*, NULL drops the response.
typedef struct {
  const char* data;
  size_t size;
} dolmen_buffer;

// Frees the bytes of the buffer and sets it to {NULL, 0}. `buffer` may be NULL, and may be {NULL,
// 0}. Any thread may free the buffer, also after dolmen_close.
DOLMEN_EXPORT void dolmen_free(dolmen_buffer* buffer);

// Opens a database. `options` is a JSON object; NULL means {}. All members are optional, and null
// means absent:
// - "Directory": the directory of the database, which is created if it is missing. Absent: the
//   database is in memory, and its data is lost when it is closed. JSON can name a directory only
//   if its path is UTF-8; dolmen_open_directory opens every directory.
// - "CreateIfMissing": false fails if the directory has no database. Default true.
// - "ReadOnly": true opens the directory without changing it, and writes fail. Default false.
// - "Durability": "sync" (default): an acknowledged write survives a power cut. "buffered": it
//   survives a crash of the process; writes are faster.
// - "OnConflict": "wait" (default): a write waits for a running transaction that has locked its
//   item. "fail": the write fails with TransactionConflictException, as in DynamoDB.
// - "EncryptionKey": 64 hexadecimal digits, the key of all files of the database.
// - "CacheBytes", "RowCacheBytes": the sizes of the read cache (default 64 MiB) and of the row
//   cache (default 32 MiB; 0 turns it off).
// - "Clock": "system" (default); "manual", a clock that begins with the system's time and that only
//   dolmen_set_clock moves; or the time with which a manual clock begins, in the years 1970 to 9998:
//   "2026-04-15T10:30:00Z", or since version 2 of DOLMEN_ABI the milliseconds since 1970 UTC.
// - "ExpiryLagSeconds": expired items are deleted after at most this time, 0 to 31536000. Default
//   60. 0: only dolmen_expire deletes them.
// - "Simulate": the simulation that begins with the database, as for dolmen_simulate; {} simulates
//   no failures. Absent: the database has no simulation.
// - "Region", "Account": the region and the account in ARNs. Default "us-east-1", "000000000000".
//
// After success *database is the database, and the response is empty. After an error *database is
// NULL. Errors, in addition to those at the beginning of this page:
// - 400 ValidationException: an option is unknown or wrong; the message names it. The directory
//   holds something other than a database, or no database and CreateIfMissing is false.
// - 400 ResourceInUseException: the database is open already, in this process or in another one.
// - 500 InternalServerError: the files are damaged, cannot be read or written, or are from a newer
//   release.
DOLMEN_EXPORT int dolmen_open(const char* options, dolmen_database** database,
                              dolmen_buffer* response);

// Opens the database in a directory as dolmen_open does, whatever the bytes of the directory's path.
// `directory` NULL: the database is in memory. Since version 2 of DOLMEN_ABI. Errors, in addition to
// those of dolmen_open:
// - 400 ValidationException: the path is empty, or the options have "Directory".
DOLMEN_EXPORT int dolmen_open_directory(const char* directory, const char* options,
                                        dolmen_database** database, dolmen_buffer* response);

// Closes the database and brings its writes to the disk. NULL is allowed. A subscription keeps the
// files open until dolmen_unsubscribe. If its handler uses `database`, end the subscription first.
DOLMEN_EXPORT void dolmen_close(dolmen_database* database);

// Creates an independent database with the same contents, options and time: in memory if
// `directory` is NULL, otherwise in a directory that is absent or empty. The cost does not depend
// on the number of items if both databases are in memory, or both are on one volume. The two can be
// closed in any order. After an error *fork is NULL.
// - 400 ValidationException: the directory is in use or not empty, or the database is ReadOnly.
DOLMEN_EXPORT int dolmen_fork(dolmen_database* database, const char* directory,
                              dolmen_database** fork, dolmen_buffer* response);

// Brings a database in memory back to its beginning: to the state in which dolmen_fork created it,
// otherwise to no tables. The clock stays as it is. A call of another thread sees the state before
// or after the reset. Subscriptions end, but must still be freed.
// - 400 ValidationException: the database is on disk.
DOLMEN_EXPORT int dolmen_reset(dolmen_database* database, dolmen_buffer* response);

// Executes an operation of DynamoDB or of DynamoDB Streams, such as "PutItem" or "GetRecords".
// `request` is the JSON of the request, `size` bytes; NULL is allowed if size is 0. The response is
// the operation's JSON, the same bytes that `dolmen serve` sends. Any bytes are safe to pass.
// - 400: the exception that DynamoDB reports; UnknownOperationException for an unknown operation;
//   SerializationException if the request is not JSON.
DOLMEN_EXPORT int dolmen_execute(dolmen_database* database, const char* operation,
                                 const char* request, size_t size, dolmen_buffer* response);

// Creates the tables of a seed and stores their items. The seed is {"Tables": [...]}: each table is
// a request of CreateTable, with "Items" and "TimeToLiveSpecification" in addition. A data model of
// NoSQL Workbench is a seed, too. After an error the database has none of the tables.
// - 400 ValidationException: the text is no seed, or a table or an item is wrong.
// - 400 ResourceInUseException: a table exists already.
DOLMEN_EXPORT int dolmen_load_seed(dolmen_database* database, const char* json, size_t size,
                                   dolmen_buffer* response);

// Deletes the expired items of all tables by the database's clock. The response is {"ExpiredItems":
// n}.
DOLMEN_EXPORT int dolmen_expire(dolmen_database* database, dolmen_buffer* response);

// Waits until the indexes of all tables are built.
// - 400 ValidationException: an index is not built, and the database is ReadOnly.
DOLMEN_EXPORT int dolmen_wait(dolmen_database* database, dolmen_buffer* response);

// Sets *milliseconds to the time of the database's clock, in milliseconds since 1970 UTC.
DOLMEN_EXPORT int dolmen_clock(dolmen_database* database, int64_t* milliseconds,
                               dolmen_buffer* response);

// Moves a manual clock, forward or back. Nothing is deleted until dolmen_expire or the next sweep.
// - 400 ValidationException: the database was opened with another clock, or the time is not in the
//   years 1970 to 9998.
DOLMEN_EXPORT int dolmen_set_clock(dolmen_database* database, int64_t milliseconds,
                                   dolmen_buffer* response);

// Copies the database into `directory` while all operations continue. The directory is absent or
// empty, or holds an earlier backup of this database; then only new files are copied. After an
// error the earlier backup stays. The response is {"Bytes": n, "CopiedBytes": n}.
// - 400 ValidationException: the directory holds something else, or is in the database's directory.
DOLMEN_EXPORT int dolmen_backup(dolmen_database* database, const char* directory,
                                dolmen_buffer* response);

// Copies a backup into `directory`, which is absent or empty and becomes a database.
// `encryption_key` is the option EncryptionKey of the database, or NULL. The response is that of
// dolmen_backup.
// - 400 ValidationException: there is no complete backup, the directory is not empty, or the key is
//   wrong.
DOLMEN_EXPORT int dolmen_restore(const char* backup, const char* directory,
                                 const char* encryption_key, dolmen_buffer* response);

// Replaces the simulation of failures, and clears its trace. `json` is a JSON object with the
// members of SimulateOptions (dolmen/testing/simulation_json.h); size 0 means {}: no failures from
// now on. The same "Seed" and the same calls give the same failures. Whatever was acknowledged is
// stored.
//   {"Seed": 7, "Rules": [{"Operation": "PutItem", "Fault": "Throttling", "Chance": 0.2}]}
// - 400 ValidationException: a member is unknown or wrong, or the database was opened without
//   "Simulate".
DOLMEN_EXPORT int dolmen_simulate(dolmen_database* database, const char* json, size_t size,
                                  dolmen_buffer* response);

// Lists the failures since the simulation began. The response is {"Trace": ["line", ...]}, whose
// lines the member "Replay" of a simulation repeats.
// - 400 ValidationException: the database was opened without "Simulate".
DOLMEN_EXPORT int dolmen_trace(dolmen_database* database, dolmen_buffer* response);

// A function that takes changes of a table. `records` is a JSON array of one or more records, in
// the form of "Records" in the response of GetRecords. The bytes live during the call. The function
// returns 0 once it has handled all of them. After any other result it gets them again, a second
// later. It must return: it must not throw a C++ exception, call longjmp(3) out of itself or pthread_exit(3).
//
// The library calls the function on a thread of its own, for one subscription never two calls at a
// time. The function may use the database, but must not end its own subscription.
typedef int (*dolmen_handler)(void* context, const char* records, size_t size);

// Begins or resumes a subscription to a table with a stream. Passes each change to the handler,
// soon after its commit, in order and at least once. The database stores the position under `name`,
// 1 to 255 bytes. A new name begins with the oldest record that the stream retains; a later
// subscription of the same name resumes behind the last acknowledged record. `context` is passed to
// the handler, and must live until dolmen_unsubscribe returns. After an error *subscription is
// NULL.
// - 400 ValidationException: the table has no stream, the name is wrong, or the database is
//   ReadOnly.
// - 400 ResourceInUseException: a running subscription of the table has this name.
// - 400 ResourceNotFoundException: the table does not exist.
DOLMEN_EXPORT int dolmen_subscribe(dolmen_database* database, const char* table, const char* name,
                                   dolmen_handler handler, void* context,
                                   dolmen_subscription** subscription, dolmen_buffer* response);

// Ends the subscription, waits for its handler, and frees it. The database keeps the position. NULL
// is allowed.
DOLMEN_EXPORT void dolmen_unsubscribe(dolmen_subscription* subscription);

#ifdef __cplusplus
}
#endif

#endif
