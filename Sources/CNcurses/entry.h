#ifndef CNCURSES_ENTRY_H
#define CNCURSES_ENTRY_H

#include <stdbool.h>

/// The colours of a terminal according to terminfo.
typedef struct {
    int colors;
    bool has_direct;
    /// Whether blinking text is struck through in the modified entry.
    bool strikes;
} cne_described;

/// Reads the terminfo entry of the current terminal and returns a modified entry with 24-bit colours.
///
/// In the modified entry, colours below 256 are those of the palette, and all others are red, green and blue. So the number
/// of colours in use can change while the program runs.
///
/// @return `hex:` and the compiled entry for TERMINFO, to be freed by the caller, or null if the terminal doesn't select
/// colours as in ISO 6429.
char *cne_with_direct_colors(const char *term, cne_described *described);

#endif
