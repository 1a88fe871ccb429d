/* Which of two things comes is decided late, or early. */
void start(void);
void left(void);
void right(void);
int choose(void);

void late(void)
{
    start();
    if (choose()) {
        left();
    } else {
        right();
    }
}

void early(void)
{
    int which = choose();
    start();
    if (which) {
        left();
    } else {
        right();
    }
}
