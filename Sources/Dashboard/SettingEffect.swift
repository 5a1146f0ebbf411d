import ModelCore

/// What a changed setting affects at once. All other settings are read when they are used.
enum SettingEffect: CaseIterable {
    case theme
    case motion
    /// Lists format dates during layout.
    case dates
    case mouse
    case linear
    case title
    /// The sizes and places of columns.
    case columns
    /// Whether lists are shown beside or over the detail.
    case listMode
    /// The widths at which the layout changes.
    case thresholds
    /// What lists show, and in which order.
    case listContent
    case keys
    case segments
    /// The line above all segments.
    case accessory
    /// The authorities that requests trust.
    case authorities

    /// The effects of each setting, by its name. A new setting that affects something at once is added here only.
    private static let ofSettings: [String: [SettingEffect]] = [
        SettingKey.theme.name: [.theme],
        SettingKey.motion.name: [.motion],
        SettingKey.dateStyle.name: [.dates],
        SettingKey.mouse.name: [.mouse],
        SettingKey.linear.name: [.linear, .motion, .listContent],
        SettingKey.title.name: [.title],
        SettingKey.narrowList.name: [.columns],
        SettingKey.listSide.name: [.columns],
        SettingKey.listWidth.name: [.columns],
        SettingKey.lists.name: [.listMode],
        SettingKey.twoColumnsFrom.name: [.thresholds],
        SettingKey.threeColumnsFrom.name: [.thresholds],
        SettingKey.mergeDuplicates.name: [.listContent],
        SettingKey.entryOrder.name: [.listContent],
        SettingKey.feedOrder.name: [.listContent],
        SettingKey.ownKeys.name: [.keys],
        SettingKey.digits.name: [.keys],
        SettingKey.segments.name: [.segments],
        SettingKey.accessory.name: [.accessory],
        SettingKey.authorities.name: [.authorities],
        SettingKey.rowLines.name: [.listContent],
        SettingKey.counts.name: [.listContent],
        SettingKey.excerpts.name: [.listContent],
        SettingKey.hideRead.name: [.listContent],
    ]

    /// Returns the effects of a setting, in the order in which they are applied.
    static func effects(of setting: String) -> [SettingEffect] { ofSettings[setting] ?? [] }
}
