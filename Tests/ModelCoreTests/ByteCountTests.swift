import LibraryKernel
import Testing

/// File sizes as text.
@Suite struct ByteCountTests {
    @Test func writesSizesReadably() {
        let sizes: [(Int64, String)] = [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345, "12.3 kB"), (999_949, "999 kB"),
            (4_100_000, "4.1 MB"),
            (913_215_488, "913 MB"), (1_234_567_890, "1.2 GB"), (5_000_000_000_000, "5.0 TB"),
        ]
        for (bytes, text) in sizes { #expect(ByteCount.text(bytes) == text) }
    }
}
