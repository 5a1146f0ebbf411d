// The lookup of HTML's character names is deprecated in newer versions, but has no replacement.
#define XML_DEPRECATED
#include <libxml/xmlversion.h>
// libxml2 names ICU's headers, which another module of a Swift program has in a version of its own. Nothing of ICU is
// used through libxml2's interface.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
