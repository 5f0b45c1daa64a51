//! All rows as comma-separated values, RFC 4180.

use steno_ops::stats::{Report, Row};

const HEAD: &str = "key,project,branch,messages,input,output,cacheRead,cacheWrite5m,cacheWrite1h,withoutFinalUsage,\
                    webSearches,costUsd,unpriced";

pub(super) fn text(report: &Report) -> String {
    let rows = report.rows.iter().map(line);
    [HEAD.to_owned()].into_iter().chain(rows).map(|line| line + "\r\n").collect()
}

fn line(row: &Row) -> String {
    let tokens = &row.tokens;
    let numbers = [
        row.messages,
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write_5m,
        tokens.cache_write_1h,
        tokens.without_final_usage,
        row.web_searches,
    ];
    let names =
        [&row.key, row.project.as_deref().unwrap_or_default(), row.branch.as_deref().unwrap_or_default()];
    let mut fields: Vec<String> = names.into_iter().map(field).collect();
    fields.extend(numbers.map(|number| number.to_string()));
    fields.push(row.cost_usd.map(|cost| cost.to_string()).unwrap_or_default());
    fields.push(field(&row.unpriced.join(" ")));
    fields.join(",")
}

/// In quotes where it has to be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_field_is_quoted() {
        assert_eq!(field("/home/dev/api"), "/home/dev/api");
        assert_eq!(field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
    }
}
