/* Loops that count. */
void send(int what);
void stop(void);

void three(void)
{
    int i;
    for (i = 0; i < 3; i++) {
        send(i);
    }
    stop();
}

void upto(unsigned n)
{
    unsigned i;
    if (n > 4) {
        n = 4;
    }
    for (i = 0; i < n; i++) {
        send(7);
    }
    stop();
}

void array(void)
{
    int todo[3] = { 1, 0, 1 };
    int i;
    for (i = 0; i < 3; i++) {
        if (todo[i]) {
            send(i);
        }
    }
    stop();
}
