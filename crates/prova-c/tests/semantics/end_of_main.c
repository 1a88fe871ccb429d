/* Returning from `main` is calling `exit` with what it returns. */
int printf(const char *, ...);
int atexit(void (*)(void));
int on_exit(void (*)(int, void *), void *);

static int counter;
static void told(int status, void *what) { printf("told %d %d\n", status, *(int *)what); }
static void plain(void) { counter++; printf("plain %d\n", counter); }

int main(void) {
    on_exit(told, &counter);
    atexit(plain);
    atexit(plain);
    if (counter == 0)
        return 5;
    return 6;
}
