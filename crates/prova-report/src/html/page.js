"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const make = (tag, cls, text) => {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
};
// A file without its folders, and a line in it.
const spot = (name, line) => `${name.split("/").pop()}:${line}`;
let file = 0, step = 0, hits = [], hit = -1, rows = [];

$("verdict").textContent = data.verdict;
$("verdict").className = data.verdict;
$("message").textContent = (data.property ? data.property + ": " : "") + data.message;
$("at").textContent = data.at || "";
document.title = "Prova: " + data.verdict;

function showFile(index) {
  file = index;
  const f = data.files[index], box = $("source");
  box.textContent = "";
  rows = [];
  if (!f) return;
  $("file").value = String(index);
  const executable = new Set(f.executable), missed = new Set(f.missed);
  const notes = new Map();
  const note = (list, text) => {
    for (const i of list) if (i.file === f.name) notes.set(i.line, [...(notes.get(i.line) || []), text(i)]);
  };
  note(data.invariants, i => "⊢ " + i.text);
  note(data.contracts, c => "⊢ " + c.text);
  note(data.busy, b => `↻ refined ${b.splits} times`);
  // Lines come in pieces that a browser lays out only when they are seen.
  const parts = document.createDocumentFragment();
  let piece = null;
  f.lines.forEach((text, at) => {
    const n = at + 1, row = make("div", "l");
    if (missed.has(n)) { row.classList.add("missed"); row.title = "no test came here"; }
    else if (executable.has(n)) row.classList.add("covered");
    row.append(make("span", "n", n), make("span", "", text));
    if (notes.has(n)) row.append(make("span", "i", notes.get(n).join("   ")));
    if (at % 200 === 0) {
      piece = make("div", "piece");
      piece.style.containIntrinsicSize = `auto ${1.5 * Math.min(200, f.lines.length - at)}em`;
      parts.append(piece);
    }
    rows.push(row);
    piece.append(row);
  });
  box.append(parts);
  mark();
}

function mark() {
  for (const r of document.querySelectorAll(".l.now")) r.classList.remove("now", "fails");
  const s = data.trace[step];
  if (s && data.files[file] && data.files[file].name === s.file && rows[s.line - 1]) {
    const row = rows[s.line - 1];
    row.classList.add("now");
    if (s.failure) row.classList.add("fails");
    row.scrollIntoView({ block: "center" });
  }
}

function go(to) {
  if (!data.trace.length) return;
  step = Math.max(0, Math.min(data.trace.length - 1, to));
  const s = data.trace[step];
  const other = data.files.findIndex(f => f.name === s.file);
  if (other >= 0 && other !== file) showFile(other);
  mark();
  $("step").textContent = `step ${step + 1} of ${data.trace.length} · ${spot(s.file, s.line)} · ${s.function}` +
    (s.times > 1 ? ` · × ${s.times}` : "");
  const why = $("why");
  why.textContent = "";
  for (const f of s.facts) why.append(make("div", "", f.condition + (f.values ? ` (${f.values})` : "")));
  if (s.failure) why.append(make("div", "fail", "✗ " + s.failure));
  const known = new Map();
  for (let i = 0; i <= step; i++) {
    for (const c of data.trace[i].changes) known.set(c.name, [c.value, i === step]);
    if (i < step) for (const c of data.trace[i].last || []) known.set(c.name, [c.value, false]);
  }
  const table = $("variables");
  table.textContent = "";
  for (const [name, [value, changed]] of [...known].sort((a, b) => b[1][1] - a[1][1])) {
    const tr = make("tr", changed ? "changed" : "");
    tr.append(make("td", "", name), make("td", "", value));
    table.append(tr);
  }
}

function search(text) {
  for (const r of document.querySelectorAll(".l.hit")) r.classList.remove("hit");
  const want = text.toLowerCase();
  hits = want ? (data.files[file]?.lines || []).flatMap((l, i) => l.toLowerCase().includes(want) ? [i] : []) : [];
  hit = -1;
  $("found").textContent = want ? `${hits.length} lines` : "";
  nextHit();
}
function nextHit() {
  if (!hits.length) return;
  if (hit >= 0) rows[hits[hit]].classList.remove("hit");
  hit = (hit + 1) % hits.length;
  rows[hits[hit]].classList.add("hit");
  rows[hits[hit]].scrollIntoView({ block: "center" });
  $("found").textContent = `${hit + 1} of ${hits.length}`;
}

