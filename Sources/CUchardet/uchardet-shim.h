// Detects the encoding of text by its letters.
#include <uchardet.h>
