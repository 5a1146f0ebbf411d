import Dashboard
import Feeds
import Foundation

/// Finds subscription files of other feed readers in the user's home directory.
enum InstalledReaders {
    private static let places: [(name: String, path: String)] = [
        ("newsboat", ".newsboat/urls"), ("newsboat", ".config/newsboat/urls"), ("newsraft", ".config/newsraft/feeds"),
        ("newsbeuter", ".newsbeuter/urls"), ("Liferea", ".config/liferea/feedlist.opml"),
    ]
    /// The folders in which users keep subscription files.
    private static let folders = ["", "Downloads", "Documents"]
    private static let maximumFiles = 3
    private static let maximumBytes = 8 << 20

    /// Returns readable files with feeds, at most one for each program.
    static func find(
        in home: String = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
    ) -> [DiscoveredSubscriptions] {
        var found: [DiscoveredSubscriptions] = []
        for place in places where !found.contains(where: { $0.name == place.name }) {
            if let one = read("\(home)/\(place.path)", as: place.name) { found.append(one) }
        }
        for folder in folders {
            let path = folder.isEmpty ? home : "\(home)/\(folder)"
            let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            for file in files.filter({ $0.lowercased().hasSuffix(".opml") }).sorted().prefix(maximumFiles) {
                if let one = read("\(path)/\(file)", as: folder.isEmpty ? file : "\(folder)/\(file)") {
                    found.append(one)
                }
            }
        }
        return found
    }

    private static func read(_ path: String, as name: String) -> DiscoveredSubscriptions? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular,
            (attributes[.size] as? Int ?? .max) <= maximumBytes,
            let reading = try? SubscriptionFiles.read(file: path), !reading.list.isEmpty
        else { return nil }
        return DiscoveredSubscriptions(name: name, list: reading.list.map { NewSubscription($0) }, path: path)
    }
}
