/* What `exit` and the end of `main` call (C11 7.22.4). The standard promises room for 32 functions
   of each kind. A function that is registered while others run comes before those that are left. */

struct __prova_handler {
    void (*plain)(void);
    void (*told)(int, void *);
    void *argument;
};

static struct __prova_handler __prova_handlers[32];
static int __prova_handler_count;

static void (*__prova_quick_handlers[32])(void);
static int __prova_quick_handler_count;

int atexit(void (*function)(void)) {
    if (__prova_handler_count == 32)
        __prova_unmodelled("a 33rd function that runs at the end");
    __prova_handlers[__prova_handler_count].plain = function;
    __prova_handler_count++;
    return 0;
}

int on_exit(void (*function)(int, void *), void *argument) {
    if (__prova_handler_count == 32)
        __prova_unmodelled("a 33rd function that runs at the end");
    __prova_handlers[__prova_handler_count].plain = 0;
    __prova_handlers[__prova_handler_count].told = function;
    __prova_handlers[__prova_handler_count].argument = argument;
    __prova_handler_count++;
    return 0;
}

int at_quick_exit(void (*function)(void)) {
    if (__prova_quick_handler_count == 32)
        __prova_unmodelled("a 33rd function that runs at the end");
    __prova_quick_handlers[__prova_quick_handler_count] = function;
    __prova_quick_handler_count++;
    return 0;
}

void __prova_at_exit(int status) {
    while (__prova_handler_count > 0) {
        struct __prova_handler *last;
        __prova_handler_count--;
        last = &__prova_handlers[__prova_handler_count];
        if (last->plain)
            last->plain();
        else
            last->told(status, last->argument);
    }
}

void __prova_at_quick_exit(int status) {
    while (__prova_quick_handler_count > 0) {
        __prova_quick_handler_count--;
        __prova_quick_handlers[__prova_quick_handler_count]();
    }
}
