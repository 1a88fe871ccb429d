// expect: false or unknown: the model's inputs are not found again in the program as written
#include <stdio.h>

static FILE *log_file;
static void stop(void)
{
    fclose(log_file);
}
static int note(const char *text)
{
    if (fputs(text, log_file) < 0) { // bad
        stop();
        return -1;
    }
    return 0;
}
int main(void)
{
    log_file = fopen("log", "a");
    if (!log_file)
        return 1;
    note("begin");
    note("end");
    stop();
    return 0;
}
