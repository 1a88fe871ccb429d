/* What runs before and after `main`. */
int printf(const char *, ...);
int atexit(void (*)(void));
int on_exit(void (*)(int, void *), void *);
void exit(int);

static int seen;

static void late(void) __attribute__((constructor));
static void late(void) { seen = seen * 10 + 3; printf("late %d\n", seen); }

__attribute__((constructor(201))) static void second(void) {
    seen = seen * 10 + 2;
    printf("second %d\n", seen);
}

static void __attribute__((constructor(101))) first(void) {
    seen = 1;
    printf("first %d\n", seen);
}

static void __attribute__((destructor(101))) last(void) { printf("last %d\n", seen); }
static void __attribute__((destructor)) before_last(void) { printf("before last %d\n", ++seen); }

static void one(void) { printf("one\n"); }
static void more(void) { printf("more\n"); }
static void two(void) { printf("two\n"); atexit(more); }
static void told(int status, void *what) { printf("told %d %d\n", status, *(int *)what); }

static void deep(int n) {
    if (n == 0)
        exit(7);
    deep(n - 1);
    printf("never\n");
}

int main(void) {
    static int number = 42;
    printf("main %d\n", seen);
    if (atexit(one) != 0 || atexit(two) != 0 || on_exit(told, &number) != 0)
        return 1;
    number++;
    deep(3);
    return 2;
}
