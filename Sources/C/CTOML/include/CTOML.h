#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ctoml_kind { CTOML_TABLE, CTOML_ARRAY, CTOML_TEXT, CTOML_NUMBER, CTOML_FLAG, CTOML_OTHER };

// A value of a document; those within a table or an array follow it.
struct ctoml_node {
  enum ctoml_kind kind;
  // Of a flag 1 or 0.
  double number;
  // The key of a table's value, and a text: not terminated, valid as long as the document.
  const char *key, *text;
  size_t key_length, text_length;
  // The index after the last value within this one.
  size_t end;
};

struct ctoml_document;

// Reads a text of TOML 1.0 (toml++). Returns NULL where it is invalid, with the line from 1 and the reason.
struct ctoml_document *ctoml_parse(const char *text, size_t length, uint32_t *line, char *reason, size_t capacity);
// The values of a document, its root table first.
const struct ctoml_node *ctoml_nodes(const struct ctoml_document *document, size_t *count);
void ctoml_free(struct ctoml_document *document);

#ifdef __cplusplus
}
#endif
