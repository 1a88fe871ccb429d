// bytes: unreach-call true, valid-deref true
// A parser of addresses such as `a://b:1/c`: what it finds lies inside of the text.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

enum { LENGTH = 8 };

struct part {
    int start;
    int end;
};

struct url {
    struct part scheme, host, path, query;
    int port;
};

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int parse(const char *text, struct url *url) {
    int i = 0;
    url->port = -1;
    url->scheme.start = 0;
    while (is_letter(text[i]))
        i++;
    url->scheme.end = i;
    if (i == 0 || text[i] != ':')
        return 0;
    i++;
    if (text[i] != '/' || text[i + 1] != '/')
        return 0;
    i += 2;
    url->host.start = i;
    while (is_letter(text[i]) || is_digit(text[i]) || text[i] == '.')
        i++;
    url->host.end = i;
    if (url->host.start == url->host.end)
        return 0;
    if (text[i] == ':') {
        int port = 0;
        i++;
        while (is_digit(text[i])) {
            port = port * 10 + (text[i] - '0');
            if (port > 65535)
                return 0;
            i++;
        }
        url->port = port;
    }
    url->path.start = i;
    while (text[i] != 0 && text[i] != '?')
        i++;
    url->path.end = i;
    url->query.start = url->query.end = i;
    if (text[i] == '?') {
        i++;
        url->query.start = i;
        while (text[i] != 0)
            i++;
        url->query.end = i;
    }
    return 1;
}

int main(void) {
    char text[LENGTH + 1];
    struct url url;
    int i;
    for (i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    text[LENGTH] = 0;
    if (!parse(text, &url))
        return 0;
    if (url.scheme.end >= url.host.start || url.host.end > url.path.start)
        reach_error();
    if (url.path.end > url.query.start || url.query.end > LENGTH)
        reach_error();
    if (url.port > 65535)
        reach_error();
    return 0;
}
