/* A handshake as a loop over a state, as protocol code has it. */
int recv_hello(void);
int send_hello(void);
int send_cert(void);
int recv_key(void);
int recv_finished(void);
void send_data(void);

enum { HELLO, REPLY, CERT, KEY, FINISH, OK };

int accept_one(int resume)
{
    int state = HELLO;
    int verified = 0;
    for (;;) {
        switch (state) {
        case HELLO:
            if (recv_hello() <= 0) {
                return -1;
            }
            state = REPLY;
            break;
        case REPLY:
            if (send_hello() <= 0) {
                return -1;
            }
            state = resume ? FINISH : CERT;
            break;
        case CERT:
            if (send_cert() <= 0) {
                return -1;
            }
            state = KEY;
            break;
        case KEY:
            if (recv_key() <= 0) {
                return -1;
            }
            verified = 1;
            state = FINISH;
            break;
        case FINISH:
            if (recv_finished() <= 0) {
                return -1;
            }
            state = OK;
            break;
        case OK:
            if (verified || resume) {
                send_data();
            }
            return 0;
        }
    }
}

/* The seeded error: data is sent before the other side has finished. */
int eager(int resume)
{
    int state = HELLO;
    for (;;) {
        switch (state) {
        case HELLO:
            if (recv_hello() <= 0) {
                return -1;
            }
            state = REPLY;
            break;
        case REPLY:
            if (send_hello() <= 0) {
                return -1;
            }
            state = resume ? FINISH : CERT;
            break;
        case CERT:
            if (send_cert() <= 0) {
                return -1;
            }
            state = KEY;
            break;
        case KEY:
            if (recv_key() <= 0) {
                return -1;
            }
            send_data();
            state = FINISH;
            break;
        case FINISH:
            if (recv_finished() <= 0) {
                return -1;
            }
            return 0;
        }
    }
}
