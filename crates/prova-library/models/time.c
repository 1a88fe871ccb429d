/* <time.h> and <sys/time.h>: what the clock says comes from the world. */
struct timeval { long tv_sec; long tv_usec; };
struct timespec { long tv_sec; long tv_nsec; };

long time(long *to)
{
    long now = __prova_input_long("time");
    if (to)
        *to = now;
    return now;
}

long clock(void) { return __prova_input_long("clock"); }

double difftime(long later, long earlier)
{
    return (double)((long double)later - (long double)earlier);
}

int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    if (zone)
        __prova_unmodelled("a time zone for `gettimeofday`");
    if (to) {
        to->tv_sec = __prova_choice_long("the time of day");
        long part = __prova_choice_long("the time of day");
        to->tv_usec = part >= 0 && part <= 999999 ? part : 0;
    }
    return 0;
}

int clock_gettime(int which, struct timespec *to)
{
    (void)which;
    int r = __prova_choice_uchar("whether there is such a clock") & 1 ? -1 : 0;
    if (r == 0) {
        to->tv_sec = __prova_choice_long("the time of day");
        long part = __prova_choice_long("the time of day");
        to->tv_nsec = part >= 0 && part <= 999999999 ? part : 0;
    }
    return r;
}
