#define _GNU_SOURCE
#define NCURSES_WIDECHAR 1

#include "CNcurses.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
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
static FILE *output_file;
static int input_fd = -1;
static int output_fd = -1;
static int signal_pipe[2] = {-1, -1};
static struct termios original_mode;
static bool have_original_mode;
static volatile sig_atomic_t started;

// What a dying program writes: prepared at the start, since a signal handler may not ask terminfo.
static char restore_bytes[512];
static size_t restore_count;

static const char enter_modes[] = "\033[?2004h\033[?1004h";
static const char enter_mouse[] = "\033[?1000h\033[?1002h\033[?1006h";
static const char leave_mouse[] = "\033[?1006l\033[?1002l\033[?1000l";
static const char leave_modes[] = "\033[?1004l\033[?2004l\033[?1006l\033[?1002l\033[?1000l";
static bool mouse_enabled = true;

static const int fatal_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
static const int pipe_signals[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT};

static void write_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t n = write(fd, bytes, count);
        if (n > 0) {
            bytes += n;
            count -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd p = {.fd = fd, .events = POLLOUT};
            if (poll(&p, 1, 1000) <= 0) return;
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else {
            return;
        }
    }
}

static void on_fatal_signal(int number) {
    if (started) {
        write_all(output_fd, restore_bytes, restore_count);
        if (have_original_mode) tcsetattr(input_fd, TCSANOW, &original_mode);
        started = 0;
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void on_pipe_signal(int number) {
    int saved = errno;
    char byte = (char)number;
    ssize_t ignored = write(signal_pipe[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

static void install(int number, void (*handler)(int)) {
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
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

int cnc_start(const char *term, int output, int input) {
    utf8_locale();
    int error = 0;
    if (setupterm(term, output, &error) != OK || cursor_address == NULL) return -1;
    if (signal_pipe[0] < 0) {
        if (pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC) != 0) return -1;
    }
    have_original_mode = tcgetattr(input, &original_mode) == 0;
    output_fd = output;
    input_fd = input;
    if (output_file == NULL) output_file = fdopen(dup(output), "w");
    FILE *input_file = fdopen(dup(input), "r");
    if (output_file == NULL || input_file == NULL) return -1;
    // Before newterm: ncurses installs handlers of its own only where there are none.
    for (size_t i = 0; i < sizeof pipe_signals / sizeof *pipe_signals; i++) install(pipe_signals[i], on_pipe_signal);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++) install(fatal_signals[i], on_fatal_signal);
    signal(SIGPIPE, SIG_IGN);
    // Whoever started the program may have left signals blocked.
    sigset_t handled;
    sigemptyset(&handled);
    for (size_t i = 0; i < sizeof pipe_signals / sizeof *pipe_signals; i++) sigaddset(&handled, pipe_signals[i]);
    pthread_sigmask(SIG_UNBLOCK, &handled, NULL);
    screen = newterm(term, output_file, input_file);
    if (screen == NULL) return -1;
    set_term(screen);
    prepare_restore();
    started = 1;
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    curs_set(0);
    leaveok(stdscr, TRUE);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    refresh();
    write_enter_modes();
    return 0;
}

void cnc_stop(void) {
    if (!started) return;
    cnc_write(leave_modes, sizeof leave_modes - 1);
    curs_set(1);
    endwin();
    started = 0;
    if (have_original_mode) tcsetattr(input_fd, TCSADRAIN, &original_mode);
    for (size_t i = 0; i < sizeof pipe_signals / sizeof *pipe_signals; i++) signal(pipe_signals[i], SIG_DFL);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++) signal(fatal_signals[i], SIG_DFL);
    delscreen(screen);
    screen = NULL;
}

void cnc_suspend(void) {
    if (!started) return;
    cnc_write(leave_modes, sizeof leave_modes - 1);
    curs_set(1);
    endwin();
    if (have_original_mode) tcsetattr(input_fd, TCSADRAIN, &original_mode);
    signal(SIGTSTP, SIG_DFL);
    kill(0, SIGTSTP);
    // Here the process stands still until it is continued.
    install(SIGTSTP, on_pipe_signal);
    raw();
    noecho();
    nonl();
    cnc_resize();
    curs_set(0);
    write_enter_modes();
}

void cnc_size(int *rows, int *column_count) {
    struct winsize size = {0};
    if (ioctl(output_fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        *rows = size.ws_row;
        *column_count = size.ws_col;
    } else if (screen != NULL) {
        getmaxyx(stdscr, *rows, *column_count);
    } else {
        *rows = 0;
        *column_count = 0;
    }
}

void cnc_resize(void) {
    int rows = 0, column_count = 0;
    cnc_size(&rows, &column_count);
    if (rows > 0 && column_count > 0) resizeterm(rows, column_count);
    cnc_invalidate();
}

int cnc_colors(void) { return has_colors() ? COLORS : 0; }

bool cnc_has_direct_color(void) {
    return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (tigetstr("RGB") != NULL && tigetstr("RGB") != (char *)-1);
}

bool cnc_knows_terminal(const char *term) {
    int error = 0;
    TERMINAL *before = cur_term;
    bool known = setupterm(term, output_fd >= 0 ? output_fd : 1, &error) == OK;
    if (known && cur_term != before) {
        TERMINAL *probed = cur_term;
        set_curterm(before);
        del_curterm(probed);
    }
    return known;
}

void cnc_init_pair(int pair, int foreground, int background) { init_extended_pair(pair, foreground, background); }

static attr_t attributes_of(uint16_t attributes) {
    attr_t result = A_NORMAL;
    if (attributes & CNC_BOLD) result |= A_BOLD;
    if (attributes & CNC_DIM) result |= A_DIM;
    if (attributes & CNC_ITALIC) result |= A_ITALIC;
    if (attributes & CNC_UNDERLINE) result |= A_UNDERLINE;
    if (attributes & CNC_REVERSE) result |= A_REVERSE;
    return result;
}

void cnc_put_run(int row, int column, const cnc_cell *cells, int count) {
    enum { chunk = 512 };
    cchar_t out[chunk];
    int start = 0;
    // The second half of a wide character whose first half was put before.
    while (start < count && cells[start].width == 0) {
        start += 1;
        column += 1;
    }
    while (start < count) {
        int used = 0, end = start, column_count = 0;
        while (end < count && used < chunk) {
            if (cells[end].width > 0) {
                wchar_t text[2] = {(wchar_t)cells[end].scalar, 0};
                int pair = cells[end].pair;
                setcchar(&out[used++], text, attributes_of(cells[end].attributes), 0, &pair);
            }
            column_count += 1;
            end += 1;
        }
        if (used > 0) mvwadd_wchnstr(stdscr, row, column, out, used);
        column += column_count;
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
    if (synchronized) cnc_write("\033[?2026h", 8);
    doupdate();
    if (synchronized) cnc_write("\033[?2026l", 8);
}

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
    if (output_file != NULL) fflush(output_file);
    write_all(output_fd, bytes, count);
}

const char *cnc_key_string(const char *capability) {
    char *value = tigetstr(capability);
    return value == (char *)-1 ? NULL : value;
}

int cnc_wait(int timeout_ms) {
    int queue = _dispatch_get_main_queue_handle_4CF();
    struct pollfd waiting[3] = {
        {.fd = input_fd, .events = POLLIN},
        {.fd = signal_pipe[0], .events = POLLIN},
        {.fd = queue, .events = POLLIN},
    };
    int found = poll(waiting, 3, timeout_ms);
    if (found <= 0) return 0;
    int result = 0;
    if (waiting[0].revents & POLLIN) result |= CNC_WAKE_INPUT;
    else if (waiting[0].revents & (POLLHUP | POLLERR | POLLNVAL)) result |= CNC_WAKE_HANGUP;
    if (waiting[1].revents & POLLIN) result |= CNC_WAKE_SIGNAL;
    if (waiting[2].revents & POLLIN) result |= CNC_WAKE_MAIN_QUEUE;
    return result;
}

int cnc_read(uint8_t *buffer, int capacity) {
    ssize_t n = read(input_fd, buffer, (size_t)capacity);
    if (n > 0) return (int)n;
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    return -1;
}

int cnc_next_signal(void) {
    unsigned char byte = 0;
    while (signal_pipe[0] >= 0 && read(signal_pipe[0], &byte, 1) == 1) {
        if (byte != 0) return byte;
    }
    return 0;
}

void cnc_drain_main_queue(void) {
    eventfd_t value = 0;
    eventfd_read(_dispatch_get_main_queue_handle_4CF(), &value);
    _dispatch_main_queue_callback_4CF(NULL);
}
