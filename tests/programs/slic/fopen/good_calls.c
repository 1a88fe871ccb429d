// expect: true
#include <stdio.h>

static int count(const char *name)
{
    FILE *file = fopen(name, "r");
    int lines = 0, c;
    if (!file)
        return -1;
    do {
        c = fgetc(file);
        if (c == '\n' && lines < 3)
            lines++;
    } while (c != EOF);
    fclose(file);
    return lines;
}
int main(void)
{
    if (count("a") < 0)
        return 1;
    return count("b") < 0;
}