// Goes to a line of a file.
function visit(name, line) {
  const other = data.files.findIndex(f => f.name === name);
  if (other >= 0 && other !== file) showFile(other);
  rows[line - 1]?.scrollIntoView({ block: "center" });
}
// An element that mouse and keyboard can press.
function pressable(e, action) {
  e.setAttribute("tabindex", "0");
  e.setAttribute("role", "button");
  e.addEventListener("click", action);
  e.addEventListener("keydown", k => {
    if (k.key === "Enter" || k.key === " ") { action(); k.preventDefault(); k.stopPropagation(); }
  });
  return e;
}

// Plain layers by distance from the start, for graphs that are too large for a better layout.
function layers(g, next, w, h) {
  const layer = g.regions.map(() => -1);
  let work = [0];
  layer[0] = 0;
  while (work.length) {
    const later = [];
    for (const a of work) for (const b of next[a]) if (layer[b] < 0) { layer[b] = layer[a] + 1; later.push(b); }
    work = later;
  }
  const used = [];
  return layer.map(y => {
    if (y < 0) return null;
    const x = used[y] = (used[y] ?? -1) + 1;
    return [x * (w + 14) + 10, y * (h + 34) + 8];
  });
}

function drawGraph(at) {
  const g = data.graphs[at];
  $("slider").value = String(at);
  const next = g.regions.map(() => []);
  for (const [a, b] of g.edges) next[a].push(b);
  const w = 130, h = 34;
  const at2 = g.places || layers(g, next, w, h);
  // Regions that the start does not reach any more are not drawn.
  const drawn = at2.filter(p => p);
  $("iteration").textContent = `iteration ${g.iteration} · ${g.title ? g.title + " · " : ""}${drawn.length} regions`;
  const svg = (tag, attributes) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
  };
  const width = Math.max(...drawn.map(p => p[0])) + w + 30, height = Math.max(...drawn.map(p => p[1])) + h + 12;
  const root = svg("svg", { width, height, role: "img", "aria-label": "region graph" });
  for (const [a, b] of g.edges) {
    if (!at2[a] || !at2[b]) continue;
    const [x1, y1] = at2[a], [x2, y2] = at2[b];
    const down = y2 > y1, frontier = g.frontier && g.frontier[0] === a && g.frontier[1] === b;
    const sy = down ? y1 + h : y1 + h / 2, ty = down ? y2 : y2 + h / 2;
    const sx = down ? x1 + w / 2 : x1 + w, tx = down ? x2 + w / 2 : x2 + w;
    const bend = down ? 0 : 22;
    root.append(svg("path", { class: "edge" + (frontier ? " frontier" : ""),
      d: `M${sx},${sy} C${sx + bend},${sy + (down ? 14 : 0)} ${tx + bend},${ty - (down ? 14 : 0)} ${tx},${ty}` }));
  }
  g.regions.forEach((r, i) => {
    if (!at2[i]) return;
    const [x, y] = at2[i], group = svg("g", { class: "node" });
    group.append(svg("rect", { x, y, width: w, height: h, rx: 6,
      class: "region" + (r.states ? " seen" : "") + (r.error ? " error" : "") }));
    const title = svg("title", {});
    title.textContent = (r.facts || "everything") + "\n" + r.states + " states of tests";
    const name = svg("text", { x: x + 6, y: y + 14 });
    name.textContent = (r.error ? (g.title && !r.place ? "goal" : "error ") : "") + (r.place || (r.error ? "" : "start")) + (r.states ? ` · ${r.states}` : "");
    const facts = svg("text", { x: x + 6, y: y + 28, opacity: .7 });
    facts.textContent = r.facts.length > 18 ? r.facts.slice(0, 17) + "…" : r.facts;
    group.append(title, name, facts);
    if (r.line) {
      pressable(group, () => rows[r.line - 1]?.scrollIntoView({ block: "center" }));
      group.setAttribute("aria-label", title.textContent);
    }
    root.append(group);
  });
  $("graph").replaceChildren(root);
  // The frontier, or else the start, in the middle.
  const [x, y] = at2[g.frontier ? g.frontier[0] : 0] || [0, 0], box = $("graph");
  box.scrollTo(x + w / 2 - box.clientWidth / 2, y + h / 2 - box.clientHeight / 2);
}

