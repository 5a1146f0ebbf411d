#!/bin/sh
# Prints what a program consists of as SPDX 2.3 (tag-value): sbom.sh PROGRAM.
#
# The Swift packages come from Package.resolved, the libraries from the program and from dpkg.
set -eu
. "$(dirname "$0")/project.sh"
program=$1
resolved=$(dirname "$0")/../../Package.resolved
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
sum=$(sha256sum "$program" | cut -d ' ' -f 1)
cat <<SPDX
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: tappa-$version
DocumentNamespace: $home_page/spdx/$version/$sum
Creator: Tool: sbom.sh
Created: $created

PackageName: tappa
SPDXID: SPDXRef-tappa
PackageVersion: $version
PackageFileName: tappa
PackageChecksum: SHA256: $sum
PackageDownloadLocation: git+$home_page@v$version
PackageLicenseDeclared: MIT
FilesAnalyzed: false
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-tappa
SPDX

# package NAME VERSION LOCATION RELATION
package() {
    id=SPDXRef-$(printf '%s' "$1" | tr -c 'A-Za-z0-9.\n' '-')
    printf '\nPackageName: %s\nSPDXID: %s\nPackageVersion: %s\nPackageDownloadLocation: %s\nFilesAnalyzed: false\n' \
        "$1" "$id" "$2" "$3"
    printf 'Relationship: SPDXRef-tappa %s %s\n' "$4" "$id"
}

# Package.resolved names each package's identity, location, revision and version in this order.
tr -d ' ",' <"$resolved" | awk -F : '
    $1 == "identity" { name = $2 }
    $1 == "location" { place = $2 ":" $3 }
    $1 == "revision" { revision = $2 }
    $1 == "version" && name { print name, $2, "git+" place "@" revision; name = "" }' |
    while read -r name number place; do package "$name" "$number" "$place" STATIC_LINK; done
{ linked "$program"; echo libcurl.so.4; } | while read -r library; do
    path=$(ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }')
    owner=$( [ -z "$path" ] || dpkg-query -S "$(readlink -f "$path")" 2>/dev/null | head -1 | cut -d : -f 1)
    number=$( [ -z "$owner" ] || dpkg-query -W -f '${Version}' "$owner")
    package "$library" "${number:-NOASSERTION}" NOASSERTION DYNAMIC_LINK
done
