extension TextView: FindableView {
    var canFind: Bool { !paragraphs.isEmpty }

    func rememberPlace() -> () -> Void {
        search = TextSearch()
        let place = place
        return { [weak self] in
            self?.search = TextSearch()
            self?.restore(place)
        }
    }

    func find(_ text: String, step: Int, end: @escaping (Bool) -> Void) {
        guard !paragraphs.isEmpty, let match = search.next(text, in: paragraphs, from: place, step: step) else {
            return end(false)
        }
        show(match)
        end(true)
    }
}
