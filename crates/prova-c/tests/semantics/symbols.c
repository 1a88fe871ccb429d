/* Two names for one thing; definitions that give way; things that may not exist. */
int printf(const char *, ...);

int value = 3;
extern int other_value __attribute__((alias("value")));
static int *of_other = &other_value;

static int twice(int x) { return 2 * x; }
int doubled(int x) __attribute__((alias("twice")));
static int (*table[])(int) = {doubled, twice};

__attribute__((weak)) int weak_here(void) { return 11; }

void by_pragma(void);
#pragma weak by_pragma

int real_name(int x) { return x + 100; }
int c_name(int x) __asm__("real_name");
int c_defined(int) __asm__("linker_defined");
int c_defined(int x) { return x + 200; }
int linker_defined(int);

extern int missing_function(int) __attribute__((weak));
extern int missing_variable __attribute__((weak));

int main(void) {
    other_value++;
    printf("%d %d %d\n", value, other_value, *of_other);
    printf("%d %d %d\n", &value == &other_value, doubled == twice, table[0] == table[1]);
    printf("%d %d\n", doubled(4), table[0](5) + table[1](6));
    printf("%d\n", weak_here());
    printf("%d %d\n", c_name(1), linker_defined(1) + c_defined(2));
    if (missing_function)
        printf("%d\n", missing_function(1));
    if (&missing_variable != 0)
        missing_variable = 4;
    if (by_pragma)
        by_pragma();
    return 0;
}
