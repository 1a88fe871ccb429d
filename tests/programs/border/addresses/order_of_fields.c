// expect: unknown
// The ends of two blocks, kept in a structure.
#include <stdlib.h>
extern void reach_error(void);

struct range { char *start, *end; };

int main(void)
{
    struct range r;
    r.start = malloc(8);
    r.end = malloc(8);
    if (!r.start || !r.end)
        return 0;
    if (r.end <= r.start)
        reach_error();
    return 0;
}
