/* Functions for which the front end puts statements in the place of a call. These bodies are for
   calls by way of a pointer; the calls inside of them are such statements. */
void *malloc(size_t size) { return malloc(size); }
void free(void *block) { free(block); }
void abort(void) { abort(); }
void exit(int status) { exit(status); }
void _exit(int status) { _exit(status); }
void _Exit(int status) { _Exit(status); }
void quick_exit(int status) { quick_exit(status); }
