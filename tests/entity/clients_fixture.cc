#include "tests/entity/clients_fixture.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <utility>

#include "command/item_lines.h"
#include "tests/support/source_directory.h"

namespace dolmen::clients {
namespace {

using Lines = std::multiset<std::string>;

std::string PathOf(const std::string& file) {
  return test::SourceFile("/tests/entity/items/" + file + ".jsonl");
}

Lines ReadLines(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  Lines lines;
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

Lines LinesOf(const EntityTable& table) {
  Lines lines;
  for (const ItemView item : test::Value(table.table().Scan({}))) {
    std::string line;
    command::AppendItemLine(item, &line);
    line.pop_back();  // the line end
    lines.insert(std::move(line));
  }
  return lines;
}

}  // namespace

EntityTable ClientsTest::Load(const std::string& client, const KeyNames& key,
                              const std::string& index, const KeyNames& index_key) {
  client_ = client;
  CreateTableInput input;
  input.name = "recorded";
  input.partition_key = {key.partition};
  input.sort_key = KeyAttribute{key.sort};
  input.global_secondary_indexes = {
      {.name = index, .partition_key = {{index_key.partition}}, .sort_key = {{index_key.sort}}}};
  EntityTable table(database_, test::Value(database_.CreateTable(input)));
  command::ItemLineParser parser;
  for (const std::string& line : ReadLines(PathOf(client)))
    test::Value(table.table().PutItem({.item = test::Value(parser.Parse(line))}));
  return table;
}

void ClientsTest::ExpectUpdated(const EntityTable& table) const {
  const Lines stored = LinesOf(table);
  const std::string path = PathOf(client_ + "_updated");
  if (std::getenv("DOLMEN_RECORD") != nullptr) {
    std::ofstream file(path);
    for (const std::string& line : stored) file << line << '\n';
  }
  EXPECT_EQ(stored, ReadLines(path)) << path;
}

}  // namespace dolmen::clients
