#include "CRevision.h"

#ifndef RSSI_COMMIT
#define RSSI_COMMIT
#endif
#define TEXT(token) #token
#define VALUE(macro) TEXT(macro)

const char *crevision_commit(void) { return VALUE(RSSI_COMMIT); }
