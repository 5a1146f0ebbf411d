import DashboardFrame

extension DashboardState {
    /// The selected stage.
    package struct StageState: Codable, Hashable, Sendable {
        package var race: String
        package var number: Int
        var isDetailFocused: Bool
        /// The day on which it was selected, in days since 1970. On another day today's stage is selected.
        package var day: Int64?
    }
}
