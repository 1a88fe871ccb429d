#define _DEFAULT_SOURCE
#include "bench.h"
#include <ctype.h>
#include <errno.h>

#define ASK(f) do { line(#f); integer(c); truth((f)(c)); end(); } while (0)
#define MAP(f) do { line(#f); integer(c); integer((f)(c)); end(); } while (0)

int main(void)
{
    for (int c = -1; c < 256; c++) {
        ASK(isupper); ASK(islower); ASK(isalpha); ASK(isdigit); ASK(isalnum); ASK(isspace);
        ASK(isblank); ASK(isprint); ASK(isgraph); ASK(iscntrl); ASK(ispunct); ASK(isxdigit);
        ASK(isascii); MAP(toascii); MAP(tolower); MAP(toupper); MAP(_tolower); MAP(_toupper);
    }
    for (int c = -128; c < 256; c++) {
        line("__ctype_b_loc"); integer(c); hex((*__ctype_b_loc())[c]); end();
        line("__ctype_tolower_loc"); integer(c); integer((*__ctype_tolower_loc())[c]); end();
        line("__ctype_toupper_loc"); integer(c); integer((*__ctype_toupper_loc())[c]); end();
    }
    return finish();
}
