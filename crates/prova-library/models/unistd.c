/* <unistd.h>: reading standard input, writing to standard output and error, and what the world
   tells about the process. */
int __prova_stdin_byte(void);

/* As many bytes as there are, but at least one unless the input has ended: a pipe may give fewer
   than were asked for. */
ssize_t read(int file, void *to, size_t n)
{
    char *t = to;
    if (file != 0)
        __prova_unmodelled("`read` from anything but standard input");
    size_t most = __prova_choice_size("how much `read` gives");
    size_t i = 0;
    while (i < n && (i == 0 || i < most)) {
        int c = __prova_stdin_byte();
        if (c < 0)
            break;
        t[i++] = (char)c;
    }
    return (ssize_t)i;
}

ssize_t write(int file, const void *from, size_t n)
{
    const char *f = from;
    if (file != 1 && file != 2)
        __prova_unmodelled("`write` to anything but standard output and error");
    size_t zeros = 0;
    for (size_t i = 0; i < n; i++)
        if (!f[i])
            zeros++;
    __prova_print(from, n);
    size_t missing = __prova_choice_size("how much `write` leaves");
    if (missing > n) {
        __prova_set_errno(__prova_choice_int("why `write` fails") & 127);
        return -1;
    }
    return (ssize_t)(n - missing);
}

/* A process has one number, one parent until that ends, and the users it began with. */
int getpid(void)
{
    static int number;
    if (!number) {
        number = __prova_input_int("getpid");
        __prova_assume(number > 0);
    }
    return number;
}

int getppid(void)
{
    int r = __prova_input_int("getppid");
    __prova_assume(r >= 0);
    return r;
}

unsigned getuid(void)
{
    static unsigned user;
    static int asked;
    if (!asked) {
        asked = 1;
        user = __prova_input_uint("getuid");
    }
    return user;
}

unsigned geteuid(void)
{
    static unsigned user;
    static int asked;
    if (!asked) {
        asked = 1;
        user = __prova_input_uint("geteuid");
    }
    return user;
}

unsigned getgid(void)
{
    static unsigned group;
    static int asked;
    if (!asked) {
        asked = 1;
        group = __prova_input_uint("getgid");
    }
    return group;
}

unsigned getegid(void)
{
    static unsigned group;
    static int asked;
    if (!asked) {
        asked = 1;
        group = __prova_input_uint("getegid");
    }
    return group;
}

int isatty(int file)
{
    (void)file;
    int r = __prova_input_bool("isatty");
    return r;
}

unsigned sleep(unsigned seconds)
{
    unsigned left = __prova_input_uint("sleep");
    __prova_assume(left <= seconds);
    return left;
}

int usleep(unsigned microseconds)
{
    (void)microseconds;
    int r = __prova_input_int("usleep");
    __prova_assume(r == 0 || r == -1);
    return r;
}
