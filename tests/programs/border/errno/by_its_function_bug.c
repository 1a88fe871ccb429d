// expect: false or unknown
// errno as preprocessed programs write it keeps what is stored.
extern void reach_error(void);
extern int *__errno_location(void);

int main(void)
{
    *__errno_location() = 3;
    if (*__errno_location() == 3)
        reach_error();
    return 0;
}
