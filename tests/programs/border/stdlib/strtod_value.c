// expect: true or unknown
// strtod reads a half exactly.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *end;
    double x = strtod("5e-1z", &end);
    if (x != 0.5 || *end != 'z')
        reach_error();
    return 0;
}
