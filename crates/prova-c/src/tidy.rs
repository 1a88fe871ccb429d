//! Makes a lowered body presentable: arbitrary initial values nobody reads are dropped (a liveness
//! analysis), empty steps are contracted, and what nothing leads to is left out.

use prova_ir::{Body, Expr, ExprId, LocId, Origin, Program, RegId, Statement};
use rustc_hash::FxHashMap;

/// Tidies a body.
pub(crate) fn tidy(body: &mut Body, program: &Program, result: Option<RegId>) {
    prune(body);
    drop_dead_values(body, program, result);
    contract(body);
    prune(body);
}

/// Renumbers the locations that can be reached and drops everything else.
fn prune(body: &mut Body) {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); body.locations.len()];
    for (index, edge) in body.edges.iter().enumerate() {
        outgoing[edge.source.index()].push(index);
    }
    let mut order: Vec<LocId> = Vec::new();
    let mut number: Vec<Option<LocId>> = vec![None; body.locations.len()];
    let mut edges = Vec::with_capacity(body.edges.len());
    let mut work = vec![body.entry];
    while let Some(at) = work.pop() {
        if number[at.index()].is_some() {
            continue;
        }
        number[at.index()] = Some(LocId::new(order.len()));
        order.push(at);
        edges.extend(outgoing[at.index()].iter().copied());
        for &edge in outgoing[at.index()].iter().rev() {
            work.push(body.edges[edge].target);
        }
    }
    if number[body.exit.index()].is_none() {
        number[body.exit.index()] = Some(LocId::new(order.len()));
        order.push(body.exit);
    }
    let renumber = |id: LocId| number[id.index()].expect("reached");
    body.edges = edges
        .into_iter()
        .map(|index| {
            let mut edge = body.edges[index].clone();
            edge.source = renumber(edge.source);
            edge.target = renumber(edge.target);
            edge
        })
        .collect();
    body.locations = order
        .iter()
        .map(|id| body.locations[id.index()].clone())
        .collect();
    body.entry = renumber(body.entry);
    body.exit = renumber(body.exit);
    let mut errors = std::mem::take(&mut body.errors);
    errors.retain_mut(|e| match number[e.location.index()] {
        Some(at) => {
            e.location = at;
            true
        }
        None => false,
    });
    body.errors = errors;
}

/// Goes round locations that only lead on.
fn contract(body: &mut Body) {
    let mut next: Vec<Option<LocId>> = vec![None; body.locations.len()];
    let mut count = vec![0u32; body.locations.len()];
    for edge in &body.edges {
        count[edge.source.index()] += 1;
        if edge.statement == Statement::Skip && edge.target != edge.source {
            next[edge.source.index()] = Some(edge.target);
        }
    }
    for (index, count) in count.iter().enumerate() {
        if *count != 1 {
            next[index] = None;
        }
    }
    let mut goal: Vec<LocId> = (0..body.locations.len()).map(LocId::new).collect();
    let mut settled = vec![false; body.locations.len()];
    for start in 0..body.locations.len() {
        let mut path = Vec::new();
        let mut at = start;
        while !settled[at] {
            settled[at] = true;
            path.push(at);
            match next[at] {
                Some(target) => at = target.index(),
                None => break,
            }
        }
        // An endless loop of empty steps keeps one of them: the place where it was entered.
        let end = if path.contains(&at) {
            LocId::new(at)
        } else {
            goal[at]
        };
        for step in path {
            goal[step] = end;
        }
    }
    for (index, end) in goal.iter().enumerate() {
        let end = end.index();
        if end != index && body.locations[end].label.is_none() {
            body.locations[end].label = body.locations[index].label.clone();
        }
    }
    body.edges.retain(|edge| {
        edge.statement != Statement::Skip
            || goal[edge.source.index()] == edge.source
            || next[edge.source.index()].is_none()
    });
    for edge in &mut body.edges {
        edge.target = goal[edge.target.index()];
    }
    body.entry = goal[body.entry.index()];
}

/// Replaces `x := arbitrary` of uninitialised variables by nothing where `x` is written before
/// it is read on every path.
fn drop_dead_values(body: &mut Body, program: &Program, result: Option<RegId>) {
    let mut tracked: FxHashMap<RegId, usize> = FxHashMap::default();
    for edge in &body.edges {
        if let Statement::Nondet {
            target,
            origin: Origin::Uninitialised,
        } = edge.statement
        {
            let index = tracked.len();
            tracked.entry(target).or_insert(index);
        }
    }
    if tracked.is_empty() {
        return;
    }
    let words = tracked.len().div_ceil(64);
    let mut uses: Vec<Vec<usize>> = Vec::with_capacity(body.edges.len());
    let mut cache: FxHashMap<ExprId, Vec<usize>> = FxHashMap::default();
    for edge in &body.edges {
        let mut used = Vec::new();
        for e in edge.statement.expressions() {
            let found = cache
                .entry(e)
                .or_insert_with(|| registers_of(program, e, &tracked));
            used.extend(found.iter().copied());
        }
        uses.push(used);
    }
    let mut live = vec![0u64; words * body.locations.len()];
    if let Some(index) = result.and_then(|r| tracked.get(&r)) {
        live[words * body.exit.index() + index / 64] |= 1 << (index % 64);
    }
    let mut changed = true;
    let mut before = vec![0u64; words];
    while changed {
        changed = false;
        for (edge, used) in body.edges.iter().zip(&uses).rev() {
            let target = words * edge.target.index();
            before.copy_from_slice(&live[target..target + words]);
            let written = edge.statement.written_register();
            if let Some(index) = written.and_then(|r| tracked.get(&r)) {
                before[index / 64] &= !(1 << (index % 64));
            }
            for index in used {
                before[index / 64] |= 1 << (index % 64);
            }
            let source = words * edge.source.index();
            for (old, new) in live[source..source + words].iter_mut().zip(&before) {
                if *old | new != *old {
                    *old |= new;
                    changed = true;
                }
            }
        }
    }
    for edge in &mut body.edges {
        if let Statement::Nondet {
            target,
            origin: Origin::Uninitialised,
        } = edge.statement
        {
            let index = tracked[&target];
            let word = live[words * edge.target.index() + index / 64];
            if word >> (index % 64) & 1 == 0 {
                edge.statement = Statement::Skip;
            }
        }
    }
}

fn registers_of(program: &Program, e: ExprId, tracked: &FxHashMap<RegId, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for id in program.exprs.subexpressions(e) {
        if let Expr::Reg(reg) = program.exprs.get(id) {
            found.extend(tracked.get(&reg).copied());
        }
    }
    found
}
