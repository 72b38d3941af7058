package bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Reads by sqlite-jdbc, with a column for each attribute. */
final class SqliteWay implements Way {
  private final List<String> columns;
  private final Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
  private final PreparedStatement get;
  private final PreparedStatement query;

  SqliteWay(List<Map<String, Object>> messages) throws SQLException {
    columns = List.copyOf(messages.get(0).keySet());
    String names = String.join(", ", columns);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE chat (" + names + ", PRIMARY KEY (PK, SK)) WITHOUT ROWID");
    }
    String places = String.join(", ", Collections.nCopies(columns.size(), "?"));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO chat VALUES (" + places + ")")) {
      for (Map<String, Object> message : messages) {
        Map<String, Object> row = Way.plain(message);
        execute(insert, columns.stream().map(row::get).toArray());
      }
    }
    get = connection.prepareStatement("SELECT * FROM chat WHERE PK = ? AND SK = ?");
    query =
        connection.prepareStatement(
            "SELECT * FROM chat WHERE PK = ? AND SK BETWEEN ? AND ? ORDER BY SK DESC LIMIT 50");
  }

  private static boolean execute(PreparedStatement statement, Object... parameters)
      throws SQLException {
    for (int number = 0; number < parameters.length; ++number) {
      statement.setObject(number + 1, parameters[number]);
    }
    return statement.execute();
  }

  @Override
  public Callable<Object> prepare(Read read) {
    if (read.operation().equals("GetItem")) {
      Map<String, Object> key = Way.plain(read.request().get("Key"));
      return () -> rows(get, key.get("PK"), key.get("SK"));
    }
    Map<String, Object> values = Way.plain(read.request().get("ExpressionAttributeValues"));
    Object prefix = values.get(":prefix");
    return () -> rows(query, values.get(":pk"), prefix, prefix + "\uDBFF\uDFFF");
  }

  private List<Object[]> rows(PreparedStatement statement, Object... parameters)
      throws SQLException {
    execute(statement, parameters);
    List<Object[]> rows = new ArrayList<>();
    try (ResultSet found = statement.getResultSet()) {
      while (found.next()) {
        Object[] row = new Object[columns.size()];
        for (int number = 0; number < row.length; ++number) {
          row[number] = found.getObject(number + 1);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  @Override
  public List<Map<String, Object>> items(Object found) {
    List<Map<String, Object>> items = new ArrayList<>();
    for (Object row : (List<?>) found) {
      Map<String, Object> item = new HashMap<>();
      for (int number = 0; number < columns.size(); ++number) {
        Object value = ((Object[]) row)[number];
        item.put(columns.get(number), value instanceof Number n ? n.intValue() != 0 : value);
      }
      items.add(Way.typed(item));
    }
    return items;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