data.files.forEach((f, i) => { const o = make("option", "", f.name); o.value = String(i); $("file").append(o); });
if (data.files.length < 2) $("file").hidden = true;
$("file").addEventListener("change", e => showFile(Number(e.target.value)));
$("search").addEventListener("input", e => search(e.target.value));
$("search").addEventListener("keydown", e => {
  if (e.key === "Enter") nextHit();
  if (e.key === "Escape") { e.target.value = ""; search(""); $("source").focus(); }
});
$("back").addEventListener("click", () => go(step - 1));
$("next").addEventListener("click", () => go(step + 1));
$("slider").addEventListener("input", e => drawGraph(Number(e.target.value)));
document.addEventListener("keydown", e => {
  const typing = e.target.tagName === "INPUT" || e.target.tagName === "SELECT";
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  const turn = by => data.graphs.length && drawGraph(Math.max(0, Math.min(data.graphs.length - 1, Number($("slider").value) + by)));
  if (e.key === "ArrowRight") go(step + 1);
  else if (e.key === "ArrowLeft") go(step - 1);
  else if (e.key === "Home" && data.trace.length) go(0);
  else if (e.key === "End" && data.trace.length) go(data.trace.length - 1);
  else if (e.key === "]") turn(1);
  else if (e.key === "[") turn(-1);
  else if (e.key === "g") document.body.classList.toggle("wide");
  else if (e.key === "/") $("search").focus();
  else return;
  e.preventDefault();
});
const pairs = (id, list) => list.forEach(([a, b]) => {
  const tr = make("tr");
  tr.append(make("td", "", a), make("td", "", b));
  $(id).append(tr);
});
pairs("statistics", data.statistics);
pairs("inputs", data.inputs.map(i => [`${i.name}  (${spot(i.file, i.line)})`, i.value]));
data.further.forEach(f => $("further").append(make("li", "", `${f.message} at ${f.at}`)));
data.assumed.forEach(a => $("assumed").append(make("li", "", a)));
data.invariants.forEach(i => {
  const e = make("div", "inv");
  e.append(make("b", "", `${i.head ? "↻ " : ""}${spot(i.file, i.line)}: `), i.text);
  e.title = i.cases.map(c => c.join("\n")).join("\n— or —\n");
  $("invariants").append(pressable(e, () => visit(i.file, i.line)));
});
data.contracts.forEach(c => {
  const e = make("div", "inv");
  e.append(make("b", "", `${c.function}: `), c.text);
  $("contracts").append(pressable(e, () => visit(c.file, c.line)));
});
data.busy.forEach(b => {
  const e = make("div", "inv");
  e.append(make("b", "", `${b.what}, ${b.splits} times, at last by `), b.last);
  $("busy").append(pressable(e, () => visit(b.file, b.line)));
});
data.hints.forEach(h => $("hints").append(make("li", "", h)));
const hide = (id, empty) => { $(id).hidden = empty; };
hide("trace-box", !data.trace.length); hide("inputs-box", !data.inputs.length);
hide("invariants-box", !data.invariants.length); hide("assumed-box", !data.assumed.length);
hide("graph-box", !data.graphs.length); hide("contracts-box", !data.contracts.length);
hide("further-box", !data.further.length);
hide("busy-box", !data.busy.length); hide("hints-box", !data.hints.length);
showFile(0);
// A failing run is read from its end.
go(data.trace.length - 1);
if (data.graphs.length) { $("slider").max = String(data.graphs.length - 1); drawGraph(data.graphs.length - 1); }
