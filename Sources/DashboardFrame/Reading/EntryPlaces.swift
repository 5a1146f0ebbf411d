import ModelCore

extension EntryViewController: PlaceShowing {
    package var placeShown: ShownPlace? {
        let (id, access, facts, links) = (entryID, services.access, EntryFacts(services: services), links)
        return ShownPlace(
            // The article is read later.
            subject: [AnyHashable(id), AnyHashable(links.count)],
            place: { [weak self] in
                let scope = self?.sequence?.wholeScope
                return .entry(
                    id, in: scope.flatMap { scope in access.read(nil) { try PlaceNames($0).list(of: scope) } })
            }, facts: { facts.paragraphs(of: id, links: links) }, keepPlace: { [weak self] in self?.keepPlace() })
    }
}
