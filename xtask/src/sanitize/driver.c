// Parses the files named on the command line, with the same bounds as locant. It is built with sanitizers.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <tree_sitter/api.h>

typedef struct {
  size_t allocated, read, progress, walked;
} LocantBounds;

TSTree *locant_parse(const TSLanguage *, const TSTree *, const char *, uint32_t, bool, LocantBounds, bool (*)(void));

static bool is_stopped(void) {
  return false;
}

const TSLanguage *LANGUAGE(void);

// The text is in a heap block of exactly its length, so that the sanitizer notices any read beyond its end.
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*length + 1);
  *length = fread(text, 1, *length, file);
  fclose(file);
  return realloc(text, *length ? *length : 1);
}

int main(int n_arguments, char **arguments) {
  int n_trees = 0;
  for (int at = 1; at < n_arguments; at++) {
    size_t length = 0;
    char *text = read_file(arguments[at], &length);
    if (!text) return 2;
    fprintf(stderr, "%s\n", arguments[at]);
    LocantBounds bounds = {(16u << 20) + 500 * length, (4u << 20) + 32 * length, (65536 + 64 * length) / 100,
                           (2u << 20) + 40 * length};
    TSTree *tree = locant_parse(LANGUAGE(), NULL, text, (uint32_t)length, NARROW, bounds, is_stopped);
    if (tree) {
      n_trees++;
      ts_tree_delete(tree);
    }
    free(text);
  }
  printf("%d texts, %d trees\n", n_arguments - 1, n_trees);
  return 0;
}
