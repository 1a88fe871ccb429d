// expect: false or unknown
// property: no-null-deref
// Behind the last argument stands a null pointer, which must not be read.

int main(int argc, char **argv)
{
    if (argc > 0)
        return *argv[argc];
    return 0;
}
