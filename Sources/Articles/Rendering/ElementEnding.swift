/// What happens at the end of an element, decided when it starts.
enum ElementEnding {
    case nothing, inline, formula
    case quotation(close: String)
    case sign(close: String)
    case deletion
    case raised(RaisedTextWriter.Start)
    case link(LinkWriter.Start)
    case block(BlockWriter.Block)
    case table, row, cell
    case summary
    case details(Int)

    /// Whether the element has a text direction of its own.
    var isBlock: Bool {
        switch self {
        case .nothing, .inline, .formula, .quotation, .sign, .deletion, .raised, .link: false
        case .block, .table, .row, .cell, .summary, .details: true
        }
    }
}
