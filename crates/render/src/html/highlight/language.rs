//! What the lexer knows of each language: its names, its comments, its quotes, its words.

use super::Class;
use super::grammar::{
    BACKTICK, BRACES, DOUBLE, DOUBLE_LINES, Escape, Grammar, HASHES, NOTHING, Quote, RAW_BACKTICK,
    RAW_DOUBLE, RAW_SINGLE, SINGLE, SINGLE_LINES, triple,
};
use crate::language;

/// A language, or several that look alike from far away.
pub(in crate::html) struct Language {
    /// As the table of all languages calls it.
    names: &'static str,
    pub(super) syntax: Syntax,
}

pub(super) enum Syntax {
    Code(Grammar),
    Markup,
    Diff,
}

impl Language {
    /// By what follows a fence.
    pub(in crate::html) fn named(name: &str) -> Option<&'static Self> {
        language::named(name).and_then(Self::called)
    }

    /// By the name of a file.
    pub(in crate::html) fn of_path(path: &str) -> Option<&'static Self> {
        language::of_path(path).and_then(Self::called)
    }

    fn called(name: &str) -> Option<&'static Self> {
        LANGUAGES.iter().find(|language| language.names.split(' ').any(|known| known == name))
    }

    #[cfg(test)]
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        LANGUAGES.iter()
    }
}

