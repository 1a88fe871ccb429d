// expect: pure true, havoc false
// An array is written as a whole, through a procedure between.
extern void reach_error(void);
extern long fetch(int fd, void *to, unsigned long n);

static void get(char *line)
{
    fetch(0, line, 8);
}

int main(void)
{
    char line[8] = "";
    get(line + 2);
    if (line[7] == 'x')
        reach_error();
    return 0;
}
