//! What a program may see of where blocks lie: which looks are left open, and which are harmless.

use prova_ir::text::parse;
use prova_ir::*;
use prova_spec::*;

/// The looks that are left open in a body of these statements, one behind the other.
fn open(registers: &str, statements: &[&str]) -> Vec<String> {
    open_with("", registers, statements)
}

fn open_with(objects: &str, registers: &str, statements: &[&str]) -> Vec<String> {
    let mut text = format!("prova-ir 1 lp64\nfile 0 \"a.c\"\n{objects}proc main() {{\n");
    for register in registers.split(' ') {
        let (name, ty) = register.split_once(':').expect("name:type");
        text += &format!("  local {name} : {ty} c \"{name}\"\n");
    }
    text += &format!("  entry L0 exit L{}\n", statements.len());
    for (i, statement) in statements.iter().enumerate() {
        text += &format!("  L{i} @{}:1 -> L{}: {statement}\n", i + 1, i + 1);
    }
    text += "}\nentry main";
    let mut program = parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    assert_eq!(validate(&program), []);
    weave(&mut program, &Check::of(Property::UnreachCall)).expect("woven");
    assert_eq!(validate(&program), []);
    let body = program.procedures[0].body.as_ref().expect("a body");
    let open = body.errors.iter().filter(|e| e.property == UNMODELLED);
    open.map(|e| e.message.clone()).collect()
}

const ORDER: &str = "the order or distance of addresses of different objects";
const AGAIN: &str = "whether an address is used again after its block was freed";
const NUMBER: &str = "the address of a block, used as a number";

#[test]
fn the_order_of_two_blocks_is_open() {
    let two = ["a := alloc heap 4:i64", "b := alloc heap 4:i64"];
    let looks = |last: &[&str]| open("a:ptr b:ptr x:i1 n:i64", &[&two[..], last].concat());
    assert_eq!(looks(&["x := a <u b"]), [ORDER]);
    assert_eq!(
        looks(&["n := ptrtoint(a, i64) - ptrtoint(b, i64)"]),
        [ORDER]
    );
    assert_eq!(looks(&["x := a == b"]), Vec::<String>::new());
    assert_eq!(looks(&["x := a == null"]), Vec::<String>::new());
}

#[test]
fn pointers_made_from_one_are_in_order() {
    let looks = |last: &[&str]| {
        let first = [
            "a := alloc heap 8:i64",
            "c := alloc heap 8:i64",
            "b := a +p 4:i64",
        ];
        open("a:ptr b:ptr c:ptr x:i1", &[&first[..], last].concat())
    };
    assert_eq!(looks(&["x := a <u b"]), Vec::<String>::new());
    assert_eq!(looks(&["x := c <u b"]), [ORDER]);
    assert_eq!(looks(&["b := c", "x := c <u b"]), Vec::<String>::new());
    // What one allocation makes in each round is a block of its own.
    assert_eq!(
        looks(&["b := a", "a := alloc heap 8:i64", "x := a <u b"]),
        [ORDER]
    );
}

#[test]
fn an_address_may_be_used_again() {
    let looks = |statements: &[&str]| open("a:ptr b:ptr x:i1", statements);
    let alive = [
        "a := alloc heap 4:i64",
        "b := alloc heap 4:i64",
        "x := a == b",
    ];
    assert_eq!(looks(&alive), Vec::<String>::new());
    let freed = [
        "a := alloc heap 4:i64",
        "free a",
        "b := alloc heap 4:i64",
        "x := a == b",
    ];
    assert_eq!(looks(&freed), [AGAIN]);
}

#[test]
fn numbers_that_come_back_show_nothing() {
    let looks = |last: &[&str]| {
        let first = ["a := alloc heap 4:i64", "n := ptrtoint(a, i64)"];
        open("a:ptr n:i64 m:i64 x:i1", &[&first[..], last].concat())
    };
    assert_eq!(looks(&["a := inttoptr(n, ptr)"]), Vec::<String>::new());
    assert_eq!(
        looks(&["n := n | 1:i64", "a := inttoptr(n & -2:i64, ptr)"]),
        Vec::<String>::new()
    );
    assert_eq!(looks(&["x := (n & 7:i64) == 0:i64"]), Vec::<String>::new());
    assert_eq!(looks(&["x := -4095:i64 <=u n"]), Vec::<String>::new());
    assert_eq!(looks(&["x := n == 123456:i64"]), [NUMBER]);
    assert_eq!(looks(&["m := n * 31:i64"]), [NUMBER]);
    assert_eq!(looks(&["m := n & 4095:i64"]), [NUMBER]);
    assert_eq!(looks(&["m := n >>u 4:i64"]), [NUMBER]);
}

#[test]
fn literals_may_be_one() {
    let literal = |name: &str, text: &str| {
        let size = text.len() + 1;
        format!("object {name} : {size} align 1 constant = {{ 0: \"{text}\\x00\" }} c \"\"\n")
    };
    let literals = [("first", "ab"), ("tail", "cab"), ("other", "cd")];
    let literals: String = literals.iter().map(|(n, t)| literal(n, t)).collect();
    let looks = |other: &str| {
        let second = format!("b := &{other}");
        let statements = ["a := &first", &second, "x := a == b"];
        open_with(&literals, "a:ptr b:ptr x:i1", &statements)
    };
    assert_eq!(
        looks("tail"),
        ["whether string literals that are equal are one object"]
    );
    assert_eq!(looks("other"), Vec::<String>::new());
}

/// The lowest bits of a byte that may be one of an address: where memory is checked, that is left open, and
/// the program stays one that the validator accepts.
#[test]
fn the_low_bits_of_a_byte_of_an_address_are_open_where_memory_is_checked() {
    let text = "prova-ir 1 lp64\nfile 0 \"a.c\"\nproc main() {\n  local v : ptr c \"v\"\n  local b : i8 c \"b\"\n  \
        local n : i32 c \"n\"\n  entry L0 exit L4\n  L0 @1:1 -> L1: v := alloc heap 8:i64\n  \
        L1 @2:1 -> L2: [v] := v\n  L2 @3:1 -> L3: b := [v +p 1:i64]:i8\n  \
        L3 @4:1 -> L4: n := zext(b, i32) & 7:i32\n}\nentry main";
    let program = parse(text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    assert_eq!(validate(&program), []);
    for property in [Property::ValidDeref, Property::ValidFree] {
        let mut woven = program.clone();
        weave(&mut woven, &Check::of(property)).expect("woven");
        assert_eq!(validate(&woven), []);
        let body = woven.procedures[0].body.as_ref().expect("a body");
        assert!(body.errors.iter().any(|e| e.property == UNMODELLED));
    }
}
