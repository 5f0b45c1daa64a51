//! Tables: the parser tells the alignment of the columns once, and the page needs it at each cell.

use pulldown_cmark::Alignment;

#[derive(Default)]
pub(super) struct Table {
    alignments: Vec<Alignment>,
    column: usize,
    is_head: bool,
}

/// Each writes what starts an element and gives what ends it.
impl Table {
    pub(super) fn start(&mut self, alignments: Vec<Alignment>, buffer: &mut String) -> &'static str {
        self.alignments = alignments;
        buffer.push_str("<div class=\"scroll\"><table>");
        "</tbody></table></div>"
    }

    pub(super) fn head(&mut self, buffer: &mut String) -> &'static str {
        (self.column, self.is_head) = (0, true);
        buffer.push_str("<thead><tr>");
        "</tr></thead><tbody>"
    }

    pub(super) fn row(&mut self, buffer: &mut String) -> &'static str {
        (self.column, self.is_head) = (0, false);
        buffer.push_str("<tr>");
        "</tr>"
    }

    pub(super) fn cell(&mut self, buffer: &mut String) -> &'static str {
        let alignment = self.alignments.get(self.column).copied().unwrap_or(Alignment::None);
        self.column += 1;
        buffer.push_str(if self.is_head { "<th" } else { "<td" });
        buffer.push_str(match alignment {
            Alignment::None | Alignment::Left => ">",
            Alignment::Center => " class=\"center\">",
            Alignment::Right => " class=\"right\">",
        });
        if self.is_head { "</th>" } else { "</td>" }
    }
}
