// expect: false or unknown
// native: void maybe_stop(void) { }
// native: #include <stdlib.h>
// native: void stop(void) { _Exit(0); }
// A function that nobody defines here may return.
extern void reach_error(void);
extern void stop(void) __attribute__((noreturn));
extern void maybe_stop(void);

int main(void)
{
    maybe_stop();
    reach_error();
    return 0;
}
