// expect: true or unknown
// lfind calls the comparison and finds the second element.
#include <search.h>
extern void reach_error(void);

static int differ(const void *a, const void *b)
{
    return *(const short *)a != *(const short *)b;
}
int main(void)
{
    short v[3] = {5, 6, 7}, key = 6;
    size_t n = 3;
    short *at = lfind(&key, v, &n, sizeof v[0], differ);
    if (at != v + 1)
        reach_error();
    return 0;
}
