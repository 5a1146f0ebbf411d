import ModelCore

extension EntryViewController: PlaceShowing {
    package var placeShown: ShownPlace? {
        let (id, access, facts) = (entryID, services.access, EntryFacts(services: services))
        return ShownPlace(
            subject: id,
            place: { [weak self] in
                let scope = self?.sequence?.wholeScope
                return .entry(
                    id, in: scope.flatMap { scope in access.read(nil) { try PlaceNames($0).list(of: scope) } })
            }, facts: { facts.paragraphs(of: id) }, keepPlace: { [weak self] in self?.keepPlace() })
    }
}
