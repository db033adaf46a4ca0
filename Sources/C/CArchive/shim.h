#pragma once

#include <archive.h>
#include <archive_entry.h>

// Formats that libarchive unpacks itself: it runs a program for the others.
static inline void carchive_support(struct archive *reader) {
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_zstd(reader);
  archive_read_support_filter_lz4(reader);
  archive_read_support_format_zip(reader);
  archive_read_support_format_tar(reader);
  archive_read_support_format_raw(reader);
}
