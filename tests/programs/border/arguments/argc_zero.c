// expect: false or unknown
// A program may be started without any argument, not even its name.
extern void reach_error(void);

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 0)
        reach_error();
    return 0;
}
