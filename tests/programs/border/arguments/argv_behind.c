// expect: false or unknown
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc < 2 && !argv[1])
        reach_error();
    return 0;
}
