//! SARIF and the HTML report: their shape, and the report in a real browser where there is one.

mod common;

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn example(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(name).display().to_string()
}

/// The parts of SARIF 2.1.0 that every reader needs: §3.13, §3.14, §3.18, §3.27, §3.36 – §3.38.
fn assert_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    for run in log["runs"].as_array().expect("runs") {
        assert!(run["tool"]["driver"]["name"].is_string());
        for result in run["results"].as_array().expect("results") {
            assert!(result["message"]["text"].is_string());
            let kind = result["kind"].as_str().expect("a kind");
            assert!(["pass", "open", "fail"].contains(&kind));
            // A result that does not fail has no level.
            assert_eq!(result["level"] == "none", kind != "fail");
            for flow in result["codeFlows"].as_array().into_iter().flatten() {
                for thread in flow["threadFlows"].as_array().expect("thread flows") {
                    for step in thread["locations"].as_array().expect("locations") {
                        let place = &step["location"]["physicalLocation"];
                        assert!(place["artifactLocation"]["uri"].is_string());
                        assert!(place["region"]["startLine"].as_u64() >= Some(1));
                        assert!(step["location"]["message"]["text"].is_string());
                        assert!(step["nestingLevel"].as_u64().is_some());
                    }
                }
            }
        }
    }
}

#[test]
fn sarif_has_the_story_as_a_code_flow() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.sarif").display().to_string();
    let out = common::prova([
        "check",
        "--no-replay",
        &example("examples/lock_bug.c"),
        "--sarif",
        &file,
    ]);
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    let text = std::fs::read_to_string(&file).expect("it was written");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_sarif(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "unreach-call");
    let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(steps.as_array().is_some_and(|s| s.len() > 4), "{steps}");
}

#[test]
fn sarif_of_a_proof_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.sarif").display().to_string();
    let out = common::prova([
        "check",
        "--no-certify",
        &example("examples/lock.c"),
        "--sarif",
        &file,
    ]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    let log: Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("it was written"))
        .expect("JSON");
    assert_sarif(&log);
    assert_eq!(log["runs"][0]["results"][0]["kind"], "pass");
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
        "--no-replay",
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
      const first = seen(), none = $("variables").rows.length;
      for (let i = 0; i < 4; i++) key("ArrowRight");
      const fifth = seen(), some = $("variables").rows.length;
      for (let i = 0; i < 4; i++) key("ArrowLeft");
      const again = seen();
      $("search").value = "acquire(to)"; $("search").dispatchEvent(new Event("input"));
      const hits = document.querySelectorAll(".l.hit").length;
      const last = $("graph").innerHTML; drawGraph(0);
      document.title = [problems.length === 0, first !== fifth, some > none, first === again,
        hits === 1, data.graphs.length < 2 || last !== $("graph").innerHTML].join(" ");
    }"#;
    match browse(&page, script) {
        Some(title) => assert_eq!(title, "true true true true true true"),
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
    let out = common::prova([
        "check",
        "--no-replay",
        &source.display().to_string(),
        "--report",
        &file,
    ]);
    assert_eq!(out.code, Some(1), "{}", out.stderr);
    let page = std::fs::read_to_string(&file).expect("it was written");
    let script = r#"document.title = [problems.length, rows.length > 10000,
      document.querySelector(".l.now .n").textContent].join(" ");"#;
    match browse(&page, script) {
        Some(title) => assert!(title.starts_with("0 true "), "{title}"),
        None => println!("skipped: there is no browser"),
    }
}
