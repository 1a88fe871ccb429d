//! Small programs with the classes they must (and must not) share.

use super::{ClassId, Partition};
use prova_ir::{Expr, ExprId, Program, Statement};

/// Parses the body lines of `main` around given declarations.
pub(crate) fn program(declarations: &str, body: &str) -> Program {
    let mut lines = String::new();
    let mut count = 0;
    for line in body.lines().map(str::trim).filter(|l| !l.is_empty()) {
        lines.push_str(&format!("  L{count} @1:1 -> L{}: {line}\n", count + 1));
        count += 1;
    }
    let mut globals = String::new();
    let mut locals = String::new();
    for line in declarations.lines().map(str::trim) {
        if line.starts_with("local") || line.starts_with("frame") {
            locals.push_str(&format!("  {line}\n"));
        } else {
            globals.push_str(&format!("{line}\n"));
        }
    }
    let text = format!(
        "prova-ir 1 lp64\nfile 0 \"t.c\"\n{globals}\nproc main() {{\n{locals}  entry L0 exit \
         L{count}\n{lines}}}\n\nentry main\n"
    );
    prova_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Class and cell size of every store, in order.
fn stores(program: &Program, partition: &Partition) -> Vec<(ClassId, u32)> {
    let body = program.procedures[0]
        .body
        .as_ref()
        .expect("main has a body");
    let addresses = body.edges.iter().filter_map(|e| match e.statement {
        Statement::Store { address, .. } => Some(address),
        _ => None,
    });
    addresses.map(|a| class(partition, a)).collect()
}

fn class(partition: &Partition, address: ExprId) -> (ClassId, u32) {
    let class = partition.class_of(address).expect("an address in use");
    (class, partition.class(class).cell_bytes)
}

fn every_access_has_a_class(program: &Program, partition: &Partition) {
    for id in program.exprs.ids() {
        if let Expr::Load { address, ty } = program.exprs.get(id) {
            let (_, bytes) = class(partition, address);
            assert!(bytes == 1 || u64::from(bytes) == ty.bytes(program.model));
        }
    }
}

fn analyse(declarations: &str, body: &str) -> Vec<(ClassId, u32)> {
    let program = program(declarations, body);
    let partition = Partition::new(&program);
    every_access_has_a_class(&program, &partition);
    stores(&program, &partition)
}

#[test]
fn fields_of_one_object_are_classes_of_their_own() {
    let found = analyse(
        "object s : 16 align 8 static",
        "[&s] := 1:i32
         [&s +p 4:i64] := 2:i32
         [&s +p 8:i64] := &s",
    );
    assert_eq!(found[0].1, 4);
    assert_eq!(found[2].1, 8);
    assert_ne!(found[0].0, found[1].0);
    assert_ne!(found[1].0, found[2].0);
}

#[test]
fn objects_that_no_pointer_connects_stay_apart() {
    let found = analyse(
        "object a : 4 align 4 static
         object b : 4 align 4 static
         local p : ptr",
        "p := &a
         [p] := 1:i32
         [&a] := 1:i32
         [&b] := 2:i32",
    );
    assert_eq!(found[0], found[1]);
    assert_ne!(found[1].0, found[2].0);
}

#[test]
fn a_pointer_to_either_object_makes_them_one() {
    let found = analyse(
        "object a : 4 align 4 static
         object b : 8 align 4 static
         local p : ptr",
        "p := &a
         p := &b +p 4:i64
         [&a] := 1:i32
         [&b +p 4:i64] := 2:i32
         [&b] := 2:i32",
    );
    assert_eq!(found[0], found[1]);
    assert_ne!(found[1].0, found[2].0);
}

#[test]
fn elements_of_an_array_of_structures_fold_by_the_stride() {
    let found = analyse(
        "object a : 160 align 8 static
         local i : i64",
        "i := 3:i64
         [&a +p (i * 16:i64)] := 1:i32
         [(&a +p (i * 16:i64)) +p 8:i64] := &a
         [&a +p 32:i64] := 1:i32
         [&a +p 40:i64] := null",
    );
    assert_eq!(found[0], found[2]);
    assert_eq!(found[1], found[3]);
    assert_ne!(found[0].0, found[1].0);
    assert_eq!((found[0].1, found[1].1), (4, 8));
}

#[test]
fn an_index_without_visible_stride_makes_bytes() {
    let found = analyse(
        "object a : 16 align 8 static
         local i : i64",
        "i := 3:i64
         [&a +p i] := 1:i8
         [&a +p 8:i64] := 1:i32",
    );
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].1, 1);
}