static LANGUAGES: &[Language] = &[
    Language {
        names: "rust",
        syntax: Syntax::Code(Grammar {
            quotes: &[DOUBLE_LINES],
            keywords: "Self as async await break const continue crate dyn else enum extern false fn for if impl \
                       in let loop macro_rules match mod move mut pub ref return self static struct super trait \
                       true type union unsafe use where while yield",
            has_lifetimes: true,
            ..BRACES
        }),
    },
    Language {
        names: "javascript jsx typescript tsx vue svelte",
        syntax: Syntax::Code(Grammar {
            quotes: &[DOUBLE, SINGLE, BACKTICK],
            keywords: "abstract any as async await boolean break case catch class const constructor continue \
                       debugger declare default delete do else enum export extends false finally for from \
                       function get if implements import in infer instanceof interface is keyof let namespace \
                       never new null number of override private protected public readonly return satisfies set \
                       static string super switch this throw true try type typeof undefined unknown var void \
                       while with yield",
            at_sign: Some(Class::Name),
            joins: b"$",
            ..BRACES
        }),
    },
    Language {
        names: "python",
        syntax: Syntax::Code(Grammar {
            quotes: &[triple("\"\"\""), triple("'''"), DOUBLE, SINGLE],
            keywords: "False None True and as assert async await break case class continue def del elif else \
                       except finally for from global if import in is lambda match nonlocal not or pass raise \
                       return self try while with yield",
            at_sign: Some(Class::Name),
            has_capital_names: true,
            ..HASHES
        }),
    },
    Language {
        names: "go",
        syntax: Syntax::Code(Grammar {
            quotes: &[DOUBLE, SINGLE, RAW_BACKTICK],
            keywords: "any bool break byte case chan const continue default defer else error fallthrough false \
                       float32 float64 for func go goto if import int int32 int64 interface iota len make map \
                       nil package range return rune select string struct switch true type uint uint32 uint64 \
                       uint8 var",
            ..BRACES
        }),
    },
    Language {
        names: "java kotlin csharp swift scala groovy dart",
        syntax: Syntax::Code(Grammar {
            quotes: &[triple("\"\"\""), DOUBLE, SINGLE],
            keywords: "abstract actor as assert associatedtype async await base bool boolean break byte case \
                       catch char class companion const continue data decimal def default defer deinit delegate \
                       do double else enum event extends extension false final finally float for foreach fun \
                       func get guard if implements implicit import in init inline inout instanceof int \
                       interface internal is lazy let lock long match namespace native new nil null object open \
                       operator out override package params partial private protected protocol public readonly \
                       record ref return sealed self set short static string struct super suspend switch \
                       synchronized this throw throws trait transient true try type typealias typeof using val \
                       var virtual void volatile when where while with yield",
            at_sign: Some(Class::Name),
            ..BRACES
        }),
    },
    Language {
        names: "c cpp objective-c cuda glsl hlsl wgsl arduino zig protobuf",
        syntax: Syntax::Code(Grammar {
            line_comments: &["//"],
            keywords: "NULL alignas alignof auto bool break case catch char char16_t char32_t class co_await \
                       co_return co_yield concept const const_cast consteval constexpr constinit continue \
                       decltype default delete do double dynamic_cast else enum explicit export extern false \
                       final float fn for friend goto if inline int int16_t int32_t int64_t int8_t long message \
                       mutable namespace new noexcept nullptr operator override private protected pub public \
                       register reinterpret_cast requires return short signed size_t sizeof static \
                       static_assert static_cast struct switch template this thread_local throw true try \
                       typedef typeid typename uint16_t uint32_t uint64_t uint8_t union unsigned using var \
                       virtual void volatile wchar_t while",
            ..BRACES
        }),
    },
    Language {
        names: "ruby elixir crystal",
        syntax: Syntax::Code(Grammar {
            quotes: &[triple("\"\"\""), DOUBLE_LINES, SINGLE_LINES, BACKTICK],
            keywords: "alias and begin break case catch class cond def defmodule defp do else elsif end ensure \
                       false fn for if import in lambda loop module next nil not or private proc protected \
                       public raise redo require require_relative rescue retry return self super then true \
                       unless until use when while with yield",
            at_sign: Some(Class::Name),
            has_capital_names: true,
            ..HASHES
        }),
    },
    Language {
        names: "perl r raku julia",
        syntax: Syntax::Code(Grammar {
            keywords: "FALSE NULL TRUE and begin break else elseif elsif end false for foreach function if in \
                       last local macro module my next not or our package repeat return struct sub true undef \
                       unless until use using while",
            has_variables: true,
            has_capital_names: false,
            ..HASHES
        }),
    },
    Language {
        names: "php",
        syntax: Syntax::Code(Grammar {
            line_comments: &["//", "#"],
            quotes: &[DOUBLE_LINES, SINGLE_LINES],
            keywords: "abstract and array as bool break callable case catch class clone const continue declare \
                       default do echo else elseif enum extends false final finally float fn for foreach \
                       function global if implements include include_once instanceof int interface isset list \
                       match mixed namespace new null object or print private protected public readonly require \
                       require_once return self static string switch this throw trait true try unset use var \
                       void while yield",
            has_variables: true,
            ..BRACES
        }),
    },
    Language {
        names: "bash fish console",
        syntax: Syntax::Code(Grammar {
            comments_need_a_gap: true,
            quotes: &[DOUBLE_LINES, RAW_SINGLE],
            keywords: "alias break case cd continue declare do done echo elif else end esac eval exec exit \
                       export fi for function if in local printf read readonly return select set shift source \
                       sudo test then time trap unset until while",
            has_variables: true,
            joins: b"-",
            ..HASHES
        }),
    },
    Language {
        names: "powershell",
        syntax: Syntax::Code(Grammar {
            block_comments: &[("<#", "#>")],
            quotes: &[RAW_DOUBLE, RAW_SINGLE],
            keywords: "begin break catch class continue do else elseif end exit filter finally for foreach from \
                       function if in param process return switch throw trap try until using while",
            has_variables: true,
            ignores_case: true,
            joins: b"-",
            ..HASHES
        }),
    },
    Language {
        names: "sql",
        syntax: Syntax::Code(Grammar {
            line_comments: &["--"],
            block_comments: &[("/*", "*/")],
            quotes: &[RAW_SINGLE, RAW_DOUBLE],
            keywords: "add all alter and any as asc begin between bigint boolean by cascade case char check \
                       column commit constraint create cross current_timestamp database date default delete \
                       desc distinct drop else end except exists explain false float foreign from full function \
                       grant group having if in index inner insert int integer intersect into is join key left \
                       like limit not null numeric offset on or order outer over partition primary references \
                       replace returning revoke right rollback row select serial set table text then timestamp \
                       transaction trigger true truncate union unique update using uuid values varchar view \
                       when where with",
            ignores_case: true,
            ..NOTHING
        }),
    },
    Language {
        names: "json jsonc json5 jsonl",
        syntax: Syntax::Code(Grammar {
            line_comments: &["//"],
            block_comments: &[("/*", "*/")],
            quotes: &[DOUBLE, SINGLE],
            keywords: "false null true",
            key_sign: Some(b':'),
            ..NOTHING
        }),
    },
    Language {
        names: "yaml",
        syntax: Syntax::Code(Grammar {
            line_comments: &["#"],
            comments_need_a_gap: true,
            quotes: &[DOUBLE, RAW_SINGLE],
            keywords: "false no null off on true yes",
            key_sign: Some(b':'),
            joins: b"-./",
            ..NOTHING
        }),
    },
    Language {
        names: "toml ini properties dotenv",
        syntax: Syntax::Code(Grammar {
            line_comments: &["#", ";"],
            comments_need_a_gap: true,
            quotes: &[triple("\"\"\""), triple("'''"), DOUBLE, RAW_SINGLE],
            keywords: "false inf nan off on true",
            key_sign: Some(b'='),
            has_sections: true,
            joins: b"-.",
            ..NOTHING
        }),
    },
    Language {
        names: "css scss sass less",
        syntax: Syntax::Code(Grammar {
            line_comments: &["//"],
            block_comments: &[("/*", "*/")],
            quotes: &[DOUBLE, SINGLE],
            keywords: "important",
            key_sign: Some(b':'),
            has_colours: true,
            at_sign: Some(Class::Keyword),
            has_variables: true,
            joins: b"-",
            ..NOTHING
        }),
    },
    Language {
        names: "dockerfile",
        syntax: Syntax::Code(Grammar {
            comments_need_a_gap: true,
            keywords: "add arg as cmd copy entrypoint env expose from healthcheck label maintainer onbuild run \
                       shell stopsignal user volume workdir",
            ignores_case: true,
            has_variables: true,
            joins: b"-",
            ..HASHES
        }),
    },
    Language {
        names: "makefile cmake just",
        syntax: Syntax::Code(Grammar {
            comments_need_a_gap: true,
            keywords: "define else endef endforeach endfunction endif export foreach function if ifdef ifeq \
                       ifndef ifneq include override set unexport vpath",
            has_variables: true,
            key_sign: Some(b':'),
            joins: b"-.",
            ..HASHES
        }),
    },
    Language {
        names: "lua",
        syntax: Syntax::Code(Grammar {
            line_comments: &["--"],
            block_comments: &[("--[[", "]]")],
            quotes: &[
                DOUBLE,
                SINGLE,
                Quote { open: "[[", close: "]]", escape: Escape::Nothing, spans_lines: true },
            ],
            keywords: "and break do else elseif end false for function goto if in local nil not or repeat \
                       return self then true until while",
            ..NOTHING
        }),
    },
    Language {
        names: "haskell elm purescript ocaml fsharp",
        syntax: Syntax::Code(Grammar {
            line_comments: &["--", "//"],
            block_comments: &[("{-", "-}"), ("(*", "*)")],
            quotes: &[DOUBLE],
            keywords: "and as case class data deriving do else exception false forall fun function if import in \
                       infix instance let match module mutable newtype of open rec then true try type val when \
                       where with",
            has_capital_names: true,
            ..NOTHING
        }),
    },
    Language {
        names: "lisp clojure scheme racket elisp",
        syntax: Syntax::Code(Grammar {
            line_comments: &[";"],
            quotes: &[DOUBLE_LINES],
            keywords: "cond def defmacro defn defun do else false fn if lambda let loop nil ns quote recur \
                       require setq true when",
            joins: b"-?!*+",
            ..NOTHING
        }),
    },
    Language {
        names: "hcl nix",
        syntax: Syntax::Code(Grammar {
            line_comments: &["#", "//"],
            block_comments: &[("/*", "*/")],
            keywords: "data else false for if in inherit let locals module null output provider rec resource \
                       then true variable with",
            key_sign: Some(b'='),
            joins: b"-",
            has_capital_names: false,
            ..HASHES
        }),
    },
    Language {
        names: "graphql",
        syntax: Syntax::Code(Grammar {
            keywords: "directive enum extend false fragment implements input interface mutation null on query \
                       scalar schema subscription true type union",
            key_sign: Some(b':'),
            at_sign: Some(Class::Name),
            has_capital_names: true,
            ..HASHES
        }),
    },
    Language { names: "html xml svg", syntax: Syntax::Markup },
    Language { names: "diff", syntax: Syntax::Diff },
];

#[cfg(test)]
mod tests;
