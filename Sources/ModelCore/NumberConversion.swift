// For all files of the module: Swift's own conversions can end the program.
@_exported import NumberConversion
