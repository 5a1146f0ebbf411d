extension Array {
    /// Appends an element, and removes the first one if there are then more than a maximum.
    package mutating func append(_ element: Element, keepingLast maximum: Int) {
        append(element)
        if count > maximum { removeFirst() }
    }
}
