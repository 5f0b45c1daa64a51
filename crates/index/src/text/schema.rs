//! The fields of a passage, and their names.

use tantivy::schema::{Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions};
use tantivy::store::Compressor;
use tantivy::tokenizer::{RawTokenizer, TokenizerManager};
use tantivy::{Index, IndexSettings};

use crate::token::Words;

/// Another number for every change of this file, of the words, of the passages, and of the engine's own format.
pub(super) const VERSION: u32 = 4;

/// The names of tokenizers.
const WORDS: &str = "words";
const WHOLE: &str = "whole";

pub(super) const FILE: &str = "file";
pub(super) const ROLE: &str = "role";
pub(super) const SECOND: &str = "second";
pub(super) const LINE: &str = "line";
pub(super) const OFFSET: &str = "offset";
pub(super) const TOOL: &str = "tool";

/// The fields, numbered in the order in which [`schema`] adds them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub(super) words: Field,
    pub(super) file: Field,
    pub(super) line: Field,
    pub(super) offset: Field,
    pub(super) role: Field,
    /// The time of the passage, in seconds since the epoch.
    pub(super) second: Field,
    /// As it is written.
    pub(super) tool: Field,
    /// In small letters, whole and in parts.
    pub(super) tools: Field,
    pub(super) model: Field,
    pub(super) branch: Field,
    pub(super) files: Field,
}

impl Fields {
    pub(super) fn new() -> Self {
        build().1
    }
}

pub(super) fn schema() -> Schema {
    build().0
}

fn build() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let column = NumericOptions::default().set_fast();
    let listed = column.clone().set_indexed();
    let fields = Fields {
        words: builder.add_text_field("words", text(WORDS, IndexRecordOption::WithFreqsAndPositions, true)),
        file: builder.add_u64_field(FILE, listed.clone()),
        line: builder.add_u64_field(LINE, column.clone()),
        offset: builder.add_u64_field(OFFSET, column.clone()),
        role: builder.add_u64_field(ROLE, listed),
        second: builder.add_i64_field(SECOND, column),
        tool: builder.add_text_field(TOOL, TextOptions::default().set_fast(WHOLE)),
        tools: builder.add_text_field("tools", text(WHOLE, IndexRecordOption::Basic, false)),
        model: builder.add_text_field("model", text(WORDS, IndexRecordOption::WithFreqsAndPositions, false)),
        branch: builder
            .add_text_field("branch", text(WORDS, IndexRecordOption::WithFreqsAndPositions, false)),
        files: builder.add_text_field("files", text(WORDS, IndexRecordOption::WithFreqsAndPositions, false)),
    };
    (builder.build(), fields)
}

fn text(tokenizer: &str, option: IndexRecordOption, has_lengths: bool) -> TextOptions {
    let indexing = TextFieldIndexing::default().set_tokenizer(tokenizer).set_index_option(option);
    TextOptions::default().set_indexing_options(indexing.set_fieldnorms(has_lengths))
}

/// No texts are stored, so nothing is compressed and no thread need do it.
pub(super) fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

/// Says what the names of tokenizers mean, which an index does not remember.
pub(super) fn equip(index: &mut Index) {
    let tokenizers = || {
        let manager = TokenizerManager::new();
        manager.register(WORDS, Words);
        manager.register(WHOLE, RawTokenizer::default());
        // The engine asks for it even where a field is a number.
        manager.register("default", RawTokenizer::default());
        manager
    };
    index.set_tokenizers(tokenizers());
    index.set_fast_field_tokenizers(tokenizers());
}
