// bytes: unreach-call false, valid-deref false
// As http.c, but a target may be as long as the line when the method is empty.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

enum { LENGTH = 8 };

enum method { GET, PUT, HEAD, OTHER };

struct request {
    enum method method;
    char target[LENGTH];
    int length;
    int major, minor;
};

static int is_token(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static int same(const char *text, int length, const char *word) {
    int i;
    for (i = 0; i < length; i++)
        if (word[i] == 0 || word[i] != text[i])
            return 0;
    return word[length] == 0;
}

static int parse(const char *text, int length, struct request *request) {
    int i = 0, start;
    while (i < length && is_token(text[i]))
        i++;
    if (i == length || (i > 0 && text[i] != ' '))
        return 0;
    if (same(text, i, "GET"))
        request->method = GET;
    else if (same(text, i, "PUT"))
        request->method = PUT;
    else if (same(text, i, "HEAD"))
        request->method = HEAD;
    else
        request->method = OTHER;
    while (i < length && text[i] == ' ')
        i++;
    start = i;
    while (i < length && text[i] != ' ' && text[i] != '\r') {
        request->target[i - start] = text[i];
        i++;
    }
    request->length = i - start;
    request->target[request->length] = 0;
    if (request->length == 0)
        return 0;
    request->major = request->minor = 0;
    while (i < length && text[i] == ' ')
        i++;
    if (i + 2 < length && text[i] >= '0' && text[i] <= '9' && text[i + 1] == '.') {
        request->major = text[i] - '0';
        i += 2;
        while (i < length && text[i] >= '0' && text[i] <= '9') {
            request->minor = request->minor * 10 + (text[i] - '0');
            i++;
        }
    }
    return 1;
}

int main(void) {
    char text[LENGTH];
    struct request request;
    int i;
    for (i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    if (!parse(text, LENGTH, &request))
        return 0;
    if (request.length < 1 || request.length > LENGTH - 2)
        reach_error();
    if (request.target[request.length] != 0)
        reach_error();
    for (i = 0; i < request.length; i++)
        if (request.target[i] == ' ')
            reach_error();
    if (request.method == GET && request.length > LENGTH - 4)
        reach_error();
    if (request.minor < 0 || request.major > 9)
        reach_error();
    return 0;
}
