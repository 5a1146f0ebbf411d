@_exported import TerminalScreen
@_exported import TerminalText
