// expect: true or unknown
// vsnprintf takes the arguments of the function around it.
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static char line[16];

static int note(const char *format, ...)
{
    int n;
    va_list arguments;
    va_start(arguments, format);
    n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return n;
}
int main(void)
{
    if (note("%d", 42) != 2 || line[0] != '4')
        reach_error();
    return 0;
}
