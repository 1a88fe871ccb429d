// expect: false
// arguments: one two
// There may be three words.
extern void reach_error(void);

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 3)
        reach_error();
    return 0;
}
