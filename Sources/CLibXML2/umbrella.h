// The lookup of HTML's character names is deprecated in newer versions, but has no replacement.
#define XML_DEPRECATED
#include <libxml/xmlversion.h>
// libxml2 includes ICU's headers, of which another module of a Swift program has its own version. libxml2's interface is used
// without ICU.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
