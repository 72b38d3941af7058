package directory;

import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;

/** A user within an organisation, and the groups that the user is in. */
@DynamoDbBean
public class Member extends Person {
  private Set<String> groupNames;

  public Set<String> getGroupNames() {
    return groupNames;
  }

  public void setGroupNames(Set<String> groupNames) {
    this.groupNames = groupNames;
  }
}
