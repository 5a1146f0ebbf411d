// ncursesw behind plain structs and functions.
//
// <curses.h> is included in the .c file only: its macros, variadic functions and global variables cannot be used from
// Swift, and its wide-character functions depend on feature macros that a module map cannot set.

#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CNC_BOLD = 1,
    CNC_DIM = 2,
    CNC_ITALIC = 4,
    CNC_UNDERLINE = 8,
    CNC_REVERSE = 16,
};

/// One cell to show. A width of 0 is the second half of a wide character and is skipped.
typedef struct {
    uint32_t scalar;
    int32_t pair;
    uint16_t attributes;
    uint16_t width;
} cnc_cell;

/// What cnc_wait found, as a bit set.
enum {
    CNC_WAKE_INPUT = 1,
    CNC_WAKE_SIGNAL = 2,
    CNC_WAKE_MAIN_QUEUE = 4,
    CNC_WAKE_HANGUP = 8,
    /// The terminal has taken all that waited for it.
    CNC_WAKE_OUTPUT = 16,
};

/// Starts the terminal on the two file descriptors as terminal type `term`. Returns 0, or -1 when the type is unknown
/// or cannot move the cursor.
int cnc_start(const char *term, int output, int input);
/// Gives the terminal back as it was found. Does nothing when it is not started.
void cnc_stop(void);
/// Leaves the screen, stops the process group as Ctrl-Z does, and enters the screen again once continued.
void cnc_suspend(void);
/// Leaves the screen to another program of the same terminal.
void cnc_leave(void);
/// Enters the screen again after cnc_leave.
void cnc_return(void);
/// Enters the screen again after the process was stopped without being asked (SIGSTOP) and continued.
void cnc_continue(void);
/// Puts a terminal right that a killed program has left: its modes, and those of the line.
void cnc_reset_terminal(int fd);
/// Called, on a thread of its own, when the program is ended because its loop did not hear of a signal for seconds.
void cnc_on_forced_exit(void (*callback)(void));
/// Takes over the terminal's present size.
void cnc_resize(void);
/// The present size as the kernel tells it; 0 x 0 when it does not.
void cnc_size(int *rows, int *columns);
/// Pixels of a cell as the system knows them (TIOCGWINSZ); 0 where it does not.
void cnc_cell_size(int *width, int *height);

/// Turns mouse reports on (as they are at the start) or off.
void cnc_set_mouse(bool enabled);

/// The colours that terminfo tells of the terminal.
int cnc_colors(void);
/// Whether terminfo tells that it has 24-bit colours.
bool cnc_has_direct_color(void);
/// Whether 24-bit colours can be written: a number of 256 and more is red, green and blue, one below that the palette's.
bool cnc_writes_direct_colors(void);
/// Defines colour pair `pair`; -1 is the terminal's own colour.
void cnc_init_pair(int pair, int foreground, int background);

void cnc_put_run(int row, int column, const cnc_cell *cells, int count);
/// Shows one cell that holds a base character and its combining marks.
void cnc_put_cluster(int row, int column, const uint32_t *scalars, int count, int pair, uint16_t attributes);
/// Sends what has changed, between the marks of synchronised output when `synchronized`.
void cnc_flush(bool synchronized);
/// Makes the next flush repaint every cell.
void cnc_invalidate(void);
/// Puts the cursor at a cell and shows it; a negative row hides it.
void cnc_cursor(int row, int column);
/// True when the terminal has not taken yet what was written: then frames are better left out.
bool cnc_is_behind(void);
/// Writes bytes past ncurses, after what ncurses holds; never waits for the terminal.
void cnc_write(const char *bytes, size_t count);
/// The string of a terminfo key capability such as "kcuu1", or null.
const char *cnc_key_string(const char *capability);

/// Waits for input, a signal, work on the main dispatch queue or the time-out (in ms; negative: without end).
int cnc_wait(int timeout_ms);
/// Waits for input, a signal or cnc_wake on a thread of its own, at most so many ms (negative: without end); takes nothing.
void cnc_wait_beside(int timeout_ms);
/// Ends cnc_wait_beside.
void cnc_wake(void);
/// Reads what has arrived from the terminal. Returns the number of bytes, 0 when there are none, -1 at its end.
int cnc_read(uint8_t *buffer, int capacity);
/// The next signal that arrived, or 0.
int cnc_next_signal(void);
/// Runs what waits on the main dispatch queue, and with it the main actor's jobs.
void cnc_drain_main_queue(void);
/// The name and version of ncurses (curs_extend(3X)).
const char *cnc_version(void);

#endif
