// ncursesw behind plain structs and functions.
//
// Only the .c file includes <curses.h>, because Swift can't use its macros, variadic functions and global variables, and
// its wide-character functions depend on feature macros that a module map can't set.

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
    CNC_STRUCK = 32,
};

/// A cell. A width of 0 is the second half of a wide character and is skipped.
typedef struct {
    uint32_t scalar;
    int32_t pair;
    uint16_t attributes;
    uint16_t width;
} cnc_cell;

/// The results of cnc_wait as a bit set.
enum {
    CNC_WAKE_INPUT = 1,
    CNC_WAKE_SIGNAL = 2,
    CNC_WAKE_MAIN_QUEUE = 4,
    CNC_WAKE_HANGUP = 8,
    /// All pending output was sent.
    CNC_WAKE_OUTPUT = 16,
};

/// Starts the terminal on two descriptors with the terminal type `term`. Returns 0, or -1 if the type is unknown or can't
/// move the cursor.
int cnc_start(const char *term, int output, int input);
/// Restores the terminal as it was found. Does nothing if it isn't started.
void cnc_stop(void);
/// Leaves the screen, suspends the process group like Ctrl-Z, and enters the screen again once continued.
void cnc_suspend(void);
/// Leaves the screen to another program in the same terminal.
void cnc_leave(void);
/// Enters the screen again after cnc_leave.
void cnc_return(void);
/// Enters the screen again after the process was stopped by SIGSTOP and continued.
void cnc_continue(void);
/// Restores a terminal that a killed program left behind: its modes and those of the line.
void cnc_reset_terminal(int fd);
/// Sets a function to call on a separate thread when the program is killed because its loop ignored a signal for seconds.
void cnc_on_forced_exit(void (*callback)(void));
/// Adopts the terminal's current size.
void cnc_resize(void);
/// Returns the current size according to the kernel, or 0 x 0 if it is unknown.
///
/// A side has at most 4,096 columns or rows, and the screen 1,048,576 cells, whatever the terminal claims.
void cnc_size(int *rows, int *columns);
/// Returns the size of a cell in pixels (TIOCGWINSZ), or 0 if it is unknown.
void cnc_cell_size(int *width, int *height);

/// Enables or disables mouse reports. They are enabled at the start.
void cnc_set_mouse(bool enabled);

/// Notes whether the terminal shows progress (OSC 9;4), which ends when the program leaves the terminal in any way.
void cnc_set_progress(bool shown);

/// Returns the number of colours according to terminfo.
int cnc_colors(void);
/// Whether terminfo reports 24-bit colours.
bool cnc_has_direct_color(void);
/// Whether 24-bit colours can be written. Numbers from 256 on are red, green and blue, others belong to the palette.
bool cnc_writes_direct_colors(void);
/// Whether text can be struck through.
bool cnc_strikes(void);
/// Defines the colour pair `pair`; -1 is the terminal's default colour.
void cnc_init_pair(int pair, int foreground, int background);

void cnc_put_run(int row, int column, const cnc_cell *cells, int count);
/// Shows one cell that holds a base character and its combining marks.
void cnc_put_cluster(int row, int column, const uint32_t *scalars, int count, int pair, uint16_t attributes);
/// Makes the next flush repaint a row from its first cell.
void cnc_redraw_row(int row);
/// Sends changes, between the marks of synchronised output if `synchronized` is set.
void cnc_flush(bool synchronized);
/// Makes the next flush repaint every cell.
void cnc_invalidate(void);
/// Moves the cursor to a cell and shows it. A negative row hides it.
void cnc_cursor(int row, int column);
/// Whether output is pending, so that frames should be skipped.
bool cnc_is_behind(void);
/// Writes bytes that bypass ncurses, after its own output, without waiting for the terminal.
void cnc_write(const char *bytes, size_t count);
/// Returns the string of a terminfo key capability such as "kcuu1", or null.
const char *cnc_key_string(const char *capability);

/// Waits for input, a signal, work on the main dispatch queue or a timeout in milliseconds (negative for none).
int cnc_wait(int timeout_ms);
/// What cnc_wait_beside waits for: descriptors, or -1.
typedef struct {
    int input;
    int signals;
    int output;
} cnc_sources;
/// Returns what to wait for now. Only for the thread that has the terminal.
cnc_sources cnc_sources_now(void);
/// Waits on another thread for input, a signal, cnc_wake or a timeout in milliseconds (negative for none). Reads nothing.
void cnc_wait_beside(cnc_sources sources, int timeout_ms);
/// Ends cnc_wait_beside.
void cnc_wake(void);
/// Reads input. Returns the number of bytes, 0 if there are none, or -1 at the end.
int cnc_read(uint8_t *buffer, int capacity);
/// Returns the next pending signal, or 0.
int cnc_next_signal(void);
/// Runs the jobs on the main dispatch queue, including those of the main actor.
void cnc_drain_main_queue(void);
/// The name and version of ncurses (curs_extend(3X)).
const char *cnc_version(void);

#endif
