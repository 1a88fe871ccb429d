// expect: pure true, havoc false
// What a pointer inside a structure leads to is reached.
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
        return 0;
    if (value != 5)
        reach_error();
    return 0;
}
