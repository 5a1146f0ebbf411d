// HTML's names of characters are looked up here as before: newer versions advise against it and have nothing in its place.
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
