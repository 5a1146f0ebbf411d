// Exported to all files of the module, because Swift's own conversions can trap.
@_exported import NumberConversion
