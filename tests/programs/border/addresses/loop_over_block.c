// expect: true
// The usual loop over a buffer, with another block around.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    int *other = malloc(sizeof(int));
    int *a = malloc(4 * sizeof(int));
    if (!a || !other)
        return 0;
    int n = 0;
    for (int *p = a; p < a + 4; p++)
        n++;
    if (n != 4)
        reach_error();
    return 0;
}
