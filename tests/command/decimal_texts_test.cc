// A test that decimal texts pass through every entrance digit for digit, or are refused by name.

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

#include "command/item_lines.h"
#include "dolmen/design/workbench.h"
#include "dolmen/testing/seed.h"
#include "tests/command/served_database.h"
#include "tests/support/items.h"

namespace dolmen::test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kNumbersInAnItem = 50;

// A decimal as its sign, its digits without zeros at both ends, and the power of ten of its last digit.
// The test's own reading of a text, by other means than Number.
struct Digits {
  bool negative = false;
  std::string digits = {};
  std::int64_t power = 0;
  bool is_far_zero = false;  // 0e126, which DynamoDB refuses

  friend bool operator==(const Digits&, const Digits&) = default;

  static Digits Of(std::string text) {
    Digits read{.negative = text.starts_with('-')};
    if (read.negative) text.erase(0, 1);
    if (const std::size_t e = text.find_first_of("eE"); e != text.npos) {
      read.power = std::stoll(text.substr(e + 1));
      text.erase(e);
    }
    if (const std::size_t point = text.find('.'); point != text.npos) {
      read.power -= static_cast<std::int64_t>(text.size() - point - 1);
      text.erase(point, 1);
    }
    text.erase(0, std::min(text.find_first_not_of('0'), text.size()));
    while (text.ends_with('0')) {
      text.pop_back();
      ++read.power;
    }
    if (text.empty()) return {.is_far_zero = read.power < -130 || read.power > 125};
    read.digits = text;
    return read;
  }

  // Returns true for a number of DynamoDB: 38 digits, from 1E-130 to 9.9E+125.
  bool Fits() const {
    const std::int64_t magnitude = power + static_cast<std::int64_t>(digits.size()) - 1;
    return digits.empty() ? !is_far_zero
                          : (digits.size() <= 38 && magnitude >= -130 && magnitude <= 125);
  }
};

class DecimalTextsTest : public ServedCommandTest {
 protected:
  void SetUp() override {
    ServedCommandTest::SetUp();
    if (IsSkipped()) return;
    for (std::size_t i = 0; i < TestSteps(100'000); ++i) {
      const std::string text = RandomText();
      (Digits::Of(text).Fits() ? good_ : bad_).push_back(text);
    }
  }

  std::string RandomDigits(std::size_t max) {
    std::string digits;
    const std::size_t size = 1 + random_.Below(max);
    while (digits.size() < size) {
      const auto digit = static_cast<char>('0' + random_.Below(10));
      digits.append(random_.OneIn(8) ? random_.Below(12) : 1, digit);
    }
    return digits.substr(0, size);
  }

  // Returns a number in the grammar of JSON. Most are near a limit of a double, of 64 bits, or of Number.
  std::string RandomText() {
    std::string text = random_.OneIn(3) ? "-" : "";
    const std::size_t max = std::vector<std::size_t>{3, 17, 20, 38, 42}[random_.Below(5)];
    std::string whole = random_.OneIn(3) ? "0" : RandomDigits(max);
    whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
    text += whole;
    if (random_.OneIn(2)) text += "." + RandomDigits(random_.OneIn(2) ? 5 : max);
    if (random_.OneIn(4)) {
      text += random_.OneIn(2) ? "e" : "E";
      text += std::vector<std::string>{"", "+", "-"}[random_.Below(3)];
      text += std::to_string(random_.Below(random_.OneIn(3) ? 140 : 20));
    }
    return text;
  }

  // Returns items, each with the members that `member` makes of up to 50 numbers that fit: `before` PK and SK
  // `between` ... `after`.
  template <typename Write>
  std::string Written(const Write& write) const {
    std::string all;
    for (std::size_t i = 0; i < good_.size(); i += kNumbersInAnItem) {
      const std::size_t end = std::min(good_.size(), i + kNumbersInAnItem);
      all += write(std::to_string(1'000'000 + i),
                   std::vector<std::string>(good_.begin() + static_cast<std::ptrdiff_t>(i),
                                            good_.begin() + static_cast<std::ptrdiff_t>(end)));
    }
    return all;
  }

  // Returns {"PK":"a","SK":...,"n0":1.5,...} with types or without.
  static std::string ItemJson(const std::string& sort, const std::vector<std::string>& numbers,
                              bool typed) {
    std::string json = typed ? R"({"PK":{"S":"a"},"SK":{"S":")" + sort + R"("})"
                             : R"({"PK":"a","SK":")" + sort + R"(")";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      json += ",\"n" + std::to_string(i) + "\":";
      json += typed ? R"({"N":")" + numbers[i] + R"("})" : numbers[i];
    }
    return json + "}";
  }

