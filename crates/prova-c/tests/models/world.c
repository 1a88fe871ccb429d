/* What comes from the world is the world's: only what is fixed about it is compared. */
#define _GNU_SOURCE
#include "bench.h"
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* What the machine is given for the next value that it asks for. */
#define GIVE(n) say("@ " #n "\n")

static char buffer[40];

static void clocks(void)
{
    GIVE(5);
    time_t t = 0, now = time(below(2) ? &t : 0);
    line("time"); truth(t == 0 || t == now); end();
    GIVE(7);
    clock();
    line("clock"); end();
    int a = (int)draw(), b = (int)draw();
    double d = difftime(a, b);
    line("difftime"); bytes(&d, 8); end();
    struct timeval v;
    GIVE(1);
    GIVE(f4240);
    int r = gettimeofday(&v, 0);
    line("gettimeofday"); integer(r); truth(v.tv_usec >= 0 && v.tv_usec < 1000000); end();
    struct timespec s;
    GIVE(0);
    GIVE(1);
    GIVE(2);
    r = clock_gettime(CLOCK_REALTIME, &s);
    line("clock_gettime"); truth(r == 0 && (s.tv_nsec < 0 || s.tv_nsec > 999999999)); end();
}

static void process(void)
{
    GIVE(1);
    getpid();
    line("getpid"); end();
    GIVE(1);
    line("getppid"); truth(getppid() < 0); end();
    GIVE(1);
    GIVE(2);
    GIVE(3);
    GIVE(4);
    getuid(); geteuid(); getgid(); getegid();
    line("getuid"); end();
    line("geteuid"); end();
    line("getgid"); end();
    line("getegid"); end();
    GIVE(0);
    int r = isatty(0);
    line("isatty"); truth(r == 0 || r == 1); end();
    GIVE(0);
    line("sleep"); integer(sleep(0)); end();
    GIVE(0);
    r = usleep(0);
    line("usleep"); truth(r == 0 || r == -1); end();
}

static void files(void)
{
    setlinebuf(stdout);
    line("setlinebuf"); end();
    setbuf(stderr, 0);
    line("setbuf"); end();
    GIVE(0);
    setvbuf(stderr, 0, _IONBF, 0);
    line("setvbuf"); end();
    clearerr(stdin);
    line("clearerr"); truth(feof(stdin)); truth(ferror(stdin)); end();
    GIVE(1);
    FILE *f = fopen("/no/such/file", "r");
    line("fopen"); truth(f != 0); end();
    GIVE(1);
    f = fopen64("/no/such/file", "r");
    line("fopen64"); truth(f != 0); end();
}

static void closing(void)
{
    GIVE(0);
    FILE *f = fopen("/dev/null", "r");
    GIVE(ffffffff);
    line("fgetc"); integer(fgetc(f)); truth(feof(f)); end();
    GIVE(0);
    line("fclose"); integer(fclose(f)); end();
}

int main(void)
{
    for (int i = 0; i < 16; i++)
        closing();
    EACH {
        clocks();
        process();
        files();
    }
    return finish();
}
