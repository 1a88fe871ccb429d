// expect: false or unknown
// property: valid-deref
// options: --entry store
// native: extern void store(char *to); int main(void) { char v[4]; store(v); return 0; }
// A buffer that is passed need not have room for the text.
#include <string.h>
static char own[16];

void store(char *to)
{
    if (!to)
        return;
    strcpy(to, "longer text");
}
