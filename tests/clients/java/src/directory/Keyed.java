package directory;

import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbAttribute;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSecondarySortKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;

/** What every record of the table has: its key. */
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
