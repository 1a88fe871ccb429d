/* A connection whose bytes come in pieces of any contents: what http_parser's callbacks show, in their
   order. Every callback may refuse to go on; who meets an error closes the connection. */
#include "http_parser.c"

#ifndef PIECE
#define PIECE 1
#endif

/* How far a message is followed: to its end, unless told. */
#ifndef PART
#define PART 1
#endif

/* What a message begins with; anything, unless told. */
#ifndef BEGIN
#define BEGIN ""
#endif

int turn(void);
char byte(void);
int message_begin(void);
int url(void);
int status(void);
int header_field(void);
int header_value(void);
int headers_complete(void);
int body(void);
int message_complete(void);
int chunk_header(void);
int chunk_complete(void);

static int on_message_begin(http_parser *p) { return message_begin(); }
static int on_url(http_parser *p, const char *at, size_t n) { return url(); }
static int on_status(http_parser *p, const char *at, size_t n) { return status(); }
static int on_header_field(http_parser *p, const char *at, size_t n) { return header_field(); }
static int on_header_value(http_parser *p, const char *at, size_t n) { return header_value(); }
static int on_headers_complete(http_parser *p) { return headers_complete(); }
static int on_body(http_parser *p, const char *at, size_t n) { return body(); }
static int on_message_complete(http_parser *p) { return message_complete(); }
static int on_chunk_header(http_parser *p) { return chunk_header(); }
static int on_chunk_complete(http_parser *p) { return chunk_complete(); }

static int connection(enum http_parser_type type)
{
    char piece[PIECE];
    http_parser parser;
    http_parser_settings settings;
    size_t n = 0;
    int i;

    http_parser_settings_init(&settings);
    settings.on_message_begin = on_message_begin;
    settings.on_url = on_url;
    settings.on_status = on_status;
    settings.on_header_field = on_header_field;
    settings.on_header_value = on_header_value;
    settings.on_headers_complete = on_headers_complete;
    settings.on_body = on_body;
    settings.on_message_complete = on_message_complete;
    settings.on_chunk_header = on_chunk_header;
    settings.on_chunk_complete = on_chunk_complete;
    http_parser_init(&parser, type);
    while (turn() && PART) {
        for (i = 0; i < PIECE; i++)
            piece[i] = n < sizeof BEGIN - 1 ? BEGIN[n++] : byte();
        http_parser_execute(&parser, &settings, piece, PIECE);
        if (HTTP_PARSER_ERRNO(&parser) != HPE_OK)
            break;
    }
    return 0;
}

int request(void) { return connection(HTTP_REQUEST); }
int response(void) { return connection(HTTP_RESPONSE); }
