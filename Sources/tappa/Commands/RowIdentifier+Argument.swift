import ArgumentParser
import Feeds

// Identifiers as arguments of commands, in decimal digits.

extension EntryID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension DownloadID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
