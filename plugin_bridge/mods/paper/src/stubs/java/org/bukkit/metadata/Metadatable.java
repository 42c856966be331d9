package org.bukkit.metadata;

import java.util.List;

public interface Metadatable {
    List<MetadataValue> getMetadata(String key);

    boolean hasMetadata(String key);
}
