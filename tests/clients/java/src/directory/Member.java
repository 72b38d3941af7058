package directory;

import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;

/** A user as a member of an organisation, with the user's groups. */
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
