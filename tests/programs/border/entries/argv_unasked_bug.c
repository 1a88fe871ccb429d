// expect: false or unknown
// property: no-null-deref
// The first argument need not be there.

int main(int argc, char **argv)
{
    return argv[1][0] == '-';
}
