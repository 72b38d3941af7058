package dolmen;

import java.util.Map;

/**
 * The result of a backup or a restore.
 *
 * @param bytes the size of the backup or of the restored database
 * @param copiedBytes the size of the files that were copied
 */
public record Copied(long bytes, long copiedBytes) {
  static Copied of(byte[] response) {
    Map<String, Object> members = Json.readObject(response);
    return new Copied((Long) members.get("Bytes"), (Long) members.get("CopiedBytes"));
  }
}
