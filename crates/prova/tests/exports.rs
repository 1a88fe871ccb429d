//! SARIF and the HTML report: their shape, and the report in a real browser where there is one.

mod common;

use serde_json::Value;
use std::process::Command;

fn example(name: &str) -> String {
    let root = std::env::current_dir()
        .expect("the package's folder")
        .join("../..");
    root.join(name).display().to_string()
}

/// What a schema finds wrong with a value.
fn wrong(schema: &str, value: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema");
    let errors = validator.iter_errors(value);
    errors
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect()
}

/// Holds a log to the parts of the standard that Prova uses, and to the published schema if
/// `PROVA_SARIF_SCHEMA` names a copy of it.
fn assert_sarif(log: &Value) {
    let own = include_str!("sarif.schema.json");
    assert_eq!(wrong(own, log), Vec::<String>::new(), "{log:#}");
    if let Some(published) = std::env::var_os("PROVA_SARIF_SCHEMA") {
        let published = std::fs::read_to_string(published).expect("the published schema");
        // One of its patterns (of `language`) has a bracket too many for strict readers.
        let published = published.replace("{2}]?$", "{2}$");
        assert_eq!(wrong(&published, log), Vec::<String>::new(), "{log:#}");
    }
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        let named = rules.iter().any(|r| r["id"] == result["ruleId"]);
        assert!(named, "{result:#}");
    }
}

/// Checks a program and gives its log.
fn sarif_of(file: &str, more: &[&str], status: i32) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.sarif").display().to_string();
    let file = example(file);
    let options = ["check", &file, "--sarif", &out];
    let run = common::prova(options.iter().chain(more));
    assert_eq!(run.code, Some(status), "{file}: {}", run.stderr);
    let text = std::fs::read_to_string(&out).expect("it was written");
    let log = serde_json::from_str(&text).expect("JSON");
    assert_sarif(&log);
    log
}

#[test]
fn sarif_has_the_story_as_a_code_flow() {
    let log = sarif_of("examples/lock_bug.c", &[], 1);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "unreach-call");
    let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(steps.as_array().is_some_and(|s| s.len() > 4), "{steps}");
}

#[test]
fn sarif_is_valid_for_every_kind_of_answer() {
    let kind = |log: &Value| log["runs"][0]["results"][0]["kind"].clone();
    assert_eq!(kind(&sarif_of("examples/lock.c", &[], 0)), "pass");
    let story = |name: &str| format!("crates/prova/tests/stories/{name}.c");
    assert_eq!(kind(&sarif_of(&story("assembly"), &[], 3)), "open");
    for name in [
        "heap",
        "nested_loops",
        "calls_in_a_loop",
        "structure",
        "doubles",
    ] {
        assert_eq!(kind(&sarif_of(&story(name), &[], 1)), "fail");
    }
    // Several properties are results of one run.
    let both = ["--property", "unreach-call", "--property", "no-overflow"];
    let log = sarif_of(&story("loop"), &both, 1);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&Value> = results.iter().map(|r| &r["ruleId"]).collect();
    assert_eq!(rules, ["unreach-call", "no-overflow"]);
}

#[test]
fn the_own_schema_of_sarif_refuses_what_the_standard_does() {
    let good = sarif_of("crates/prova/tests/stories/always.c", &[], 1);
    let own = include_str!("sarif.schema.json");
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut log = good.clone();
        change(&mut log);
        !wrong(own, &log).is_empty()
    };
    assert!(broken(&|log| log["version"] = "2.0.0".into()));
    assert!(broken(
        &|log| log["runs"][0]["results"][0]["kind"] = "failed".into()
    ));
    assert!(broken(
        &|log| log["runs"][0]["results"][0]["level"] = "none".into()
    ));
    assert!(broken(
        &|log| log["runs"][0]["results"][0]["message"] = "text".into()
    ));
    assert!(broken(&|log| log["runs"][0]["extra"] = 1.into()));
}

