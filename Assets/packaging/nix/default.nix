# The tarball of a release with Nix's libraries. Tried: parsed by nix-instantiate. Not tried: nix-build. Fill in the hash of the release.
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation rec {
  pname = "tappa";
  version = "0.1.0";
  src = pkgs.fetchurl {
    url = "https://github.com/tappa-reader/tappa/releases/download/v${version}/tappa-${version}-linux-${pkgs.stdenv.hostPlatform.parsed.cpu.name}.tar.gz";
    hash = pkgs.lib.fakeHash;
  };
  nativeBuildInputs = [ pkgs.autoPatchelfHook pkgs.makeWrapper ];
  buildInputs = with pkgs; [
    ncurses libxml2 sqlite libjpeg libspng libwebp giflib uchardet pcre2 zstd zlib stdenv.cc.cc.lib
  ];
  installPhase = ''
    mkdir -p $out
    cp -r bin share $out
    # tappa opens libcurl by its name when it fetches something.
    wrapProgram $out/bin/tappa --prefix LD_LIBRARY_PATH : ${pkgs.lib.makeLibraryPath [ pkgs.curl ]}
  '';
  meta = {
    description = "RSS reader and bike-race tracker for the terminal";
    homepage = "https://github.com/tappa-reader/tappa";
    license = pkgs.lib.licenses.mit;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
  };
}
