// expect: true or unknown
// property: valid-deref
// options: --entry store
// native: extern void store(char *to); int main(void) { char v[4]; store(v); return 0; }
// Nothing is written.
#include <string.h>
static char own[16];

void store(char *to)
{
    if (!to)
        return;
    strcpy(own, "longer text");
}
