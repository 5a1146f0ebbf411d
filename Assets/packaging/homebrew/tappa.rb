# Homebrew on Linux. Tried: checked by ruby -c. Not tried: brew install.
class Tappa < Formula
  desc "RSS reader and bike-race tracker for the terminal"
  homepage "https://github.com/tappa-reader/tappa"
  url "https://github.com/tappa-reader/tappa.git", tag: "v0.1.0"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "curl"
  depends_on "giflib"
  depends_on "jpeg-turbo"
  depends_on "libspng"
  depends_on "libxml2"
  depends_on :linux
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "sqlite"
  depends_on "uchardet"
  depends_on "webp"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    (testpath/"feed.xml").write <<~XML
      <rss version="2.0"><channel><title>Feed</title><item><title>One entry</title></item></channel></rss>
    XML
    assert_match "One entry", shell_output("#{bin}/tappa parse feed.xml")
  end
end
