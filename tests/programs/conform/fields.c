/* A parser whose state, flags and counters share one word, as bit-fields do. */
struct parser {
    unsigned state : 3;
    unsigned turns : 20;
    unsigned errors : 4;
    unsigned more : 1;
    int mark : 2;
};

int turn(void);
void begin(void);
void item(void);
void end(void);

static void step(struct parser *p, int byte, int opened)
{
    p->turns++;
    switch (p->state) {
    case 0:
        begin();
        p->state = opened;
        break;
    case 1:
        if (byte == 0) {
            p->mark = -1;
            p->state = 2;
            break;
        }
        if (byte < 0)
            p->errors++;
        item();
        break;
    default:
        if (p->mark != -1)
            begin();
        end();
        p->state = 0;
        p->mark = byte;
        p->more = byte > 0;
    }
}

static int session(int opened)
{
    struct parser own = {0};
    int byte;
    while ((byte = turn()) != 7)
        step(&own, byte, opened);
    return 0;
}

int plain(void) { return session(1); }

/* Three bits hold no nine: this is one. */
int wraps(void) { return session(9); }

/* And this is nought. */
int slips(void) { return session(8); }
