// expect: false or unknown
// arguments: abc
// Arguments may be written, and the first letter is then another.
extern void reach_error(void);

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1][0] == 0)
        return 0;
    argv[1][0] = '!';
    if (argv[1][0] == '!')
        reach_error();
    return 0;
}
