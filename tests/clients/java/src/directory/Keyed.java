package directory;

import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** The base of every record of the table, with the record's key. */
public abstract class Keyed {
  private String partition;
  private String sort;

  @DynamoDbPartitionKey
  @DynamoDbSecondarySortKey(indexNames = Directory.BY_EMAIL)
  @DynamoDbAttribute("PK")
  public String getPartition() {
    return partition;
  }

  public void setPartition(String partition) {
    this.partition = partition;
  }

  @DynamoDbSortKey
  @DynamoDbAttribute("SK")
  public String getSort() {
    return sort;
  }

  public void setSort(String sort) {
    this.sort = sort;
  }
}
