// expect: true
// `argc` is not negative.
extern void reach_error(void);

int main(int argc, char **argv)
{
    (void)argv;
    if (argc < 0)
        reach_error();
    return 0;
}
