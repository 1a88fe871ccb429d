//! A family of synthetic drivers: a dispatch routine and n handlers of about 200 lines, under two
//! rules. The lock is taken and given back in turn, and every request is completed exactly once.

use super::generate::Random;

/// The text of a driver with `n` handlers; handler `broken`, if any, forgets the lock on one path.
pub fn driver(n: usize, broken: Option<usize>) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int lock;
static int completed;
static int pending;
static int queue;
static void acquire(void) { if (lock) reach_error(); lock = 1; }
static void release(void) { if (!lock) reach_error(); lock = 0; }
static int complete(int status) {
  if (completed) reach_error();
  completed = 1;
  return status;
}
static int postpone(int status) { pending = pending + 1; return complete(status); }
static int forward(int status) {
  if (__VERIFIER_nondet_int()) return complete(status);
  return postpone(-status);
}
",
    );
    for i in 0..n {
        handler(&mut text, i, broken == Some(i));
    }
    text.push_str("static int dispatch(int code, int size, int flags) {\n  switch (code) {\n");
    for i in 0..n {
        text.push_str(&format!("  case {i}: return handle_{i}(size, flags);\n"));
    }
    text.push_str(
        "  default: return complete(-1);
  }
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    completed = 0;
    dispatch(__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    if (!completed) reach_error();
    if (lock) reach_error();
  }
  return 0;
}
",
    );
    text
}

fn handler(text: &mut String, number: usize, broken: bool) {
    let mut random = Random::new(number as u64 + 77);
    text.push_str(&format!(
        "static int handle_{number}(int size, int flags) {{
  int status = 0, length = size, retries = 0, result = 0;
  if (size < 0) return complete(-2);
  acquire();
  queue = queue + 1;
"
    ));
    for block in 0..14 {
        let (a, b, c) = (random.below(64), random.below(9), random.below(4));
        match random.below(4) {
            0 => text.push_str(&format!(
                "  if (flags & {a}) {{
    length = length + {b};
    if (length > {}) {{
      status = status | {c};
      length = length - {a};
    }} else {{
      retries = retries + 1;
    }}
  }} else {{
    status = status ^ {b};
  }}
",
                a * 10 + 5
            )),
            1 => text.push_str(&format!(
                "  if (length == {a}) {{
    release();
    status = {c};
    length = length + {b};
    acquire();
  }}
  if (retries > {b}) {{
    retries = 0;
  }} else {{
    retries = retries + {c};
    result = result + length;
  }}
"
            )),
            2 => text.push_str(&format!(
                "  switch (status & 3) {{
  case 0:
    result = result + {a};
    break;
  case 1:
    result = result - {b};
    break;
  default:
    retries = retries + {c};
    break;
  }}
"
            )),
            _ => text.push_str(&format!(
                "  if (size > {} && (flags & {b}) != 0) {{
    release();
    return forward(status + {block});
  }}
  length = length + {c};
  status = status + {b};
",
                1000 + 10 * a
            )),
        }
    }
    if broken {
        text.push_str("  if (size == 77 && flags == 17) return complete(status);\n");
    }
    text.push_str(
        "  queue = queue - 1;
  release();
  if (result > length) return postpone(status);
  return complete(status + result);
}
",
    );
}
