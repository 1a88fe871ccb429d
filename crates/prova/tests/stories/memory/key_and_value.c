// check: --property valid-deref
#include <string.h>
static char value[4];
static int parse(const char *line)
{
    const char *equals = strchr(line, '=');
    unsigned i = 0;
    for (equals++; *equals; equals++)
        value[i++] = *equals;
    return i;
}
int main(void)
{
    return parse("name=prova");
}
