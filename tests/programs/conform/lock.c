/* A lock that is taken and given back round a loop, with a flag for whether it is held. */
void lock(void);
void unlock(void);
int more(void);

int worker(void)
{
    int held, request, done = 0;
    do {
        lock();
        held = 1;
        request = more();
        if (request) {
            unlock();
            held = 0;
            done = done + 1;
        }
    } while (request);
    if (held) {
        unlock();
    }
    return 0;
}

/* The same, but the lock is not given back at the end. */
int careless(void)
{
    int request;
    do {
        lock();
        request = more();
        if (request) {
            unlock();
        }
    } while (request);
    return 0;
}

/* The counter decides what the flag decided. */
int counting(void)
{
    int request, old, new = 0;
    do {
        lock();
        old = new;
        request = more();
        if (request) {
            unlock();
            new = new + 1;
        }
    } while (new != old);
    unlock();
    return 0;
}
