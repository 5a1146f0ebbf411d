import Feeds

extension ServerKind {
    /// Returns a server of this kind.
    package func server(_ access: ServerAccess) -> any FeedServer {
        switch self {
        case .freshrss: GoogleReaderServer(access, names: .plain)
        case .reader: GoogleReaderServer(access, names: .long)
        case .miniflux: MinifluxServer(access, isToken: false)
        case .minifluxToken: MinifluxServer(access, isToken: true)
        case .nextcloud: NextcloudServer(access)
        case .ttrss: TinyTinyServer(access)
        case .feedbin: FeedbinServer(access)
        case .fever: FeverServer(access)
        }
    }
}
