// expect: false or unknown
// strtod reads a half exactly, with an exponent as well.
#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *end;
    double x = strtod("5e-1z", &end);
    if (x == 0.5)
        reach_error();
    return 0;
}
