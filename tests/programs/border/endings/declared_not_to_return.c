// expect: true or unknown
// native: void maybe_stop(void) { }
// native: #include <stdlib.h>
// native: void stop(void) { _Exit(0); }
// A function that is declared not to return does not.
extern void reach_error(void);
extern void stop(void) __attribute__((noreturn));
extern void maybe_stop(void);

int main(void)
{
    stop();
    reach_error();
    return 0;
}
