#pragma once

// The words of the command line, the first of which is the program's name.
int carguments_count(void);
const char *carguments_word(int index);
