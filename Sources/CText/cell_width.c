#define _XOPEN_SOURCE 700

#include "CCellWidth.h"

#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

int ccw_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

void ccw_use_utf8(void) {
    if (MB_CUR_MAX < 4) setlocale(LC_CTYPE, "C.UTF-8");
}
