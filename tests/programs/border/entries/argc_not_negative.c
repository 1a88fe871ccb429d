// expect: true
// arguments: one two
// There are not fewer than no arguments.
extern void reach_error(void);

int main(int argc, char **argv)
{
    (void)argv;
    if (argc < 0)
        reach_error();
    return 0;
}
