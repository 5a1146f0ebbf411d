#ifndef CNCURSES_ENTRY_H
#define CNCURSES_ENTRY_H

#include <stdbool.h>

/// What terminfo says of a terminal's colours.
typedef struct {
    int colors;
    bool has_direct;
} cne_described;

/// Reads what terminfo knows of the terminal that was set up, and writes its description anew with 24-bit colours.
///
/// In the description that is written, the numbers of colours below 256 are those of the palette, and all others are red, green
/// and blue: so that how many colours are used can be decided, and changed, while the program runs.
///
/// @return `hex:` and the compiled description as TERMINFO takes it, to be freed; null where the
/// terminal does not choose colours as ISO 6429 has it.
char *cne_with_direct_colors(const char *term, cne_described *described);

#endif
