import Dashboard
import Foundation
import ModelCore

/// Looks for the lists that other readers of feeds keep in the user's folder.
enum InstalledReaders {
    private static let places: [(name: String, path: String)] = [
        ("newsboat", ".newsboat/urls"), ("newsboat", ".config/newsboat/urls"), ("newsraft", ".config/newsraft/feeds"),
        ("newsbeuter", ".newsbeuter/urls"),
    ]
    /// Folders in which files of subscriptions lie about.
    private static let folders = ["", "Downloads", "Documents"]
    private static let mostFiles = 3
    private static let mostBytes = 8 << 20

    /// What can be read and has feeds; each program once.
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
            for file in files.filter({ $0.lowercased().hasSuffix(".opml") }).sorted().prefix(mostFiles) {
                if let one = read("\(path)/\(file)", as: folder.isEmpty ? file : "\(folder)/\(file)") {
                    found.append(one)
                }
            }
        }
        return found
    }

    private static func read(_ path: String, as name: String) -> DiscoveredSubscriptions? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular, (attributes[.size] as? Int ?? .max) <= mostBytes,
            let reading = try? SubscriptionFiles().read(file: path), !reading.list.isEmpty
        else { return nil }
        return DiscoveredSubscriptions(name: name, list: reading.list.map { NewSubscription($0) }, path: path)
    }
}
