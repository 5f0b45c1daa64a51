//! The name of a file or a language → the name that fences know it by. One table for all formats.

/// Each language's names: the one to write first, then what else it and the ends of its files are called.
static LANGUAGES: &[&str] = &[
    "text txt log plain plaintext",
    "rust rs",
    "javascript js mjs cjs",
    "jsx",
    "typescript ts mts cts",
    "tsx",
    "vue",
    "svelte",
    "python py pyi pyw python3",
    "go golang",
    "java",
    "kotlin kt kts",
    "csharp cs c#",
    "swift",
    "scala",
    "groovy gradle",
    "dart",
    "c h",
    "cpp c++ cc cxx hpp hh",
    "objective-c objc m",
    "cuda cu",
    "glsl",
    "hlsl",
    "wgsl",
    "arduino ino",
    "zig",
    "protobuf proto",
    "ruby rb rake gemspec gemfile rakefile",
    "elixir ex exs",
    "crystal",
    "perl pl pm",
    "r",
    "raku",
    "julia jl",
    "php",
    "bash sh zsh shell shellscript",
    "fish",
    "console shell-session",
    "powershell ps1 psm1 pwsh",
    "sql mysql postgresql postgres psql sqlite plsql tsql",
    "json geojson",
    "jsonc",
    "json5",
    "jsonl ndjson",
    "yaml yml",
    "toml",
    "ini cfg conf editorconfig",
    "properties",
    "dotenv env",
    "css",
    "scss",
    "sass",
    "less",
    "dockerfile docker containerfile",
    "makefile make mk",
    "cmake",
    "just justfile",
    "lua",
    "haskell hs",
    "elm",
    "purescript purs",
    "ocaml ml mli",
    "fsharp fs fsx",
    "lisp",
    "clojure clj cljs edn",
    "scheme scm",
    "racket rkt",
    "elisp el",
    "hcl terraform tf tfvars",
    "nix",
    "graphql gql",
    "html htm xhtml",
    "xml plist xaml xsd",
    "svg",
    "diff patch",
    "markdown md mdx",
    "rst",
    "latex tex",
    "csv",
    "tsv",
];

/// By what follows a fence, or behind the last dot of a file's name.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    let is_named = |names: &&&'static str| names.split(' ').any(|known| known.eq_ignore_ascii_case(name));
    LANGUAGES.iter().find(is_named)?.split(' ').next()
}

/// By the name of a file: some are called as a whole what others end with.
pub(crate) fn of_path(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    named(name).or_else(|| named(name.rsplit_once('.')?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_end_or_their_name() {
        let told =
            ["/a/b.rs", "C:\\a\\B.YML", "a/Dockerfile", "x.tar.gz", ".env", "rs/none", ""].map(of_path);
        assert_eq!(told, [Some("rust"), Some("yaml"), Some("dockerfile"), None, Some("dotenv"), None, None]);
    }

    #[test]
    fn no_name_stands_for_two_languages() {
        let mut names: Vec<_> = LANGUAGES.iter().flat_map(|names| names.split(' ')).collect();
        let number = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), number);
    }
}
