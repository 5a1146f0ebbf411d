/// The elements that the reader knows (HTML Living Standard, MathML Core, and obsolete ones).
package enum HTMLTag: String, CaseIterable, Sendable {
    case html, head, body, title, meta, link, base, script, style, noscript, template
    case article, section, nav, aside, header, footer, main, address, hgroup, search, dialog
    case h1, h2, h3, h4, h5, h6
    case p, div, span, center, font, pre, listing, plaintext, xmp, blockquote, hr, br, wbr, figure, figcaption, details,
        summary
    case ul, ol, li, menu, dl, dt, dd, dir
    case a, b, strong, i, em, cite, `var`, dfn, code, kbd, samp, tt, mark, q, sup, sub, del, s, strike, ins, u, small,
        big
    case abbr, acronym, time, data, bdi, bdo, ruby, rt, rp, rb, label
    case table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th
    case img, picture, source, video, audio, track, iframe, embed, object, param, canvas, map, area
    case form, fieldset, legend, input, textarea, select, option, optgroup, button, datalist, output, progress, meter
    case svg, text, g, desc, defs, metadata
    case math, mi, mn, mo, mrow, mfrac, msqrt, msup, msub, annotation, annotationXML = "annotation-xml"
    case other

    /// Whether it is one of the six headings.
    package var isHeading: Bool {
        switch self {
        case .h1, .h2, .h3, .h4, .h5, .h6: true
        default: false
        }
    }

    /// Whether a script of a type contains a formula for MathJax.
    package static func isFormula(scriptType: String?) -> Bool {
        scriptType?.lowercased().hasPrefix("math/tex") == true
    }

    /// Whether it is a void element, which has no end tag.
    package var isVoid: Bool {
        switch self {
        case .area, .base, .br, .col, .embed, .hr, .img, .input, .link, .meta, .param, .source, .track, .wbr: true
        default: false
        }
    }
}

extension HTMLTag {
    /// Whether it is a block that libxml2 doesn't know, because it is newer.
    var isNewBlock: Bool {
        switch self {
        case .article, .section, .nav, .aside, .header, .footer, .main, .figure, .figcaption, .details, .summary,
            .hgroup, .search, .dialog:
            true
        default: false
        }
    }

    /// Whether the end tag closes open elements inside, as HTML says for blocks.
    var closesOpenElements: Bool {
        switch self {
        case .address, .blockquote, .dl, .fieldset, .ol, .pre, .ul: true
        default: isNewBlock
        }
    }

    /// Whether an end tag inside doesn't close what is around the element.
    var isScope: Bool {
        switch self {
        case .table, .td, .th, .caption, .object, .template: true
        default: false
        }
    }
}
