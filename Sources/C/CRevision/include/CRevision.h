#pragma once

// The commit that was built, from RSSI_COMMIT of the manifest; empty where that is not set.
const char *crevision_commit(void);
