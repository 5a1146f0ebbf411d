extension ChangeSamples {
    /// The queue of downloads.
    static let downloads = ChangeSamples(
        of: "Feeds",
        preparation: [.queueDownload(url: "https://a.example/1.mp3", title: "One", allowsPrivateHost: true, now: 1)]
    ) { library in
        [
            ChangeSample(
                .queueDownload(url: "u", title: "T", allowsPrivateHost: false, now: 1), undo: "adding the download",
                tables: ["download"]),
            ChangeSample(
                .removeDownload(try library.library.downloads.all()[0].id), undo: "removing the download",
                tables: ["download"]),
        ]
    }
}
