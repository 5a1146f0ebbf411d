#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1

#include "CNcurses.h"
#include "entry.h"
#include "output.h"
#include "signals.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// libdispatch's hooks for run loops: the descriptor that becomes readable when the main queue has work, and the
// function that runs it. CoreFoundation's run loop uses the same two.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *);

static SCREEN *screen;
// ncurses requires an input file, but reads nothing from it.
static FILE *input_file;
static int input_fd = -1;
static int output_fd = -1;
static struct termios original_mode;
static struct termios raw_mode;
static volatile sig_atomic_t started;

// The bytes that restore the terminal. They are prepared at the start, because a signal handler can't read terminfo.
static char restore_bytes[512];
static size_t restore_count;

// The window's title is pushed onto the terminal's stack, and popped at the end (XTWINOPS 22 and 23).
static const char enter_modes[] = "\033[22;2t\033[?2004h\033[?1004h\033[?2031h";
static const char enter_mouse[] = "\033[?1000h\033[?1002h\033[?1006h";
static const char leave_mouse[] = "\033[?1006l\033[?1002l\033[?1000l";
// Ends a sequence that was cut off, then synchronised output, reports, bracketed paste and the mouse.
static const char leave_modes[] = "\030\033[?2026l\033[?2031l\033[?1004l\033[?2004l\033[?1006l\033[?1002l\033[?1000l\033[23;2t";
static bool mouse_enabled = true;
static const char leave_progress[] = "\033]9;4;0\033\\";
static volatile sig_atomic_t shows_progress;

void cnc_set_progress(bool shown) { shows_progress = shown; }

// A signal may interrupt the call while it waits for output.
static bool set_mode(int when, const struct termios *mode) {
    int result = -1;
    for (int tries = 0; tries < 10 && (result = tcsetattr(input_fd, when, mode)) != 0 && errno == EINTR; tries++) {}
    return result == 0;
}

void cnc_restore_now(void) {
    if (!started) return;
    started = 0;
    cno_force(restore_bytes, restore_count);
    if (shows_progress) cno_force(leave_progress, sizeof leave_progress - 1);
    set_mode(TCSANOW, &original_mode);
}

static void append_restore(const char *bytes) {
    if (bytes == NULL || bytes == (const char *)-1) return;
    size_t n = strlen(bytes);
    if (restore_count + n > sizeof restore_bytes) return;
    memcpy(restore_bytes + restore_count, bytes, n);
    restore_count += n;
}

static void prepare_restore(void) {
    restore_count = 0;
    append_restore(leave_modes);
    append_restore(exit_attribute_mode);
    append_restore(orig_pair);
    append_restore(keypad_local);
    append_restore(exit_ca_mode);
    append_restore(cursor_normal);
}

static void utf8_locale(void) {
    setlocale(LC_ALL, "");
    if (MB_CUR_MAX < 4) setlocale(LC_CTYPE, "C.UTF-8");
}

static void write_enter_modes(void) {
    cnc_write(enter_modes, sizeof enter_modes - 1);
    if (mouse_enabled) cnc_write(enter_mouse, sizeof enter_mouse - 1);
}

void cnc_set_mouse(bool enabled) {
    if (enabled == mouse_enabled) return;
    mouse_enabled = enabled;
    if (!started) return;
    if (enabled) cnc_write(enter_mouse, sizeof enter_mouse - 1);
    else cnc_write(leave_mouse, sizeof leave_mouse - 1);
}

// Sets a shell's usual modes, so that modes that a killed program left behind aren't restored at the end.
static void make_sane(struct termios *mode) {
    mode->c_iflag |= BRKINT | ICRNL | IXON;
    mode->c_oflag |= OPOST | ONLCR;
    mode->c_lflag |= ICANON | ISIG | IEXTEN | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE;
    mode->c_cc[VMIN] = 1;
    mode->c_cc[VTIME] = 0;
}

// Prepares the modes of ncurses' raw, noecho and nonl. ncurses itself can't set them, because it writes to a file in memory. A
// line feed only moves down, as ncurses assumes for such files.
static bool read_modes(int input) {
    if (tcgetattr(input, &original_mode) != 0) return false;
    if (!(original_mode.c_lflag & (ICANON | ECHO))) make_sane(&original_mode);
    raw_mode = original_mode;
    raw_mode.c_iflag &= ~(tcflag_t)(IXON | BRKINT | PARMRK | ICRNL | INLCR | IGNCR);
    raw_mode.c_oflag &= ~(tcflag_t)OPOST;
    raw_mode.c_lflag &= ~(tcflag_t)(ICANON | ISIG | IEXTEN | ECHO | ECHONL);
    raw_mode.c_cc[VMIN] = 1;
    raw_mode.c_cc[VTIME] = 0;
    return true;
}