  // Checks that the items have the numbers that fit.
  void ExpectGood(const std::vector<Item>& items, const char* entrance) const {
    std::size_t number = 0;
    for (const Item& item : items) {
      for (std::size_t i = 0; i < item.size() - 2; ++i, ++number) {
        const Number* const stored = item.at("n" + std::to_string(i)).get_if<Number>();
        ASSERT_NE(stored, nullptr) << entrance;
        ASSERT_EQ(Digits::Of(stored->ToString()), Digits::Of(good_[number]))
            << entrance << ": " << good_[number] << " is " << stored->ToString();
      }
    }
    EXPECT_EQ(number, good_.size()) << entrance;
  }

  static std::vector<Item> ItemsIn(const Database& database) {
    std::vector<Item> items;
    ItemRange range = Value(database.OpenTable("app")).ScanAll({});
    for (const ItemView item : range) items.push_back(Value(item.Copy()));
    return items;
  }

  void ExpectImported(const std::string& file) const {
    const std::string path = File(file + ".dolmen");
    const CommandOutput output =
        RunDolmen({"import", "--path", path, "--table", "app", "--create-table", "--partition-key",
                   "PK:S", "--sort-key", "SK:S", File(file)});
    ASSERT_EQ(output.exit_code, 0) << output.err;
    ExpectGood(ItemsOf(path, "app"), file.c_str());
  }

  std::vector<std::string> good_;  // numbers of DynamoDB
  std::vector<std::string> bad_;   // other numbers of JSON
};

TEST_F(DecimalTextsTest, AnImportOfEachKindKeepsEachDigit) {
  const auto lines = [&](bool typed, const std::string& between) {
    std::string text = Written([&](const std::string& sort, const auto& numbers) {
      return ItemJson(sort, numbers, typed) + between;
    });
    return text.substr(0, text.size() - between.size());
  };
  Write("typed.json", lines(true, "\n"));
  Write("untyped.json", lines(false, "\n"));
  Write("list.json", "[" + lines(false, ",\n") + "]");
  Write("page.json", "{\n\"Count\": 1,\n\"Items\": [" + lines(false, ",") + "]}");
  const auto csv = [](const std::string& sort, std::vector<std::string> numbers) {
    numbers.resize(kNumbersInAnItem);
    std::string row = "a," + sort;
    for (const std::string& number : numbers) row += "," + number;
    return row + "\n";
  };
  std::string header = "PK,SK";
  for (std::size_t i = 0; i < kNumbersInAnItem; ++i) header += ",n" + std::to_string(i) + ":N";
  Write("rows.csv", header + "\n" + Written(csv));
  for (const char* file : {"typed.json", "untyped.json", "list.json", "page.json", "rows.csv"}) {
    ExpectImported(file);
  }
}

TEST_F(DecimalTextsTest, AnImportRefusesOtherNumbersByName) {
  command::ItemLineParser parser;
  for (const std::string& text : bad_) {
    for (const std::string& line : {R"({"PK":"a","m":{"l":[1,)" + text + "]}}",
                                    R"({"PK":{"S":"a"},"n":{"N":")" + text + R"("}})"}) {
      const Status refused = parser.Parse(line).status();
      ASSERT_EQ(refused.code(), StatusCode::kValidation) << line;
      ASSERT_THAT(refused.message(), HasSubstr(text));
      ASSERT_TRUE(refused.message().starts_with("m.l[1]: ") || refused.message().starts_with("n: "))
          << refused.message();
    }
  }
}

