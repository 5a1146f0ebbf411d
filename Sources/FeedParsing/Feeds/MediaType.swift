import WebAddresses

/// The media types of audio and video, and the endings of their files.
package enum MediaType {
    /// The endings with their types. The first ending of a type is the usual one.
    private static let endings: [(ending: String, type: String)] = [
        ("mp3", "audio/mpeg"), ("m4a", "audio/mp4"), ("m4b", "audio/mp4"), ("m4a", "audio/x-m4a"), ("aac", "audio/aac"),
        ("ogg", "audio/ogg"), ("oga", "audio/ogg"), ("opus", "audio/opus"), ("flac", "audio/flac"),
        ("flac", "audio/x-flac"), ("wav", "audio/wav"), ("wav", "audio/x-wav"), ("wma", "audio/x-ms-wma"),
        ("aiff", "audio/aiff"), ("aif", "audio/aiff"), ("amr", "audio/amr"), ("mka", "audio/x-matroska"),
        ("weba", "audio/webm"), ("mp3", "audio/mp3"), ("mp3", "audio/x-mp3"), ("mp3", "audio/mpeg3"),
        ("mp4", "video/mp4"), ("m4v", "video/x-m4v"), ("m4v", "video/mp4"), ("mov", "video/quicktime"),
        ("webm", "video/webm"), ("mkv", "video/x-matroska"), ("ogv", "video/ogg"), ("avi", "video/x-msvideo"),
        ("wmv", "video/x-ms-wmv"), ("mpg", "video/mpeg"), ("mpeg", "video/mpeg"), ("flv", "video/x-flv"),
        ("3gp", "video/3gpp"), ("m3u8", "video/mpegurl"),
    ]

    /// Types of audio and video that don't say so.
    private static let others = [
        "application/ogg": "audio/ogg", "application/mp4": "video/mp4", "application/x-matroska": "video/x-matroska",
        "application/vnd.apple.mpegurl": "video/mpegurl", "application/x-mpegurl": "video/mpegurl",
    ]

    /// Types with which a file is certainly neither, whatever its name.
    private static let certain = [
        "image/", "text/", "font/", "application/pdf", "application/epub", "application/zip", "application/json",
        "application/xml", "application/xhtml", "application/x-bittorrent", "application/x-shockwave-flash",
        "application/msword", "application/vnd.",
    ]

    /// Returns the type of a file: as stated, or by the name in its address if that is a recording's and the stated one
    /// is missing or says nothing, such as `application/octet-stream`.
    package static func resolved(_ stated: String?, address: String) -> String? {
        let type = plain(stated)
        if isMedia(type) { return stated }
        if let other = others[type] { return other }
        // Some feeds write an ending, or "audio" or "video" alone.
        let named = endings.first { $0.ending == type || $0.type.hasPrefix(type + "/") && !type.contains("/") }?.type
        if !type.isEmpty, let named { return media(named: address) ?? named }
        guard !certain.contains(where: type.hasPrefix) else { return stated }
        return media(named: address) ?? stated
    }

    /// Whether neither the type nor the name of a file says what it is.
    package static func isUnknown(_ stated: String?, address: String) -> Bool {
        let unknown = ["", "application/octet-stream", "binary/octet-stream", "application/force-download"]
        return unknown.contains(plain(stated)) && ending(of: address) == nil
    }

    /// Whether a type is one of audio or video.
    package static func isMedia(_ type: String) -> Bool { type.hasPrefix("audio/") || type.hasPrefix("video/") }

    /// Returns the usual ending of files with a type, or `nil` if it isn't one of audio or video.
    package static func ending(ofType stated: String?) -> String? {
        let type = plain(stated)
        return endings.first { $0.type == others[type] ?? type }?.ending
    }

    /// Whether an ending is that of audio or video.
    package static func isMedia(ending: String) -> Bool { endings.contains { $0.ending == ending.lowercased() } }

    /// Returns the type without parameters, in lower case.
    package static func plain(_ stated: String?) -> String {
        (stated?.prefix { $0 != ";" }).map(String.init)?.trimmingBlanks.lowercased() ?? ""
    }

    private static func media(named address: String) -> String? {
        let web = WebAddress(address)
        let fields =
            web?.query?.split(separator: "&").compactMap { $0.split(separator: "=").last.map(String.init) } ?? []
        return ([web?.path ?? address] + fields).lazy.compactMap { name in
            ending(of: name).flatMap { ending in endings.first { $0.ending == ending }?.type }
        }.first
    }

    /// Returns the ending of the last name in an address, or `nil` if it has none.
    package static func ending(of address: String) -> String? {
        let path = WebAddress(address)?.path ?? address
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let ending = name[dot...].dropFirst().lowercased()
        let isPlain = (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain ? ending : nil
    }
}
