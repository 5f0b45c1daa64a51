//! Plans: proposed with `ExitPlanMode`, then approved, rejected, or implemented after all.

use serde_json::{Value, json};

use super::{Session, ToolResult};
use crate::Era;

const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it \
                        was a file edit, the new_string was NOT written to the file).";
const PLAN_FILE: &str = "/home/dev/.claude/plans/plan.md";

impl Session {
    /// The model proposes a plan; pending until one of the methods below follows.
    pub fn plan(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.plans.push(text.clone());
        let input = if self.era == Era::V2_1_325 {
            json!({"plan": text, "planFilePath": PLAN_FILE})
        } else {
            json!({"plan": text})
        };
        self.assistant(|message| message.tool_use("ExitPlanMode", input))
    }

    pub fn approve_plan(self) -> Self {
        let plan = self.last_plan();
        let approved = "User has approved your plan. You can now start coding. Start with updating your todo list if applicable";
        if self.era != Era::V2_1_325 {
            return self
                .verdict(ToolResult::text(approved).structured(json!({"plan": plan, "isAgent": false})));
        }
        let text =
            format!("{approved}\n\nYour plan has been saved to: {PLAN_FILE}\n\n## Approved Plan:\n{plan}");
        let structured = json!({"plan": plan, "isAgent": false, "filePath": PLAN_FILE});
        self.verdict(ToolResult::text(text).structured(structured))
    }

    /// Rejected; with an empty feedback the client only told the model to stop.
    pub fn reject_plan(self, feedback: &str) -> Self {
        let rest = if feedback.is_empty() {
            "STOP what you are doing and wait for the user to tell you how to proceed.".to_owned()
        } else {
            format!("To tell you how to proceed, the user said:\n{feedback}")
        };
        self.verdict(ToolResult::text(format!("{REJECTED} {rest}")).error())
    }

    /// The person chose to go on planning.
    pub fn keep_planning(self) -> Self {
        self.verdict(ToolResult::text("User chose to stay in plan mode and continue planning").error())
    }

    /// The hidden prompt with which a rejected plan is carried out after all.
    pub fn implement_plan(self) -> Self {
        let plan = self.last_plan();
        self.implement(&plan)
    }

    /// The same in a session of its own, when the plan was accepted with a cleared context.
    pub fn implement(self, plan: &str) -> Self {
        self.user(format!("Implement the following plan:\n\n{plan}"))
    }

    fn last_plan(&self) -> String {
        self.plans.last().expect("a plan was proposed").clone()
    }

    fn verdict(mut self, result: ToolResult) -> Self {
        let position = self.open_tools.iter().rposition(|open| open.name == "ExitPlanMode");
        let tool = self.open_tools[position.expect("a plan is pending")].id.clone();
        self.put_tool_result(result.to(tool));
        self
    }

    /// A user's rejection of any other call.
    pub fn reject_tool(self) -> Self {
        let text =
            format!("{REJECTED} STOP what you are doing and wait for the user to tell you how to proceed.");
        self.answer_with(ToolResult::text(text).error().structured(Value::from("User rejected tool use")))
    }
}