TEST_F(DecimalTextsTest, SeedsAndModelsKeepEachDigitOrRefuseANumberByName) {
  const auto items = [&](bool typed) {
    std::string text = Written([&](const std::string& sort, const auto& numbers) {
      return "," + ItemJson(sort, numbers, typed);
    });
    return text.substr(1);
  };
  const std::string table =
      R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","KeySchema":[)"
      R"({"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},)"
      R"({"AttributeName":"SK","AttributeType":"S"}],"Items":[)";
  const Database seeded = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  ASSERT_THAT(LoadSeed(seeded, R"({"Tables":[)" + table + items(true) + "]}]}"), IsOk());
  ExpectGood(ItemsIn(seeded), "seed");

  const std::string model =
      R"({"DataModel":[{"TableName":"app","KeyAttributes":{"PartitionKey":{"AttributeName":"PK",)"
      R"("AttributeType":"S"},"SortKey":{"AttributeName":"SK","AttributeType":"S"}},"TableData":[)";
  const std::string plain =
      Written([&](const std::string& sort, const std::vector<std::string>& numbers) {
        return R"(,{"PK":{"S":"a"},"SK":{"S":")" + sort + R"("},"m":{"M":)" +
               ItemJson(sort, numbers, false) + "}}";
      }).substr(1);
  const Database modelled = Value(Database::InMemory({.expiry_lag = std::nullopt}));
  ASSERT_THAT(LoadDataModel(modelled, model + plain + "]}]}"), IsOk());
  std::vector<Item> maps;
  for (const Item& item : ItemsIn(modelled)) maps.push_back(*item.at("m").get_if<Map>());
  ExpectGood(maps, "import-model");

  for (std::size_t i = 0; i < std::min<std::size_t>(bad_.size(), 500); ++i) {
    const std::string keys = R"({"PK":{"S":"a"},"SK":{"S":"1"},"n":{)";
    EXPECT_THAT(
        LoadSeed(seeded, R"({"Tables":[)" + table + keys + R"("N":")" + bad_[i] + R"("}}]}]})"),
        StatusIs(StatusCode::kValidation, HasSubstr(bad_[i])));
    EXPECT_THAT(LoadDataModel(modelled, model + keys + R"("M":{"x":)" + bad_[i] + "}}}]}]}"),
                StatusIs(StatusCode::kValidation, HasSubstr(bad_[i])));
  }
}

TEST_F(DecimalTextsTest, TheShellKeepsEachDigit) {
  MakeDatabase();
  const std::string statements =
      Written([](const std::string& sort, const std::vector<std::string>& numbers) {
        std::string text = "INSERT INTO app VALUE {'PK': 'a', 'SK': '" + sort + "'";
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          text += ", 'n" + std::to_string(i) + "': " + numbers[i];
        }
        return text + "};\n";
      });
  const CommandOutput output = RunDolmen({"shell", "--path", path_}, Write("input", statements));
  ASSERT_EQ(output.exit_code, 0) << output.err;
  ExpectGood(Items(), "shell");
}

// The items pass over HTTP by BatchWriteItem and Scan, and through an export.
TEST_F(DecimalTextsTest, CopiesInBothDirectionsKeepEachDigit) {
  MakeDatabase();
  Write("items.json", Written([](const std::string& sort, const auto& numbers) {
          return ItemJson(sort, numbers, true) + "\n";
        }));
  ASSERT_EQ(OnTable("import", {File("items.json")}).exit_code, 0);
  const auto copy = [&](const std::string& from, const std::string& to, const char* table) {
    const CommandOutput output =
        RunDolmen({"copy", from, to, "--table", "app", "--to-table", table});
    ASSERT_EQ(output.exit_code, 0) << output.err;
  };
  copy(path_, served_.url(), "app");
  ExpectGood(ItemsIn(served_.database), "copy to a service");
  copy(served_.url(), File("back.dolmen"), "app");
  ExpectGood(ItemsOf(File("back.dolmen"), "app"), "copy from a service");
  copy(served_.url(), File("export/"), "app");
  copy(File("export/"), File("again.dolmen"), "app");
  ExpectGood(ItemsOf(File("again.dolmen"), "app"), "copy from an export");
}

TEST_F(DecimalTextsTest, RequestsKeepEachDigitOrRefuseTheNumber) {
  MakeServedTable();
  const Endpoint endpoint(served_.database);
  Written([&](const std::string& sort, const auto& numbers) {
    const EndpointResponse put = endpoint.Execute(
        "PutItem", R"({"TableName":"app","Item":)" + ItemJson(sort, numbers, true) + "}");
    EXPECT_EQ(put.status, 200) << put.body;
    return "";
  });
  ExpectGood(ItemsIn(served_.database), "PutItem");
  for (const std::string& text : bad_) {
    const EndpointResponse put = endpoint.Execute(
        "PutItem", R"({"TableName":"app","Item":)" + ItemJson("bad", {text}, true) + "}");
    ASSERT_EQ(put.status, 400) << text;
    ASSERT_THAT(put.body, HasSubstr("ValidationException"));
  }
}

}  // namespace
}  // namespace dolmen::test
