#pragma once

// Later versions offer the interface of 1.10, which Debian 12 has.
#define H5_USE_110_API
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>

// What Swift cannot import of HDF5: macros that read global variables, and macros with casts.

// Types as they lie in the file (little-endian) and in memory.
static inline hid_t chdf5_file_u8(void) { return H5T_STD_U8LE; }
static inline hid_t chdf5_file_u16(void) { return H5T_STD_U16LE; }
static inline hid_t chdf5_file_u32(void) { return H5T_STD_U32LE; }
static inline hid_t chdf5_file_u64(void) { return H5T_STD_U64LE; }
static inline hid_t chdf5_file_i8(void) { return H5T_STD_I8LE; }
static inline hid_t chdf5_file_i16(void) { return H5T_STD_I16LE; }
static inline hid_t chdf5_file_i64(void) { return H5T_STD_I64LE; }
static inline hid_t chdf5_file_f32(void) { return H5T_IEEE_F32LE; }
static inline hid_t chdf5_file_f64(void) { return H5T_IEEE_F64LE; }
static inline hid_t chdf5_native_u8(void) { return H5T_NATIVE_UINT8; }
static inline hid_t chdf5_native_u16(void) { return H5T_NATIVE_UINT16; }
static inline hid_t chdf5_native_u32(void) { return H5T_NATIVE_UINT32; }
static inline hid_t chdf5_native_u64(void) { return H5T_NATIVE_UINT64; }
static inline hid_t chdf5_native_i8(void) { return H5T_NATIVE_INT8; }
static inline hid_t chdf5_native_i16(void) { return H5T_NATIVE_INT16; }
static inline hid_t chdf5_native_i64(void) { return H5T_NATIVE_INT64; }
static inline hid_t chdf5_native_f32(void) { return H5T_NATIVE_FLOAT; }
static inline hid_t chdf5_native_f64(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t chdf5_c_string(void) { return H5T_C_S1; }
static inline hid_t chdf5_reference(void) { return H5T_STD_REF_OBJ; }

// Flags and property list classes.
static inline unsigned chdf5_read_only(void) { return H5F_ACC_RDONLY; }
static inline unsigned chdf5_read_write(void) { return H5F_ACC_RDWR; }
static inline unsigned chdf5_truncate(void) { return H5F_ACC_TRUNC; }
static inline unsigned chdf5_swmr_read(void) { return H5F_ACC_SWMR_READ; }
static inline hsize_t chdf5_unlimited(void) { return H5S_UNLIMITED; }
static inline hid_t chdf5_file_access(void) { return H5P_FILE_ACCESS; }
static inline hid_t chdf5_dataset_access(void) { return H5P_DATASET_ACCESS; }
static inline hid_t chdf5_dataset_create(void) { return H5P_DATASET_CREATE; }
static inline hid_t chdf5_link_create(void) { return H5P_LINK_CREATE; }
static inline hid_t chdf5_object_copy(void) { return H5P_OBJECT_COPY; }
static inline H5Z_filter_t chdf5_shuffle(void) { return H5Z_FILTER_SHUFFLE; }
static inline H5Z_filter_t chdf5_deflate(void) { return H5Z_FILTER_DEFLATE; }

// Links into other files are not followed from now on, whatever opens them: a trace from elsewhere
// must not reach for files of its reader.
static inline void chdf5_refuse_external_links(void) { H5Lunregister(H5L_TYPE_EXTERNAL); }

// Error printing is a setting of the calling thread, so every entry point calls this.
static inline void chdf5_silence(void) { H5Eset_auto2(H5E_DEFAULT, NULL, NULL); }

// The innermost message of the error stack, which says what went wrong; the outer ones say where.
struct chdf5_message {
  char text[512];
};

static inline herr_t chdf5_take_innermost(unsigned n, const H5E_error2_t *error, void *data) {
  struct chdf5_message *message = (struct chdf5_message *)data;
  if (n == 0 && error->desc) snprintf(message->text, sizeof message->text, "%s", error->desc);
  return 0;
}

static inline void chdf5_last_error(struct chdf5_message *message) {
  message->text[0] = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, chdf5_take_innermost, message);
}

// The text as a pointer: Swift sees a C array as a tuple of 512 elements.
static inline const char *chdf5_text(const struct chdf5_message *message) { return message->text; }

// The operating system's error number in a message of HDF5's, or 0.
static inline int chdf5_errno(const struct chdf5_message *message) {
  int number = 0;
  const char *found = strstr(message->text, "errno = ");
  if (found) sscanf(found, "errno = %d", &number);
  return number;
}

// The descriptor under an open file, or -1.
static inline int chdf5_descriptor(hid_t file) {
  void *handle = NULL;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle) return -1;
  return *(int *)handle;
}

// Functions whose names are macros that depend on the version of the interface.

typedef H5L_info_t chdf5_link;

// A link, which is not followed.
static inline herr_t chdf5_link_info(hid_t file, const char *path, chdf5_link *info) {
  return H5Lget_info(file, path, info, H5P_DEFAULT);
}

// The reference to an object, which is its address.
static inline herr_t chdf5_refer(hid_t file, const char *path, haddr_t *address) {
  return H5Rcreate(address, file, path, H5R_OBJECT, -1);
}

// Calls a function with each link of a group, in the order in which they are stored.
static inline herr_t chdf5_each_link(hid_t group, H5L_iterate_t each, void *data) {
  return H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, each, data);
}
