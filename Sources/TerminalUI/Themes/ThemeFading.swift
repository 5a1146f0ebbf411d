/// Makes what is behind a popover less prominent, and darkens the ground under its shadow.
@MainActor
struct ThemeFading: Sendable {
    /// The shown colours of text and background, and the sixteen.
    let colors: TerminalColors
    /// Returns the nearest available colour, and what it looks like.
    let available: @MainActor @Sendable (RGB) -> (color: Color, shown: RGB)

    /// The share of its contrast that faded text keeps, and the least contrast.
    private static let keptContrast = 0.4, minimumContrast = 3.0
    /// The share of black in a shadow on dark and on light grounds.
    private static let darkShadow = 0.5, lightShadow = 0.2
    /// The share of black in a shadow on a picture.
    private static let pictureShadow = 0.35
    /// The least contrast of a shadow to the ground.
    private static let minimumShadow = 1.04

    private func shown(_ style: Style) -> (text: RGB, ground: RGB)? {
        guard let text = style.foreground.components(standard: colors.foreground, ansi: colors.ansi),
            let ground = style.background.components(standard: colors.background, ansi: colors.ansi)
        else { return nil }
        return (text, ground)
    }

    /// Returns a style with less contrast, and never with more.
    func faded(_ style: Style) -> Style {
        guard let (text, ground) = shown(style) else { return style }
        let present = text.contrast(with: ground)
        let aim = max(ThemeFading.minimumContrast, present * ThemeFading.keptContrast)
        var result = style
        result.attributes = style.attributes.intersection([.reverse, .underline])
        // From the weakest mixture on.
        let fitting = (0...40).reversed().lazy.map { available(text.mixed(with: ground, Double($0) / 40)) }
            .first { (aim...max(aim, present)).contains($0.shown.contrast(with: ground)) }
        if let fitting, present > aim { result.foreground = fitting.color }
        return result
    }

    /// Returns a style with two darker colours.
    func darkened(_ style: Style) -> Style {
        guard let (text, ground) = shown(style) else { return style }
        return Style(
            foreground: available(text.mixed(with: .black, ThemeFading.pictureShadow)).color,
            background: available(ground.mixed(with: .black, ThemeFading.pictureShadow)).color,
            attributes: style.attributes)
    }

    /// Returns a style on a darker ground, on which text is as readable as before. Nothing is darker than black, so a
    /// black ground stays as it is.
    func shaded(_ style: Style) -> Style {
        guard let (text, ground) = shown(style) else { return style }
        let share = ground.luminance < 0.18 ? ThemeFading.darkShadow : ThemeFading.lightShadow
        let dark = available(ground.mixed(with: .black, share))
        guard dark.shown.luminance < ground.luminance, dark.shown.contrast(with: ground) >= ThemeFading.minimumShadow
        else { return style }
        let minimum = min(ThemeFading.minimumContrast, text.contrast(with: ground))
        let ink = text.steps(awayFrom: [dark.shown]).lazy.map(available)
            .first { $0.shown.contrast(with: dark.shown) >= minimum }
        return Style(
            foreground: ink?.color ?? style.foreground, background: dark.color, attributes: style.attributes)
    }
}
