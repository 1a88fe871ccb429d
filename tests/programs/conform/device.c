/* A driver: a structure holds the state, routines are called through it. */
struct device {
    int open;
    int errors;
    int mode;
};

int hw_open(struct device *d);
int hw_read(struct device *d);
void hw_close(struct device *d);

static struct device only;

int transfer(int want)
{
    struct device *d = &only;
    int got = 0;
    d->open = 0;
    d->errors = 0;
    if (hw_open(d) < 0) {
        return -1;
    }
    d->open = 1;
    while (got < want) {
        int r = hw_read(d);
        if (r < 0) {
            d->errors = d->errors + 1;
            break;
        }
        got = got + 1;
    }
    if (d->open) {
        hw_close(d);
        d->open = 0;
    }
    return d->errors ? -1 : 0;
}

/* Forgets to close after an error. */
int leaky(int want)
{
    struct device *d = &only;
    int got = 0;
    d->open = 0;
    if (hw_open(d) < 0) {
        return -1;
    }
    d->open = 1;
    while (got < want) {
        if (hw_read(d) < 0) {
            return -1;
        }
        got = got + 1;
    }
    hw_close(d);
    return 0;
}
