import CLibXML2
import Foundation
import TerminalText

/// Tables: of data, or places for parts of a page.
extension ArticleWriter {
    /// Elements that a cell of data has not: a table with them places parts of a page.
    private static let layout: Set<String> = [
        "table", "div", "p", "ul", "ol", "dl", "pre", "blockquote", "h1", "h2", "h3", "h4", "section", "article",
        "figure",
        "hr", "iframe", "video", "audio",
    ]

    /// A table of data is laid out as one; what only places parts of a page is read in its order.
    mutating func table(_ node: xmlNodePtr, depth: Int) {
        var rows: [xmlNodePtr] = []
        guard attribute("role", node) != "presentation", collectRows(node, &rows, depth: 0), !isInCell else {
            return block(node, depth: depth)
        }
        endParagraph()
        separate()
        let source = rows.map { cells(of: $0, depth: depth) }
        let table = ArticleTable(source)
        if table.isTable {
            for paragraph in table.paragraphs where !isFull { add(paragraph) }
        } else {
            for cell in source.joined() {
                spans = cell.spans
                endParagraph()
            }
        }
        endParagraph()
        separate()
    }

    /// The rows of a table; false where it is none of data, or too large for one.
    func collectRows(_ node: xmlNodePtr, _ rows: inout [xmlNodePtr], depth: Int) -> Bool {
        var child = node.pointee.children
        while let present = child {
            child = present.pointee.next
            guard present.pointee.type == XML_ELEMENT_NODE, let name = present.pointee.name.map({ String(cString: $0) })
            else { continue }
            switch name.lowercased() {
            case "tr":
                rows.append(present)
                guard rows.count <= ArticleWriter.maximumRows, isOfData(present, depth: 0) else { return false }
            case "thead", "tbody", "tfoot":
                guard depth < 4, collectRows(present, &rows, depth: depth + 1) else { return false }
            case "caption": return false
            default: break
            }
        }
        return true
    }

    private static let maximumRows = 5000

    func isOfData(_ node: xmlNodePtr, depth: Int) -> Bool {
        guard depth < 16 else { return false }
        var child = node.pointee.children
        while let present = child {
            child = present.pointee.next
            guard present.pointee.type == XML_ELEMENT_NODE, let name = present.pointee.name else { continue }
            if ArticleWriter.layout.contains(String(cString: name).lowercased()) { return false }
            if !isOfData(present, depth: depth + 1) { return false }
        }
        return true
    }

    mutating func cells(of row: xmlNodePtr, depth: Int) -> [ArticleTable.Cell] {
        var result: [ArticleTable.Cell] = []
        var child = row.pointee.children
        while let present = child {
            child = present.pointee.next
            guard present.pointee.type == XML_ELEMENT_NODE, let name = present.pointee.name else { continue }
            let kind = String(cString: name).lowercased()
            guard kind == "td" || kind == "th", !isHidden(present) else { continue }
            cells += 1
            guard cells <= ArticleWriter.maximumCells else { return result }
            isInCell = true
            inline(kind == "th" ? .strong : [], present, depth: depth)
            isInCell = false
            flushSpan()
            var cell = ArticleTable.Cell(spans: spans, isHeading: kind == "th")
            cell.across = attribute("colspan", present).flatMap { Int($0) } ?? 1
            cell.down = attribute("rowspan", present).flatMap { Int($0) } ?? 1
            result.append(cell)
            spans = []
            endsInBlank = true
        }
        return result
    }

    mutating func row(_ node: xmlNodePtr, depth: Int) {
        endParagraph()
        var child = node.pointee.children
        var isFirst = true
        while let present = child {
            child = present.pointee.next
            guard present.pointee.type == XML_ELEMENT_NODE, let name = present.pointee.name else { continue }
            let isHeader = String(cString: name).lowercased() == "th"
            cells += 1
            guard cells <= ArticleWriter.maximumCells else { return }
            if !isFirst {
                flushSpan()
                spans.append(StyledSpan(" │ ", .secondary))
                endsInBlank = true
            }
            isFirst = false
            inline(isHeader ? .strong : [], present, depth: depth)
        }
        endParagraph()
        needsBlank = false
    }
}