#[test]
fn overlapping_widths_make_bytes_of_their_range_only() {
    let found = analyse(
        "object u : 16 align 8 static",
        "[&u] := 1:i64
         [&u +p 4:i64] := 1:i32
         [&u +p 8:i64] := 1:i64",
    );
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].1, 1);
    assert_ne!(found[1].0, found[2].0);
    assert_eq!(found[2].1, 8);
}

#[test]
fn a_walking_pointer_folds() {
    let found = analyse(
        "object a : 40 align 4 static
         local p : ptr",
        "p := &a
         [p] := 0:i32
         p := p +p 4:i64
         [&a +p 8:i64] := 0:i32",
    );
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].1, 4);
}

#[test]
fn pointers_through_bytes_of_integers_are_followed() {
    // A pointer is copied byte by byte into another object and read back there.
    let found = analyse(
        "object a : 8 align 8 static
         object b : 8 align 8 static
         object x : 4 align 4 static
         local i : i64
         local c : i8
         local q : ptr",
        "i := 0:i64
         [&a] := &x
         c := [&a +p i]:i8
         [&b +p i] := c
         q := [&b]:ptr
         [q] := 1:i32
         [&x] := 2:i32",
    );
    assert_eq!(found[2], found[3]);
}

#[test]
fn an_exclusive_or_of_addresses_reaches_both() {
    let found = analyse(
        "object a : 4 align 4 static
         object b : 4 align 4 static
         local x : i64
         local p : ptr",
        "x := ptrtoint(&a, i64) ^ ptrtoint(&b, i64)
         p := inttoptr(x ^ ptrtoint(&a, i64), ptr)
         [p] := 1:i32
         [&a] := 1:i32
         [&b] := 1:i32",
    );
    assert_eq!(found[0].0, found[1].0);
    assert_eq!(found[0].0, found[2].0);
}

#[test]
fn masking_an_address_costs_its_object_nothing() {
    let found = analyse(
        "object a : 8 align 4 static
         local x : i64
         local p : ptr",
        "p := &a
         x := ptrtoint(p, i64) & 3:i64
         [p] := 1:i32
         [p +p 4:i64] := 1:i16",
    );
    assert_eq!((found[0].1, found[1].1), (4, 2));
}

#[test]
fn arbitrary_pointers_share_cells_by_kind() {
    let found = analyse(
        "object g : 4 align 4 static
         local p : ptr
         local q : ptr",
        "p := nondet input \"a\"
         q := nondet input \"b\"
         [p] := 1:i32
         [q +p 8:i64] := 1:i32
         [q] := null
         [&g] := 1:i32",
    );
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].1, 4);
    assert_ne!(found[0].0, found[2].0);
    assert_ne!(found[0].0, found[3].0);
}

#[test]
fn an_object_stored_in_unknown_memory_can_come_back_from_there() {
    let found = analyse(
        "object g : 4 align 4 static
         local p : ptr
         local q : ptr
         local r : ptr",
        "p := nondet input \"a\"
         q := nondet input \"b\"
         [p] := &g
         r := [q]:ptr
         [r] := 1:i32
         [&g] := 2:i32",
    );
    assert_eq!(found[1], found[2]);
}

#[test]
fn copies_give_both_sides_the_same_cells() {
    let program = program(
        "object a : 16 align 8 static
         object b : 16 align 8 static
         object x : 4 align 4 static
         local q : ptr",
        "[&a] := 1:i32
         [&a +p 8:i64] := &x
         copy [&b] := [&a], 16
         q := [&b +p 8:i64]:ptr
         [q] := 1:i32
         [&x] := 1:i32",
    );
    let partition = Partition::new(&program);
    let found = stores(&program, &partition);
    assert_eq!(found[2], found[3]);
    let body = program.procedures[0]
        .body
        .as_ref()
        .expect("main has a body");
    let Statement::Copy { target, source, .. } = body.edges[2].statement else {
        panic!("the third statement copies");
    };
    let shape = |e| {
        let cells = partition.cells(e, 16, 100).expect("few cells");
        cells
            .iter()
            .map(|c| (c.offset, c.bytes))
            .collect::<Vec<_>>()
    };
    assert_eq!(shape(target), [(0, 4), (8, 8)]);
    assert_eq!(shape(source), shape(target));
}
