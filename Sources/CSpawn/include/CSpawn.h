// Starts other programs without this program's open files.
//
// Foundation's Process leaves descriptors open in the child and waits for everything that holds them, so a server that
// the child leaves running would block it forever.

#ifndef CSPAWN_H
#define CSPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/// Starts a program.
///
/// @param arguments The words of the command line, terminated by null. The first is the program's path.
/// @param environment The variables as NAME=value, terminated by null, or null for those of this process.
/// @param input,output,errors The files for the standard streams, or null for /dev/null.
/// @param in_new_session Whether to start it in a new session, without the terminal.
/// @return 0, or an error number.
int csp_start(const char *const *arguments, const char *const *environment, const char *input, const char *output,
              const char *errors, bool in_new_session, pid_t *child);
/// Starts a program that may outlive this one, in a new session. What it prints is discarded.
///
/// @param input,errors Descriptors for its standard input and errors, or -1 for /dev/null.
/// @return 0, or an error number.
int csp_start_detached(const char *const *arguments, const char *const *environment, int input, int errors, pid_t *child);
/// Creates a file without a name. The system deletes it when it is closed.
///
/// @param most The maximum size, beyond which writing fails, or 0 for no limit. Only Linux has the limit.
/// @return Its descriptor, or -1.
int csp_anonymous_file(long most);

/// A program with a guard: a process that ends the program, and everything the program started, when this process
/// closes `control` or ends, even if it is killed.
typedef struct {
    /// The guard, which csp_end_guard waits for.
    pid_t guard;
    /// Reports the end (csp_guarded_end). Closing it, or shutting it down, ends the program.
    int control;
    /// The program's standard output and errors. Reading from them doesn't block.
    int output, errors;
} csp_guarded;

/// Starts a program with a guard, in a new session without the terminal.
///
/// @param input A descriptor for its standard input, or -1 for /dev/null.
/// @param keeps_rest Whether programs that it left running may go on after it has ended by itself.
/// @return 0, or an error number.
int csp_start_guarded(const char *const *arguments, const char *const *environment, int input, bool keeps_rest,
                      csp_guarded *program);
/// Reads how a guarded program ended. Call it when `control` has become readable.
///
/// @param code Receives its exit code, or the negative number of the signal that ended it.
/// @return Whether the program ended by itself.
bool csp_guarded_end(const csp_guarded *program, int *code);
/// Ends a guarded program if it still runs, and waits until it and everything it started are gone.
void csp_end_guard(csp_guarded *program);
/// Runs a program with a guard in the terminal, as a shell does, and waits for its end. Meanwhile it receives the
/// terminal's keys.
///
/// @param arguments The words of the command line, terminated by null. The first is the program's path.
/// @param environment The variables as NAME=value, terminated by null, or null for those of this process.
/// @param terminal The terminal's descriptor.
/// @return Its exit code, the negative number of the signal that ended it, or 127 if it could not be started.
int csp_run_in_terminal(const char *const *arguments, const char *const *environment, int terminal);
/// Makes the memory allocator return free memory to the system: a few arenas for all threads, and a mapping of its own for
/// each block above a fixed size. By default that size grows, and large blocks leave holes in the arenas.
void csp_keep_memory_small(void);
/// Returns memory that only the start needed: the allocator's free pages, and pages of code, which the system reads again
/// when they are needed. Does nothing on systems other than Linux.
void csp_release_start(void);
/// Runs a program found in PATH and returns its output. Its standard input and errors are /dev/null.
///
/// @param arguments The words of the command line, terminated by null.
/// @param capacity The size of the buffer in bytes. Further output is discarded.
/// @param timeout_ms The time in milliseconds after which the program is ended.
/// @return The number of bytes, or -1 if it could not be started, took too long or did not exit with 0.
int csp_capture(const char *const *arguments, char *buffer, int capacity, int timeout_ms);
/// The result of csp_wait for a child whose end can't be known. No exit code and no signal has this number.
enum { CSP_UNKNOWN = 256 };
/// Waits for the end of a child. Returns its exit code, the negative number of the signal that ended it, or CSP_UNKNOWN.
int csp_wait(pid_t child);

#endif
