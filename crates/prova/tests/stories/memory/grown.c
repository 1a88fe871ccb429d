// check: --property valid-deref
#include <stdlib.h>
int main(void)
{
    int *values = calloc(4, sizeof *values), *more;
    if (!values)
        return 1;
    more = realloc(values, 8 * sizeof *values);
    if (!more) {
        free(values);
        return 1;
    }
    more[8] = 7;
    free(more);
    return 0;
}
