#include "CTOML.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cstdio>
#include <vector>

struct ctoml_document {
  toml::table root;
  std::vector<ctoml_node> nodes;
};

namespace {

void append(std::vector<ctoml_node> &nodes, std::string_view key, const toml::node &value) {
  const size_t index = nodes.size();
  ctoml_node node{};
  node.kind = CTOML_OTHER;
  node.key = key.data();
  node.key_length = key.size();
  if (const auto *text = value.as_string()) {
    node.kind = CTOML_TEXT;
    node.text = (*text)->data();
    node.text_length = (*text)->size();
  } else if (value.is_number()) {
    node.kind = CTOML_NUMBER;
    node.number = value.value<double>().value_or(static_cast<double>(value.value_or<int64_t>(0)));
  } else if (const auto *flag = value.as_boolean()) {
    node.kind = CTOML_FLAG;
    node.number = **flag ? 1 : 0;
  } else if (value.is_table()) {
    node.kind = CTOML_TABLE;
  } else if (value.is_array()) {
    node.kind = CTOML_ARRAY;
  }
  nodes.push_back(node);
  if (const auto *table = value.as_table())
    for (const auto &[name, inner] : *table) append(nodes, name.str(), inner);
  if (const auto *array = value.as_array())
    for (const auto &inner : *array) append(nodes, {}, inner);
  nodes[index].end = nodes.size();
}

} // namespace

ctoml_document *ctoml_parse(const char *text, size_t length, uint32_t *line, char *reason, size_t capacity) {
  toml::parse_result result = toml::parse(std::string_view(text, length));
  if (!result) {
    *line = result.error().source().begin.line;
    const auto words = result.error().description();
    snprintf(reason, capacity, "%.*s", static_cast<int>(words.size()), words.data());
    return nullptr;
  }
  auto *document = new ctoml_document{std::move(result).table(), {}};
  append(document->nodes, {}, document->root);
  return document;
}

const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count) {
  *count = document->nodes.size();
  return document->nodes.data();
}

void ctoml_free(ctoml_document *document) { delete document; }
