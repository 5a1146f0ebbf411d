import ModelCore

extension ChangeSamples {
    /// Settings.
    static let settings = ChangeSamples(of: "ModelCore") { _ in
        [ChangeSample(.set("appearance.theme", "dark"), undo: nil, tables: ["setting"], isIdempotent: false)]
    }
}