static bool set_raw(void) { return set_mode(TCSADRAIN, &raw_mode); }

/// Ends cnc_wait_beside. Created at the first start and never closed.
static _Atomic int wake_fd = -1;

static cne_described described;
static bool writes_direct_colors;

// Starts ncurses with the entry for 24-bit colours. TERMINFO contains it only during the call, because child processes need the
// terminal's own entry.
static SCREEN *screen_with_direct_colors(const char *term, FILE *frames) {
    char *entry = cne_with_direct_colors(term, &described);
    if (entry == NULL) return NULL;
    const char *before = getenv("TERMINFO");
    char *kept = before == NULL ? NULL : strdup(before);
    setenv("TERMINFO", entry, 1);
    SCREEN *found = newterm(term, frames, input_file);
    if (kept == NULL) {
        unsetenv("TERMINFO");
    } else {
        setenv("TERMINFO", kept, 1);
    }
    free(kept);
    free(entry);
    return found;
}

// Sets LINES and COLUMNS, from which ncurses reads the size at the start, to the terminal's bounded size, whatever a shell has
// exported. Child processes don't inherit them.
static void set_size_variables(void) {
    int rows = 0, column_count = 0;
    cnc_size(&rows, &column_count);
    if (rows == 0) return;
    char text[16];
    snprintf(text, sizeof text, "%d", rows);
    setenv("LINES", text, 1);
    snprintf(text, sizeof text, "%d", column_count);
    setenv("COLUMNS", text, 1);
}

static void unset_size_variables(void) {
    unsetenv("LINES");
    unsetenv("COLUMNS");
}

static void close_input(void) {
    if (input_file != NULL) fclose(input_file);
    input_file = NULL;
}

