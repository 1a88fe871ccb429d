// expect: true or unknown
// property: no-null-deref
// The first argument is used if there is one.

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    return argv[1][0] == '-';
}
