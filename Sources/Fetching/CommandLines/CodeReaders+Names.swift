extension CodeReaders {
    enum Kind: Hashable {
        /// A shell that reads its script and passes the remaining arguments to it.
        case shell
        /// A program whose first argument names the program that it is.
        case applets
        /// An interpreter with options for code; most read their first other argument too, or the file that it names.
        case interpreter(options: Set<String>, readsFirst: Bool)
        /// A program that passes its arguments to a shell together, or reads all of them as code.
        case reader
        case tmux
        /// A terminal, in which a program starts.
        case terminal(takesOneWord: Bool)
        /// A program that passes the argument of an option to a shell.
        case optionForShell(Set<String>)
        /// A program that starts another one, with or without this program's environment.
        case launcher(keepsEnvironment: Bool)
    }

    /// Returns what a program does with its arguments, or `nil` for a program that only gets them.
    static func kind(of program: String) -> Kind? {
        let name = program.lowercased()
        // Versions: python3.12, lua5.4, ksh93.
        return kinds[name] ?? kinds[String(name.reversed().drop { $0.isNumber || $0 == "." || $0 == "-" }.reversed())]
    }

    /// Whether a name among the arguments of any program is that of a shell or an interpreter.
    static func isUnmistakable(_ name: String) -> Bool {
        switch kind(of: name) {
        case .shell: name.lowercased().hasSuffix("sh")
        case .interpreter(_, let readsFirst): readsFirst && !["r", "php", "node"].contains(name.lowercased())
        default: ["ssh", "osascript", "busybox"].contains(name)
        }
    }

    private static let kinds: [String: Kind] = {
        var kinds: [String: Kind] = ["tmux": .tmux]
        func add(_ names: String, _ kind: Kind) {
            for name in names.split(separator: " ") { kinds[String(name)] = kind }
        }
        add("sh bash dash ash zsh ksh mksh oksh lksh pdksh loksh yash rbash rksh posh osh fish csh tcsh", .shell)
        add("busybox toybox", .applets)
        add(
            """
            ssh autossh mosh rsh remsh dbclient slogin eval trap alias . source watch parallel sem at batch make gmake \
            pwsh powershell nu xonsh elvish rc es ion i3-msg swaymsg hyprctl herbstclient xdotool ydotool wtype dotool \
            socat sqlite3 su runuser sshpass zellij emacsclient nvr expect gdb lldb m4 ed ex wsl
            """, .reader)
        let code: Kind = .interpreter(options: ["-e", "-E", "-c"], readsFirst: true)
        add("perl ruby lua luajit python pypy osascript Rscript guile tclsh wish julia ghci runghc", code)
        add(
            "node nodejs deno bun",
            .interpreter(options: ["-e", "-p", "--eval", "--print", "-r", "--require"], readsFirst: true))
        add("php r", .interpreter(options: ["-r", "-R", "-B", "-E", "-e"], readsFirst: true))
        add("awk gawk mawk nawk", .interpreter(options: ["-e", "--source", "-f", "--file"], readsFirst: true))
        add("sed gsed", .interpreter(options: ["-e", "--expression", "-f", "--file"], readsFirst: true))
        add(
            "vim vi nvim gvim view vimdiff ex kak micro",
            .interpreter(options: ["-c", "--cmd", "-S", "-e", "--remote-send", "--remote-expr"], readsFirst: false))
        add(
            "emacs",
            .interpreter(
                options: ["--eval", "-eval", "--execute", "-f", "--funcall", "-l", "--load"], readsFirst: false))
        add(
            "psql mysql mariadb gnuplot octave",
            .interpreter(options: ["-c", "-e", "--command", "--execute"], readsFirst: false))
        add(
            """
            xterm uxterm rxvt urxvt urxvtc aterm eterm mlterm st alacritty kitty konsole foot footclient zutty wezterm \
            ghostty cool-retro-term x-terminal-emulator xdg-terminal-exec
            """, .terminal(takesOneWord: false))
        add(
            """
            gnome-terminal mate-terminal xfce4-terminal lxterminal terminator tilix termite qterminal sakura roxterm \
            terminology guake tilda
            """, .terminal(takesOneWord: true))
        add("script flock", .optionForShell(["-c", "--command"]))
        add("entr", .optionForShell(["-s"]))
        add(
            """
            nohup setsid nice ionice chrt taskset stdbuf unbuffer timeout time env exec command builtin xargs strace ltrace \
            proxychains proxychains4 torsocks torify firejail bwrap dbus-run-session dbus-launch systemd-run systemd-inhibit \
            setarch unshare xvfb-run gtk-launch abduco dtach caffeinate reattach-to-user-namespace
            """, .launcher(keepsEnvironment: true))
        add("sudo doas pkexec screen chroot nsenter flatpak-spawn", .launcher(keepsEnvironment: false))
        return kinds
    }()
}
