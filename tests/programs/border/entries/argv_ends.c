// expect: true or unknown
// property: no-null-deref
// Behind the last argument stands a null pointer.

int main(int argc, char **argv)
{
    if (argc > 0 && argv[argc])
        return *argv[argc];
    return 0;
}
