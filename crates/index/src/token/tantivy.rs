//! The words of a text, as the engine asks for them.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::Walker;

/// Our words, for the engine to be registered with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words;

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream { walker: Walker::new(text), token: Token::default() }
    }
}

#[derive(Debug)]
pub(crate) struct WordStream<'a> {
    walker: Walker<'a>,
    token: Token,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(word) = self.walker.advance() else { return false };
        self.token.text.clear();
        self.token.text.push_str(word.word);
        self.token.position = word.position;
        self.token.offset_from = word.place.start;
        self.token.offset_to = word.place.end;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
