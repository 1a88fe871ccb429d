// expect: true or unknown
// arguments: one two
// main calls itself until nothing is left.
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc < 0)
        reach_error();
    if (argc > 0)
        return main(argc - 1, argv);
    return 0;
}
