#include "CArguments.h"

static int count;
static char **words;

// glibc calls constructors with the arguments of main.
__attribute__((constructor)) static void keep(int argc, char **argv) {
  count = argc;
  words = argv;
}

int carguments_count(void) { return count; }
const char *carguments_word(int index) { return words[index]; }
