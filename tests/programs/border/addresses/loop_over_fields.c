// expect: true
// The ends of one block, kept in a structure.
#include <stdlib.h>
extern void reach_error(void);

struct range { char *start, *end; };

int main(void)
{
    struct range r;
    r.start = malloc(8);
    if (!r.start)
        return 0;
    r.end = r.start + 8;
    if (r.end <= r.start)
        reach_error();
    return 0;
}
