# The tarball of a release with Nix's libraries. Tried: evaluated by nix-instantiate with a substitute for nixpkgs. Not tried: nix-build.
# Fill in the hash of the release.
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation rec {
  pname = "tappa";
  version = "0.1.0";
  src = pkgs.fetchurl {
    url = "https://github.com/tappa-reader/tappa/releases/download/v${version}/tappa-${version}-linux-${pkgs.stdenv.hostPlatform.parsed.cpu.name}.tar.gz";
    hash = pkgs.lib.fakeHash;
  };
  nativeBuildInputs = [ pkgs.autoPatchelfHook ];
  # The tarball needs libxml2.so.2, which later versions of libxml2 don't contain.
  buildInputs = with pkgs; [
    ncurses (pkgs.libxml2_13 or libxml2) sqlite libjpeg libspng libwebp giflib uchardet pcre2 zstd zlib stdenv.cc.cc.lib
  ];
  # tappa opens libcurl by its name when it fetches something.
  runtimeDependencies = [ (pkgs.lib.getLib pkgs.curl) ];
  installPhase = ''
    mkdir -p $out
    cp -r bin share $out
  '';
  meta = {
    description = "RSS reader and bike-race tracker for the terminal";
    homepage = "https://github.com/tappa-reader/tappa";
    license = pkgs.lib.licenses.mit;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
  };
}
