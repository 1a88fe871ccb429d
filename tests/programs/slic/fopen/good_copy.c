// expect: true
#include <stdio.h>

int main(void)
{
    FILE *in = fopen("in", "r");
    FILE *out;
    int c;
    if (in == NULL)
        return 1;
    out = fopen("out", "w");
    if (out == NULL) {
        fclose(in);
        return 1;
    }
    c = fgetc(in);
    fclose(in);
    fputc(c, out);
    fclose(out);
    return 0;
}
