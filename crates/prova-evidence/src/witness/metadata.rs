//! What a witness says about itself and the program.

use super::format::Metadata;
use crate::recording::Recording;
use crate::shown::specification;
use crate::Sources;
use sha2::{Digest, Sha256};

/// The digest of a file, in hexadecimal.
pub fn digest(path: &std::path::Path) -> Result<String, String> {
    let bytes =
        std::fs::read(path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
    Ok(hexadecimal(&Sha256::digest(&bytes)))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The metadata of a violation's witness.
pub fn metadata(recording: &Recording, sources: &Sources) -> Result<Metadata, String> {
    let entry = recording.entry.as_ref().map_or("main", |e| &e.function);
    let mut metadata = metadata_for(sources, entry)?;
    metadata.specification = specification(&recording.property, entry);
    Ok(metadata)
}

/// The metadata of a witness for a program that starts at a function.
pub fn metadata_for(sources: &Sources, entry: &str) -> Result<Metadata, String> {
    let names = sources.names();
    let hashes: Result<Vec<(String, String)>, String> = names
        .iter()
        .zip(&sources.files)
        .map(|(name, path)| Ok((name.clone(), digest(path)?)))
        .collect();
    let hashes = hashes?;
    let creation_time = now();
    let mut hasher = Sha256::new();
    for (name, hash) in &hashes {
        hasher.update(name);
        hasher.update(hash);
    }
    hasher.update(&creation_time);
    Ok(Metadata {
        format_version: "2.0".into(),
        uuid: uuid(&hasher.finalize()),
        creation_time,
        producer: "Prova".into(),
        producer_version: env!("CARGO_PKG_VERSION").into(),
        input_files: names,
        hashes,
        specification: specifications(sources, entry),
        model: sources.options.model,
    })
}

fn specifications(sources: &Sources, entry: &str) -> String {
    let properties = sources.properties.iter();
    let all: Vec<String> = properties.map(|p| specification(p, entry)).collect();
    match all.is_empty() {
        true => specification("unreach-call", entry),
        false => all.join(" "),
    }
}

/// An identifier in the form of RFC 9562, version 8: made from a digest.
fn uuid(digest: &[u8]) -> String {
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hexadecimal(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &text[..8],
        &text[8..12],
        &text[12..16],
        &text[16..20],
        &text[20..]
    )
}

/// The time in ISO 8601; what `SOURCE_DATE_EPOCH` says, if it is set.
pub fn now() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok();
    let seconds = given.and_then(|s| s.parse().ok()).unwrap_or_else(|| {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |d| d.as_secs())
    });
    date(seconds)
}

/// Seconds since 1970 as a date and a time of day. (H. Hinnant: *chrono-Compatible Low-Level Date
/// Algorithms*, `civil_from_days`.)
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(date(4_102_444_799), "2099-12-31T23:59:59Z");
    }

    #[test]
    fn identifiers_have_their_form() {
        let id = uuid(&Sha256::digest(b"x"));
        assert_eq!(id.len(), 36);
        assert_eq!(&id[14..15], "8");
    }
}
