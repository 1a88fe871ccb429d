// expect: false or unknown
// How much of an object the compiler sees depends on how it is built.
extern void reach_error(void);

int main(void)
{
    char buffer[10];
    buffer[0] = 0;
    if (__builtin_object_size(buffer, 0) == 10)
        reach_error();
    return 0;
}