#[test]
fn json_keeps_to_its_schema() {
    let schema = std::fs::read_to_string(example("docs/check.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (file, verdict) in [
        ("examples/lock_bug.c", "violated"),
        ("examples/lock.c", "proved"),
        ("crates/prova/tests/stories/assembly.c", "unknown"),
    ] {
        let file = example(file);
        let options = ["check", "--format", "json"];
        let out = common::prova(options.into_iter().chain([file.as_str()]));
        let value: Value = serde_json::from_str(&out.stdout).expect("JSON");
        assert_eq!(value["verdict"], verdict);
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    assert!(!validator.is_valid(&serde_json::json!({ "version": 2, "verdict": "proved" })));
}

/// Loads a report in a browser without a window, runs a script in it, and gives what the script
/// wrote into the page's title.
fn browse(page: &str, script: &str) -> Option<String> {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|b| Command::new(b).arg("--version").output().is_ok())?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    let catching = "<script>window.problems = []; addEventListener('error', e => problems.push(e.message));</script>";
    let text = page
        .replacen("<head>", &format!("<head>{catching}"), 1)
        .replacen("</body>", &format!("<script>{script}</script></body>"), 1);
    std::fs::write(&file, text).expect("the page can be written");
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let title = dom.split("<title>").nth(1)?.split("</title>").next()?;
    Some(title.to_string())
}

#[test]
fn the_report_works_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.html").display().to_string();
    let out = common::prova([
        "check",
        "--engine",
        "dash",
        &example("examples/lock_bug.c"),
        "--report",
        &file,
    ]);
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    let page = std::fs::read_to_string(&file).expect("it was written");
    assert!(!page.contains("http://") || page.contains("www.w3.org/2000/svg"));
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
    let script = r#"{
      const key = k => document.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
      const seen = () => document.querySelector(".l.now .n").textContent;
      const failing = document.querySelector(".l.now.fails") !== null;
      key("Home");
      const first = seen(), none = $("variables").rows.length;
      for (let i = 0; i < 4; i++) key("ArrowRight");
      const fifth = seen(), some = $("variables").rows.length;
      for (let i = 0; i < 4; i++) key("ArrowLeft");
      const again = seen();
      $("search").value = "acquire(to)"; $("search").dispatchEvent(new Event("input"));
      const hits = document.querySelectorAll(".l.hit").length;
      const last = $("graph").innerHTML; drawGraph(0);
      document.title = [problems.length === 0, failing, first !== fifth, some > none, first === again,
        hits === 1, data.graphs.length < 2 || last !== $("graph").innerHTML].join(" ");
    }"#;
    match browse(&page, script) {
        Some(title) => assert_eq!(title, ["true"; 7].join(" ")),
        None => println!("skipped: there is no browser"),
    }
}

#[test]
fn the_report_draws_each_procedure() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.html").display().to_string();
    let story = example("crates/prova/tests/stories/recursion.c");
    let out = common::prova(["check", &story, "--report", &file]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let page = std::fs::read_to_string(&file).expect("it was written");
    let data = page.split("type=\"application/json\">").nth(1);
    let data = data.and_then(|d| d.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    let graphs = data["graphs"].as_array().expect("graphs");
    for name in ["main", "sum"] {
        let of =
            |g: &&Value| g["title"] == name && g["regions"].as_array().is_some_and(|r| r.len() > 3);
        assert!(graphs.iter().any(|g| of(&g)), "{name}");
    }
    assert_eq!(data["contracts"][0]["function"], "sum");
}

#[test]
fn the_report_needs_no_mouse() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.html").display().to_string();
    let example = example("examples/lock.c");
    let options = ["check", "--engine", "dash", &example];
    let out = common::prova(options.iter().chain(&["--report", &file]));
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let page = std::fs::read_to_string(&file).expect("it was written");
    let script = r#"{
      const key = (k, on = document) => on.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
      const iteration = () => $("iteration").textContent;
      const last = iteration(); key("["); const before = iteration(); key("]"); const after = iteration();
      key("/"); const searching = document.activeElement.id === "search";
      $("search").value = "struct device"; $("search").dispatchEvent(new Event("input"));
      key("Enter", $("search")); const second = $("found").textContent;
      key("Escape", $("search")); const left = document.activeElement.id === "source";
      key("g"); const wide = document.body.classList.contains("wide"); key("g");
      const places = [...document.querySelectorAll("[role=button]")];
      const reachable = places.length > 5 && places.every(p => p.tabIndex === 0);
      const seen = [];
      Element.prototype.scrollIntoView = function () { seen.push(this.querySelector(".n").textContent); };
      const fact = document.querySelector(".inv"); key("Enter", fact);
      const drawn = document.querySelectorAll("g.node").length > 5 && document.querySelectorAll(".edge").length > 5;
      document.title = [problems.length === 0, last !== before, last === after, searching, second.startsWith("2 of"),
        left, wide, reachable, seen.length === 1 && fact.textContent.includes(seen[0] + ":"), drawn].join(" ");
    }"#;
    match browse(&page, script) {
        Some(title) => assert_eq!(title, ["true"; 10].join(" ")),
        None => println!("skipped: there is no browser"),
    }
}

#[test]
fn the_report_carries_ten_thousand_lines() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("long.c");
    let mut text = String::from("extern void reach_error(void);\nint main(void) {\n  int x = 0;\n");
    for i in 0..10_000 {
        text += &format!("  // line {i}\n");
    }
    text += "  if (x == 0)\n    reach_error();\n  return 0;\n}\n";
    std::fs::write(&source, text).expect("the source can be written");
    let file = folder.path().join("out.html").display().to_string();
    let out = common::prova(["check", &source.display().to_string(), "--report", &file]);
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    let page = std::fs::read_to_string(&file).expect("it was written");
    let script = r#"document.title = [problems.length, rows.length > 10000,
      document.querySelector(".l.now .n").textContent].join(" ");"#;
    match browse(&page, script) {
        Some(title) => assert!(title.starts_with("0 true "), "{title}"),
        None => println!("skipped: there is no browser"),
    }
}
