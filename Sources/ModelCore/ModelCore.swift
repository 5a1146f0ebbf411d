// The composition: whoever imports it sees the kernel and all features.
@_exported import Accounts
@_exported import Downloads
@_exported import Feeds
@_exported import LibraryKernel
@_exported import RaceCentre
@_exported import Races
@_exported import ReaderImport
@_exported import Rules
@_exported import Search
