#include "entry.h"

#include <curses.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

// The compiled format of term(5) with 32-bit numbers: header, names, booleans, numbers, offsets of strings and strings, then the
// same for capabilities that aren't standard.
enum {
    magic = 01036,
    capacity = 32768,
    direct_colors = 0x1000000,
    direct_pairs = 0x7FFF,
    absent = 0xFFFF,
};

static const char choose_foreground[] =
    "\033[%?%p1%{8}%<%t3%p1%d%e%p1%{16}%<%t9%p1%{8}%-%d%e%p1%{256}%<%t38;5;%p1%d"
    "%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m";
static const char choose_background[] =
    "\033[%?%p1%{8}%<%t4%p1%d%e%p1%{16}%<%t10%p1%{8}%-%d%e%p1%{256}%<%t48;5;%p1%d"
    "%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m";

typedef struct {
    uint8_t bytes[capacity];
    size_t count;
    bool overflow;
} description;

static void put(description *out, const void *bytes, size_t count) {
    if (out->count + count > capacity) {
        out->overflow = true;
        return;
    }
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

static void put_byte(description *out, uint8_t value) { put(out, &value, 1); }

static void put_short(description *out, unsigned value) {
    put_byte(out, value & 0xFF);
    put_byte(out, value >> 8 & 0xFF);
}

static void put_number(description *out, int value) {
    put_short(out, (unsigned)value & 0xFFFF);
    put_short(out, (unsigned)value >> 16 & 0xFFFF);
}

static void even(description *out) {
    if (out->count % 2 != 0) put_byte(out, 0);
}

// ncurses has no attribute for struck-through text. It uses blinking, which the program doesn't need: this is the terminal's own
// sgr with another number in place of blinking's.
static char struck_sgr[1024];
static const char blink_in_sgr[] = "%p4%t;5%;";
static const char strike[] = "\033[9m";
static bool strikes;

static void prepare_strike(void) {
    const char *own = tigetstr("smxx"), *sgr = tigetstr("sgr");
    strikes = own != NULL && own != (char *)-1 && strcmp(own, strike) == 0;
    struck_sgr[0] = 0;
    if (!strikes || sgr == NULL || sgr == (char *)-1) return;
    const char *blink = strstr(sgr, blink_in_sgr);
    strikes = blink != NULL && strlen(sgr) < sizeof struck_sgr;
    if (!strikes) return;
    strcpy(struck_sgr, sgr);
    struck_sgr[blink - sgr + (long)strlen(blink_in_sgr) - 3] = '9';
}

// Ways to move the cursor that are left out. ncurses would compare five for each move, and formatting them takes longer than
// sending the few extra bytes.
static bool is_other_move(const char *name) {
    static const char *const moves[] = {"hpa", "vpa", "cuu", "cud", "cub", "cuf"};
    for (size_t index = 0; index < sizeof moves / sizeof moves[0]; index++) {
        if (strcmp(name, moves[index]) == 0) return true;
    }
    return false;
}

static const char *string_of(const char *name) {
    if (strikes && strcmp(name, "blink") == 0) return strike;
    if (struck_sgr[0] != 0 && strcmp(name, "sgr") == 0) return struck_sgr;
    if (strcmp(name, "setaf") == 0) return choose_foreground;
    if (strcmp(name, "setab") == 0) return choose_background;
    if (strcmp(name, "initc") == 0 || is_other_move(name)) return NULL;
    const char *value = tigetstr(name);
    return value == (char *)-1 ? NULL : value;
}

static int number_of(const char *name) {
    if (strcmp(name, "colors") == 0) return direct_colors;
    if (strcmp(name, "pairs") == 0) return direct_pairs;
    int value = tigetnum(name);
    return value < 0 ? -1 : value;
}

static bool flag_of(const char *name) { return strcmp(name, "ccc") != 0 && tigetflag(name) > 0; }

static void put_standard(description *out, const char *term) {
    int flags = 0, numbers = 0, strings = 0;
    size_t table = 0;
    while (boolnames[flags] != NULL) flags++;
    while (numnames[numbers] != NULL) numbers++;
    for (; strnames[strings] != NULL; strings++) {
        const char *value = string_of(strnames[strings]);
        if (value != NULL) table += strlen(value) + 1;
    }
    const char *about = "|with direct colours";
    size_t names = strlen(term) + strlen(about) + 1;
    const unsigned header[] = {magic, (unsigned)names, (unsigned)flags, (unsigned)numbers, (unsigned)strings, (unsigned)table};
    for (size_t index = 0; index < sizeof header / sizeof header[0]; index++) put_short(out, header[index]);
    put(out, term, strlen(term));
    put(out, about, strlen(about) + 1);
    for (int index = 0; index < flags; index++) put_byte(out, flag_of(boolnames[index]) ? 1 : 0);
    even(out);
    for (int index = 0; index < numbers; index++) put_number(out, number_of(numnames[index]));
    unsigned offset = 0;
    for (int index = 0; index < strings; index++) {
        const char *value = string_of(strnames[index]);
        put_short(out, value == NULL ? absent : offset);
        if (value != NULL) offset += (unsigned)strlen(value) + 1;
    }
    for (int index = 0; index < strings; index++) {
        const char *value = string_of(strnames[index]);
        if (value != NULL) put(out, value, strlen(value) + 1);
    }
}

// AX: 39 and 49 select the default colours. RGB: numbers are red, green and blue. U8: line drawing works only in UTF-8.
static void put_extended(description *out) {
    bool has_own = tigetflag("AX") > 0;
    int only_unicode = tigetnum("U8");
    bool has_number = only_unicode >= 0;
    const char *names[3];
    unsigned count = 0, table = 0;
    if (has_own) names[count++] = "AX";
    names[count++] = "RGB";
    if (has_number) names[count++] = "U8";
    for (unsigned index = 0; index < count; index++) table += (unsigned)strlen(names[index]) + 1;
    even(out);
    put_short(out, has_own ? 2 : 1);
    put_short(out, has_number ? 1 : 0);
    put_short(out, 0);
    put_short(out, count);
    put_short(out, table);
    put_byte(out, 1);
    if (has_own) put_byte(out, 1);
    even(out);
    if (has_number) put_number(out, only_unicode);
    unsigned offset = 0;
    for (unsigned index = 0; index < count; index++) {
        put_short(out, offset);
        offset += (unsigned)strlen(names[index]) + 1;
    }
    for (unsigned index = 0; index < count; index++) put(out, names[index], strlen(names[index]) + 1);
}

static char *hexadecimal(const description *entry) {
    static const char digits[] = "0123456789ABCDEF";
    char *text = malloc(entry->count * 2 + 5);
    if (text == NULL) return NULL;
    memcpy(text, "hex:", 4);
    for (size_t index = 0; index < entry->count; index++) {
        text[4 + 2 * index] = digits[entry->bytes[index] >> 4];
        text[5 + 2 * index] = digits[entry->bytes[index] & 15];
    }
    text[4 + 2 * entry->count] = 0;
    return text;
}

char *cne_with_direct_colors(const char *term, cne_described *described) {
    int colors = tigetnum("colors");
    described->colors = colors < 0 ? 0 : colors;
    const char *text = tigetstr("RGB");
    described->has_direct = tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (text != NULL && text != (char *)-1);
    const char *own = tigetstr("setaf");
    if (colors < 8 || own == NULL || own == (char *)-1 || strncmp(own, "\033[", 2) != 0) return NULL;
    description *entry = calloc(1, sizeof *entry);
    if (entry == NULL) return NULL;
    prepare_strike();
    described->strikes = strikes;
    put_standard(entry, term);
    put_extended(entry);
    char *result = entry->overflow ? NULL : hexadecimal(entry);
    free(entry);
    return result;
}
