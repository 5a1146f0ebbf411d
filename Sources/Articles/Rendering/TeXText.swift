/// Formulas in TeX as plain text, by the rules for MathML: `x^2` is x², `\frac{a}{b}` is a / b, `\sqrt{x}` is √(x).
enum TeXText {
    /// Returns the text of a formula. What it doesn't know stays as written.
    static func plain(_ source: String) -> String {
        var reader = TeXReader(source)
        return reader.group(until: nil).split(separator: " ").joined(separator: " ")
    }
}

private struct TeXReader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    /// The maximum depth of groups and arguments. Deeper ones stay as written.
    private static let maximumDepth = 80

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    /// Reads up to a closing brace, or to the end.
    mutating func group(until end: Unicode.Scalar?) -> String {
        depth += 1
        defer { depth -= 1 }
        var text = ""
        while let scalar = next {
            if scalar == end {
                index += 1
                break
            }
            switch scalar {
            case "^", "_":
                index += 1
                let part = argument()
                let open = scalar == "^" ? "^(" : "_("
                text += part.isEmpty ? "" : RaisedText.signs(part, isRaised: scalar == "^") ?? open + part + ")"
            default: text += atom()
            }
        }
        return text
    }

    /// Reads a group, a command or a character.
    private mutating func atom() -> String {
        guard let scalar = next else { return "" }
        index += 1
        switch scalar {
        case "{": return depth < TeXReader.maximumDepth ? group(until: "}") : "{"
        case "}": return ""
        case "\\": return depth < TeXReader.maximumDepth ? command() : "\\"
        case "~", "&": return " "
        case "'": return "′"
        case "-": return "−"
        case "%":
            // A comment.
            while let skipped = next, skipped != "\n" { index += 1 }
            return ""
        case _ where scalar.properties.isWhitespace: return " "
        default: return String(scalar)
        }
    }

    private mutating func argument() -> String {
        depth += 1
        defer { depth -= 1 }
        while next?.properties.isWhitespace == true { index += 1 }
        return atom().split(separator: " ").joined(separator: " ")
    }

    /// Reads an argument in brackets, if there is one.
    private mutating func option() -> String? {
        guard next == "[" else { return nil }
        index += 1
        return group(until: "]")
    }

    private mutating func name() -> String {
        var name = ""
        while let scalar = next, scalar.isASCII, scalar.properties.isAlphabetic {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        if name.isEmpty, let scalar = next {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        return name
    }

    private mutating func command() -> String {
        let name = name()
        if let sign = TeXSigns.signs[name] { return sign }
        if TeXSigns.texts.contains(name) { return argument() }
        if TeXSigns.ignored.contains(name) { return "" }
        if let mark = TeXSigns.accents[name] {
            let part = argument()
            return part.unicodeScalars.count == 1 ? part + String(mark) : part
        }
        switch name {
        case "frac", "dfrac", "tfrac", "cfrac":
            return TeXReader.enclosed(argument()) + " / " + TeXReader.enclosed(argument())
        case "sqrt":
            let root = option().flatMap { RaisedText.signs($0, isRaised: true) } ?? ""
            return root + "√(" + argument() + ")"
        case "binom": return "(" + argument() + " over " + argument() + ")"
        case "mathbb":
            let part = argument()
            return TeXSigns.doubled[part] ?? part
        case "left", "right":
            let delimiter = atom()
            return delimiter == "." ? "" : delimiter
        case "begin", "end":
            _ = argument()
            return " "
        case "tag": return " (" + argument() + ")"
        case "label":
            _ = argument()
            return ""
        default: return name.unicodeScalars.first?.properties.isAlphabetic == true ? "\\" + name : name
        }
    }

    /// Returns a part of a fraction, in parentheses if it has several terms.
    private static func enclosed(_ part: String) -> String {
        part.contains { "+−=".contains($0) } ? "(" + part + ")" : part
    }
}

private enum TeXSigns {
    static let texts: Set<String> = [
        "text", "textrm", "textbf", "textit", "texttt", "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal",
        "mathscr", "mathfrak", "mbox", "operatorname", "boldsymbol", "bm", "underline", "overbrace", "underbrace",
    ]
    static let ignored: Set<String> = [
        "limits", "nolimits", "displaystyle", "textstyle", "scriptstyle", "big", "Big", "bigg", "Bigg", "bigl", "bigr",
        "Bigl", "Bigr", "nonumber", "notag", "!", "mathstrut",
    ]
    static let accents: [String: Unicode.Scalar] = [
        "hat": "\u{302}", "widehat": "\u{302}", "bar": "\u{304}", "overline": "\u{304}", "tilde": "\u{303}",
        "widetilde": "\u{303}", "dot": "\u{307}", "ddot": "\u{308}", "vec": "\u{20D7}",
    ]
    static let doubled = ["R": "ℝ", "N": "ℕ", "Z": "ℤ", "Q": "ℚ", "C": "ℂ", "P": "ℙ", "H": "ℍ"]

    static let signs: [String: String] = [
        "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
        "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
        "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ",
        "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
        "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
        "cdot": "·", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘",
        "bullet": "•", "oplus": "⊕", "otimes": "⊗", "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "neg": "¬",
        "cap": "∩", "cup": "∪", "setminus": "∖", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
        "ll": "≪", "gg": "≫", "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃", "cong": "≅", "propto": "∝",
        "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇",
        "emptyset": "∅", "varnothing": "∅", "forall": "∀", "exists": "∃", "infty": "∞", "partial": "∂", "nabla": "∇",
        "sum": "∑", "prod": "∏", "int": "∫", "iint": "∬", "oint": "∮", "to": "→", "rightarrow": "→", "leftarrow": "←",
        "leftrightarrow": "↔", "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "implies": "⇒", "iff": "⇔",
        "mapsto": "↦", "uparrow": "↑", "downarrow": "↓", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮",
        "ddots": "⋱", "prime": "′", "degree": "°", "hbar": "ℏ", "ell": "ℓ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ",
        "angle": "∠", "perp": "⊥", "parallel": "∥", "mid": "∣", "vert": "|", "Vert": "‖", "langle": "⟨",
        "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lbrace": "{", "rbrace": "}",
        "therefore": "∴", "because": "∵", "square": "□", "quad": " ", "qquad": " ", ",": " ", ";": " ", ":": " ",
        " ": " ", "\\": "; ", "|": "‖", "{": "{", "}": "}", "bmod": " mod ", "pmod": " mod ", "colon": ":",
        "lim": "lim", "sin": "sin", "cos": "cos", "tan": "tan", "log": "log", "ln": "ln", "exp": "exp", "min": "min",
        "max": "max", "det": "det", "gcd": "gcd", "sup": "sup", "inf": "inf", "arg": "arg", "deg": "deg", "dim": "dim",
        "ker": "ker", "Pr": "Pr", "arcsin": "arcsin", "arccos": "arccos", "arctan": "arctan", "sinh": "sinh",
        "cosh": "cosh", "tanh": "tanh",
    ]
}
