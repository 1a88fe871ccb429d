// expect: pure true, havoc true
// What a pointer inside led to before is not reached.
extern void reach_error(void);
struct message { int kind; int *value; };
extern void send_message(struct message *m);

int main(void)
{
    int value = 5, other = 6;
    struct message m = { 1, &other };
    m.value = &value;
    send_message(&m);
    if (other != 6)
        reach_error();
    return 0;
}