static bool open_input(int input) {
    close_input();
    int copy = fcntl(input, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return false;
    input_file = fdopen(copy, "r");
    if (input_file == NULL) close(copy);
    return input_file != NULL;
}

// Closes what a failed start has opened, so that another terminal type can be tried.
static int fail_start(void) {
    close_input();
    cno_close();
    return -1;
}

int cnc_start(const char *term, int output, int input) {
    if (atomic_load(&wake_fd) < 0) atomic_store(&wake_fd, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    utf8_locale();
    int error = 0;
    if (setupterm(term, output, &error) != OK || cursor_address == NULL) return -1;
    output_fd = output;
    input_fd = input;
    FILE *frames = cno_open(output);
    if (frames == NULL || !open_input(input)) return fail_start();
    if (!read_modes(input)) return fail_start();
    // Before newterm, because ncurses installs its own handlers only for signals without one.
    if (!cns_install()) return fail_start();
    unset_size_variables();
    set_size_variables();
    screen = screen_with_direct_colors(term, frames);
    writes_direct_colors = screen != NULL;
    if (screen == NULL) screen = newterm(term, frames, input_file);
    unset_size_variables();
    if (screen == NULL) {
        cns_restore();
        return fail_start();
    }
    set_term(screen);
    prepare_restore();
    started = 1;
    set_raw();
    keypad(stdscr, TRUE);
    curs_set(0);
    leaveok(stdscr, TRUE);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    cnc_resize();
    refresh();
    write_enter_modes();
    return 0;
}

// Restores the terminal. Waits briefly for output, because the terminal may no longer read.
static void give_back(void) {
    cnc_write(leave_modes, sizeof leave_modes - 1);
    if (shows_progress) cnc_write(leave_progress, sizeof leave_progress - 1);
    curs_set(1);
    endwin();
    cno_take_frame("", "");
    if (!cno_drain(300)) cno_force(restore_bytes, restore_count);
    set_mode(TCSANOW, &original_mode);
}

void cnc_stop(void) {
    if (!started) return;
    give_back();
    started = 0;
    cns_restore();
    delscreen(screen);
    screen = NULL;
    close_input();
    cno_close();
}

static void take_again(void) {
    set_raw();
    cnc_resize();
    curs_set(0);
    // ncurses assumes that the terminal still shows its screen.
    if (enter_ca_mode != NULL) cnc_write(enter_ca_mode, strlen(enter_ca_mode));
    write_enter_modes();
}

static bool is_in_background(void) {
    pid_t foreground = tcgetpgrp(input_fd);
    return foreground > 0 && foreground != getpgrp();
}

// Stops again while the process is in the background. If a program other than the shell continued it, the shell considers it
// running, and sends no signal when it brings it to the foreground. The limit is for orphaned groups, which the system doesn't
// stop.
static void await_foreground(void) {
    for (int attempt = 0; attempt < 100 && is_in_background(); attempt++) cns_stop_group();
}

void cnc_suspend(void) {
    if (!started) return;
    give_back();
    cns_stop_group();
    await_foreground();
    take_again();
}

void cnc_leave(void) {
    if (started) give_back();
}

void cnc_return(void) {
    if (started) take_again();
}

void cnc_continue(void) {
    if (!started) return;
    await_foreground();
    // In the background, another process has the terminal.
    if (!is_in_background()) take_again();
}

void cnc_reset_terminal(int fd) {
    static const char everything[] =
        "\030\033[?2026l\033[?1004l\033[?2004l\033[?1006l\033[?1002l\033[?1000l\033[m\033(B\033[?1049l\033[?1l\033>\033[?7h\033[?25h";
    ssize_t ignored = write(fd, everything, sizeof everything - 1);
    (void)ignored;
    struct termios mode;
    if (tcgetattr(fd, &mode) != 0) return;
    make_sane(&mode);
    tcsetattr(fd, TCSANOW, &mode);
}

// Bounds the size that a terminal claims. ncurses stores rows and columns in signed 16-bit numbers and crashes beyond them, and
// a screen of 10,000 rows and columns takes 2 GB.
static void bound_size(int *rows, int *column_count) {
    enum { longest_side = 4096, most_cells = 1 << 20 };
    if (*column_count > longest_side) *column_count = longest_side;
    int most_rows = most_cells / *column_count;
    if (most_rows > longest_side) most_rows = longest_side;
    if (*rows > most_rows) *rows = most_rows;
}

void cnc_size(int *rows, int *column_count) {
    struct winsize size = {0};
    if (ioctl(output_fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        *rows = size.ws_row;
        *column_count = size.ws_col;
        bound_size(rows, column_count);
    } else if (screen != NULL) {
        getmaxyx(stdscr, *rows, *column_count);
    } else {
        *rows = 0;
        *column_count = 0;
    }
}

void cnc_cell_size(int *width, int *height) {
    struct winsize size = {0};
    bool is_known = ioctl(output_fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    *width = is_known ? size.ws_xpixel / size.ws_col : 0;
    *height = is_known ? size.ws_ypixel / size.ws_row : 0;
}

void cnc_resize(void) {
    int rows = 0, column_count = 0;
    cnc_size(&rows, &column_count);
    if (rows > 0 && column_count > 0) resizeterm(rows, column_count);
    cnc_invalidate();
}

int cnc_colors(void) { return described.colors; }

bool cnc_has_direct_color(void) { return described.has_direct; }

bool cnc_writes_direct_colors(void) { return writes_direct_colors; }

bool cnc_strikes(void) { return writes_direct_colors && described.strikes; }

void cnc_init_pair(int pair, int foreground, int background) { init_extended_pair(pair, foreground, background); }

static attr_t attributes_of(uint16_t attributes) {
    attr_t result = A_NORMAL;
    if (attributes & CNC_BOLD) result |= A_BOLD;
    if (attributes & CNC_DIM) result |= A_DIM;
    if (attributes & CNC_ITALIC) result |= A_ITALIC;
    if (attributes & CNC_UNDERLINE) result |= A_UNDERLINE;
    if (attributes & CNC_REVERSE) result |= A_REVERSE;
    if (attributes & CNC_STRUCK && cnc_strikes()) result |= A_BLINK;
    return result;
}

void cnc_put_run(int row, int column, const cnc_cell *cells, int count) {
    enum { chunk = 512 };
    cchar_t out[chunk];
    int start = 0;
    // Skips the second half of a wide character, whose first half was put before.
    while (start < count && cells[start].width == 0) {
        start += 1;
        column += 1;
    }
    while (start < count) {
        int used = 0, end = start;
        while (end < count && used < chunk) {
            if (cells[end].width > 0) {
                wchar_t text[2] = {(wchar_t)cells[end].scalar, 0};
                int pair = cells[end].pair;
                setcchar(&out[used++], text, attributes_of(cells[end].attributes), 0, &pair);
            }
            end += 1;
        }
        if (used > 0) mvwadd_wchnstr(stdscr, row, column, out, used);
        column += end - start;
        start = end;
    }
}

void cnc_put_cluster(int row, int column, const uint32_t *scalars, int count, int pair, uint16_t attributes) {
    wchar_t text[CCHARW_MAX + 1] = {0};
    for (int i = 0; i < count && i < CCHARW_MAX; i++) text[i] = (wchar_t)scalars[i];
    cchar_t cell;
    setcchar(&cell, text, attributes_of(attributes), 0, &pair);
    mvwadd_wchnstr(stdscr, row, column, &cell, 1);
}

void cnc_flush(bool synchronized) {
    wnoutrefresh(stdscr);
    doupdate();
    // If a part was lost, ncurses still assumes that the terminal shows the frame.
    if (!cno_take_frame(synchronized ? "\033[?2026h" : "", synchronized ? "\033[?2026l" : "")) cnc_invalidate();
}

void cnc_redraw_row(int row) { wredrawln(stdscr, row, 1); }

void cnc_invalidate(void) { clearok(curscr, TRUE); }

void cnc_cursor(int row, int column) {
    if (row < 0) {
        leaveok(stdscr, TRUE);
        curs_set(0);
    } else {
        leaveok(stdscr, FALSE);
        wmove(stdscr, row, column);
        curs_set(1);
    }
}

void cnc_write(const char *bytes, size_t count) {
    cno_take_frame("", "");
    cno_append(bytes, count);
    cno_drain(0);
}

const char *cnc_key_string(const char *capability) {
    char *value = tigetstr(capability);
    return value == (char *)-1 ? NULL : value;
}

enum { source_count = 4 };

// Waits for input, a signal, another descriptor and output.
static int poll_sources(struct pollfd waiting[source_count], cnc_sources sources, int other, int timeout_ms) {
    waiting[0] = (struct pollfd){.fd = sources.input, .events = POLLIN};
    waiting[1] = (struct pollfd){.fd = sources.signals, .events = POLLIN};
    waiting[2] = (struct pollfd){.fd = other, .events = POLLIN};
    waiting[3] = (struct pollfd){.fd = sources.output, .events = POLLOUT};
    return poll(waiting, source_count, timeout_ms);
}

int cnc_wait(int timeout_ms) {
    struct pollfd waiting[source_count];
    if (poll_sources(waiting, cnc_sources_now(), _dispatch_get_main_queue_handle_4CF(), timeout_ms) <= 0) return 0;
    int result = 0;
    if (waiting[0].revents & POLLIN) result |= CNC_WAKE_INPUT;
    else if (waiting[0].revents & (POLLHUP | POLLERR | POLLNVAL)) result |= CNC_WAKE_HANGUP;
    if (waiting[1].revents & POLLIN) result |= CNC_WAKE_SIGNAL;
    if (waiting[2].revents & POLLIN) result |= CNC_WAKE_MAIN_QUEUE;
    if (waiting[3].revents != 0 && cno_drain(0)) result |= CNC_WAKE_OUTPUT;
    return result;
}

cnc_sources cnc_sources_now(void) {
    return (cnc_sources){
        .input = input_fd,
        .signals = cns_pipe(),
        .output = cnc_is_behind() ? cno_descriptor() : -1,
    };
}

// Runs on another thread than the one with the terminal, so it reads and writes nothing, and uses no variable of that thread.
void cnc_wait_beside(cnc_sources sources, int timeout_ms) {
    struct pollfd waiting[source_count];
    poll_sources(waiting, sources, atomic_load(&wake_fd), timeout_ms);
    eventfd_t value = 0;
    if (waiting[2].revents & POLLIN) eventfd_read(waiting[2].fd, &value);
}

void cnc_wake(void) {
    int descriptor = atomic_load(&wake_fd);
    if (descriptor >= 0) eventfd_write(descriptor, 1);
}

int cnc_read(uint8_t *buffer, int capacity) {
    ssize_t n = read(input_fd, buffer, (size_t)capacity);
    if (n > 0) return (int)n;
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return -1;
}

void cnc_drain_main_queue(void) {
    eventfd_t value = 0;
    eventfd_read(_dispatch_get_main_queue_handle_4CF(), &value);
    _dispatch_main_queue_callback_4CF(NULL);
}

const char *cnc_version(void) { return curses_version(); }
