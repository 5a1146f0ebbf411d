import Foundation

/// The locations of tappa's files in the XDG base directories.
enum FileLocations {
    /// `$XDG_DATA_HOME/tappa/library.sqlite`.
    static var database: String { directory("XDG_DATA_HOME", ".local/share") + "/library.sqlite" }
    /// `$XDG_CONFIG_HOME/tappa/config.toml`.
    static var configuration: String { directory("XDG_CONFIG_HOME", ".config") + "/config.toml" }
    /// `$XDG_CONFIG_HOME/tappa/races`: race files, which are imported when they change.
    static var races: String { directory("XDG_CONFIG_HOME", ".config") + "/races" }
    /// `$XDG_CACHE_HOME/tappa/pictures`: the picture cache.
    static var pictures: String { directory("XDG_CACHE_HOME", ".cache") + "/pictures" }
    /// `$XDG_STATE_HOME/tappa/screens`: the state of the dashboard for each terminal pane.
    static var screens: String { directory("XDG_STATE_HOME", ".local/state") + "/screens" }
    /// `$XDG_STATE_HOME/tappa/libraries`: the tokens of the libraries that were created or accepted here.
    static var knownLibraries: String { directory("XDG_STATE_HOME", ".local/state") + "/libraries" }
    /// `$XDG_RUNTIME_DIR/tappa`, or a private folder in `/tmp`: the sockets of running dashboards.
    static var sockets: String {
        if let base = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), base.hasPrefix("/"),
            access(base, W_OK) == 0
        {
            return base + "/tappa"
        }
        return "/tmp/tappa-\(getuid())"
    }

    /// `$XDG_STATE_HOME/tappa/tappa.log`.
    static var log: String { directory("XDG_STATE_HOME", ".local/state") + "/tappa.log" }

    /// The location of the log as shown in the help.
    static let logWords = "$XDG_STATE_HOME/tappa/tappa.log"

    /// Returns tappa's directory below the one in a variable, or below the home directory.
    ///
    /// - Parameter value: Returns the value of a variable. By default a single variable is read, because
    ///   `ProcessInfo` copies all of them.
    static func directory(
        _ variable: String, _ fallback: String,
        value: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> String {
        // The specification requires relative paths to be ignored.
        if let base = value(variable), base.hasPrefix("/") { return base + "/tappa" }
        return (value("HOME") ?? NSHomeDirectory()) + "/\(fallback)/tappa"
    }

    /// The path of the user's own catalogue of races, `$XDG_CONFIG_HOME/tappa/sources.json`.
    static var raceCatalogue: String { directory("XDG_CONFIG_HOME", ".config") + "/sources.json" }

    static var program: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }

    /// The directory of bundled files: beside an installed program, or in the source tree.
    static var assets: URL? {
        guard let program else { return nil }
        var directory = URL(fileURLWithPath: program).deletingLastPathComponent()
        let installed = directory.deletingLastPathComponent().appendingPathComponent("share/tappa/assets")
        if isAssets(installed) { return installed }
        for _ in 0..<6 {
            let candidate = directory.appendingPathComponent("Assets")
            if isAssets(candidate) { return candidate }
            directory.deleteLastPathComponent()
        }
        return nil
    }

    private static func isAssets(_ directory: URL) -> Bool {
        FileManager.default.fileExists(atPath: directory.appendingPathComponent("races").path)
    }
}
