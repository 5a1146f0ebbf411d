import Foundation

/// A pseudo-terminal as the standard input and output of a process that a test started.
struct PseudoTerminal {
    private let main: Int32
    /// The side that programs see.
    let device: Int32
    /// TIOCSPTLCK and TIOCGPTN of Linux, which Swift doesn't import.
    private static let lock: UInt = 0x4004_5431, number: UInt = 0x8004_5430
    private static let variables = [
        "TMUX", "STY", "COLORTERM", "TERM_PROGRAM", "VTE_VERSION", "WT_SESSION", "NO_COLOR", "LINES", "COLUMNS",
        "TERMINFO",
    ]

    /// Opens a pseudo-terminal and sets the environment to a terminal type and nothing else.
    init?(columns: Int = 20, rows: Int = 5, _ environment: [String: String] = [:]) {
        main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number): (Int32, Int32) = (0, -1)
        guard main >= 0, ioctl(main, PseudoTerminal.lock, &isLocked) == 0,
            ioctl(main, PseudoTerminal.number, &number) == 0
        else { return nil }
        device = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard device >= 0, dup2(device, 0) == 0, dup2(device, 1) == 1 else { return nil }
        _ = fcntl(main, F_SETFL, O_NONBLOCK)
        for variable in PseudoTerminal.variables { unsetenv(variable) }
        let others = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]
        for (variable, value) in environment.merging(others, uniquingKeysWith: { own, _ in own }) {
            setenv(variable, value, 1)
        }
        resize(columns: columns, rows: rows)
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize()
        (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
        _ = ioctl(main, UInt(TIOCSWINSZ), &size)
    }

    /// Sends typed text or an answer of the terminal.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(main, bytes, bytes.count)
    }

    var modes: termios {
        var modes = termios()
        tcgetattr(device, &modes)
        return modes
    }

    /// Returns the output up to a text. If it doesn't appear within twenty seconds, the process fails.
    func output(until text: String, meanwhile: () -> Void = {}) -> String {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let wanted = Array(text.utf8)
        for _ in 0..<2000 {
            let count = read(main, &buffer, buffer.count)
            if count > 0 {
                output += buffer[..<count]
                // The text may be split over two reads.
                let tail = output.suffix(count + wanted.count)
                meanwhile()
                if tail.indices.contains(where: { tail[$0...].starts(with: wanted) }) {
                    return String(decoding: output, as: UTF8.self)
                }
            } else {
                var waiting = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, 10)
                meanwhile()
            }
        }
        FileHandle.standardError.write(
            Data("no \(wanted) in \(String(decoding: output, as: UTF8.self).debugDescription)\n".utf8))
        exit(EXIT_FAILURE)
    }
}
