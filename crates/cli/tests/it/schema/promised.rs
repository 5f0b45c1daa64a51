//! The words of the answers that programs rely on: every key of every object, and every value of those that have
//! only certain ones. Add some, never rename or remove one.

use std::collections::{BTreeMap, BTreeSet};

use crate::schema::shape::{Shape, Words};
use crate::schema::words;

/// Every object of the answers with its keys: command, definition (none: the answer itself), keys.
const NAMES: &[(&str, &str, &str)] = &[
    ("resume", "", "ok session title foundBy others cwd claudeDir needs command dryRun plan warnings next"),
    ("resume", "Plan", "files"),
    ("resume", "Planned", "path bytes action"),
    ("diff", "", "id title cwd files additions deletions commands unanswered reversed warnings next"),
    ("diff", "File", "path kind additions deletions edits exact notes patch"),
    (
        "dump",
        "",
        "ok id title format path sizeBytes content conversation redacted rewritten encrypted passphrase dryRun \
         warnings next",
    ),
    ("dump", "Redacted", "total distinct kinds"),
    ("dump", "RedactedKind", "kind count distinct places"),
    ("dump", "RedactedPlace", "file line"),
    ("dump", "Rewritten", "from to count"),
    (
        "share",
        "",
        "ok id title format path sizeBytes content conversation redacted rewritten encrypted passphrase dryRun \
         warnings next",
    ),
    ("share", "Redacted", "total distinct kinds"),
    ("share", "RedactedKind", "kind count distinct places"),
    ("share", "RedactedPlace", "file line"),
    ("share", "Rewritten", "from to count"),
    ("portable", "Block.text", "type text"),
    ("portable", "Block.thinking", "type text signature"),
    ("portable", "Block.tool_use", "type id name input block_type"),
    ("portable", "Block.tool_result", "type tool_use_id output is_error images block_type"),
    ("portable", "Block.unknown", "type block_type"),
    ("portable", "Plan", "toolId text proposedAt verdict feedback clearedContext implementedIn"),
    ("portable", "", "id title source startedAt endedAt messages plans extensions"),
    ("portable", "Source", "agent versions cwd projectHash gitBranch"),
    ("portable", "Message", "role timestamp content extensions"),
    ("portable", "Media", "media_type data url title"),
    ("portable", "Agent", "id description type toolId messages extensions agents"),
    (
        "portable",
        "MessageExtensions",
        "uuid parentUuid logicalParentUuid requestId slug userType isSidechain",
    ),
    (
        "portable",
        "MessageExtensions",
        "isMeta isCompactSummary isApiErrorMessage thinkingMetadata toolUseResult",
    ),
    (
        "portable",
        "MessageExtensions",
        "messageId model stop_reason usage message queued hidden original_content",
    ),
    ("portable", "MessageExtensions", "continued odd_fields"),
    (
        "portable",
        "Extensions",
        "system_events unknown_records attachments permission_modes agent_names titles",
    ),
    ("portable", "Extensions", "abandoned agents other_records left_out notes"),
    ("list", "", "sessions total warnings hints note next"),
    ("list", "Session", SESSION),
    ("list", "Session", "machine subagents"),
    (
        "list",
        "Subagent",
        "id agentType description startedAt endedAt messages toolCalls models tokens sizeBytes",
    ),
    ("search", "", "query mode total totalSessions sessions hits scattered partial note hints next"),
    ("search", "Session", "id title cwd gitBranch endedAt live kept machine path hits"),
    ("search", "Hit", "session agent record at timestamp role tool snippet highlights score"),
    ("search", "RecordRef", "uuid line"),
    ("show", "", SESSION),
    ("show", "", SHOWN),
    ("show", "Passage", "role text"),
    ("show", "ClientCount", "sessions forks total recorded unrecorded beyond models isCostPartial"),
    ("show", "ClientPart", "tokens webSearches costUsd"),
    ("show", "ClientDifference", "model unrecorded beyond"),
    ("show", "Chunk", "index startedAt endedAt records"),
    ("show", "UserChunk", "text images command bash queued fromTeam plan"),
    ("show", "SlashCommand", "name args"),
    ("show", "BashCommand", "command stdout stderr"),
    ("show", "TeamMessage", "member color summary"),
    ("show", "AiChunk", "model tokens durationMs steps"),
    ("show", "ToolStep", "id name input result durationMs record"),
    ("show", "ToolOutcome", "isError text structured persisted images record"),
    ("show", "Persisted", "path found sizeBytes"),
    ("show", "Media", "mediaType url encodedBytes"),
    ("show", "AgentStep", "agent id name input result durationMs record"),
    ("show", "PlanStep", "plan id name input result durationMs record"),
    ("show", "Step.thinking", "kind text redacted record"),
    ("show", "Step.text", "kind text record"),
    ("show", "Step.interruption", "kind text record"),
    ("show", "Step.media", "kind mediaType url encodedBytes record"),
    ("show", "Step.unknown", "kind blockType raw record"),
    ("show", "Notification", "task toolId status text record"),
    ("show", "SystemChunk", "subtype text"),
    ("show", "CompactChunk", "trigger preTokens postTokens summary"),
    ("show", "RecordRef", "uuid line"),
    ("show", "Tool", "id name call result isError durationMs"),
    (
        "show",
        "Agent",
        "id description type toolId linkedBy parallel team background startedAt endedAt ongoing messages toolCalls \
         tokens path continues chunks tools agents",
    ),
    ("show", "Team", "name member color"),
    ("show", "Plan", "toolId text proposedAt verdict feedback clearedContext implementedIn"),
    ("show", "Phase", "index startTokens endTokens contribution boundary"),
    ("show", "Branch", "leaf forkedAt messages active"),
    ("watch", "", "sessions hints next"),
    ("watch", "Row", "id title projectPath state lastText pids version"),
    ("watch", "Because", "seenBy at what"),
    ("watch", "StateOf", "since because"),
    ("watch", "StateOf.background", "kind tasks"),
    ("watch", "StateOf.ended", "kind reason"),
    ("watch", "StateOf.waiting", "kind for tool detail"),
    ("watch", "StateOf.working", "kind tool detail agents"),
    ("watch-change", "", "at was session"),
    ("watch-change", "Row", "id title projectPath state lastText pids version"),
    ("watch-change", "Because", "seenBy at what"),
    ("watch-change", "StateOf", "since because"),
    ("watch-change", "StateOf.background", "kind tasks"),
    ("watch-change", "StateOf.ended", "kind reason"),
    ("watch-change", "StateOf.waiting", "kind for tool detail"),
    ("watch-change", "StateOf.working", "kind tool detail agents"),
    ("stats", "", "by rows limit total timezone prices client explain warnings note next"),
    ("stats", "Row", "key project branch window messages tokens costUsd webSearches unpriced"),
    ("stats", "Total", "messages tokens costUsd webSearches unpriced"),
    ("stats", "Origin", "date source file"),
    (
        "stats",
        "Explain",
        "files records messages repeated withoutId withoutFinalUsage withoutTime synthetic beside longContext unpriced \
         everyRecord firstRecord byRequest byMessage rules",
    ),
    ("stats", "ClientCount", "sessions forks total recorded unrecorded beyond models isCostPartial"),
    ("stats", "ClientPart", "tokens webSearches costUsd"),
    ("stats", "ClientDifference", "model unrecorded beyond"),
    ("stats", "Window", "start end firstAt lastAt running rate"),
    ("stats", "Rate", "tokensPerMinute costPerHour tokensAtEnd costAtEnd limitAt"),
    ("stats", "BesideMessages", "type model times tokens costUsd"),
    ("stats", "Files", "read kept agents"),
    ("stats", "Repeated", "sameFile otherSession subagent withoutId"),
    ("stats", "Unpriced", "model messages"),
    ("stats", "Alternative", "messages tokens costUsd"),
    ("doctor", "", "ok files records findings retention unknownTypes census next"),
    ("doctor", "Finding", "severity kind message file line session count help"),
    (
        "doctor",
        "Retention",
        "cleanupPeriodDays source path suspended atRisk atRiskNotKept notKept nextDeletion",
    ),
    ("doctor", "CensusReport", "recordTypes subtypes blockTypes fields unknown"),
    ("doctor", "Unknown", "recordTypes subtypes blockTypes fields"),
    ("init", "", "ok mode repo vault machine scheduler encrypted newKey sync created warnings next"),
    ("init", "Report", "ok config sessions pushed kept bytesRead bytesWritten push vault warnings"),
    ("init", "Config", "filesSynced"),
    ("init", "Sessions", "added updated removed"),
    ("init", "Push", "state reason received secrets"),
    ("init", "Secrets", "found kinds places"),
    ("init", "SecretsPlace", "kind path session line"),
    ("sync", "", "ok config sessions pushed kept bytesRead bytesWritten push vault warnings next"),
    ("sync", "Config", "filesSynced"),
    ("sync", "Sessions", "added updated removed"),
    ("sync", "Push", "state reason received secrets"),
    ("sync", "Secrets", "found kinds places"),
    ("sync", "SecretsPlace", "kind path session line"),
    (
        "status",
        "",
        "version mode repo encrypted lastBackup backupSize backupSizeBytes config sessions scheduler schedule \
         index retention lastError vault machine machines pending push warnings next",
    ),
    ("status", "Config", "files size sizeBytes"),
    ("status", "Sessions", "files projects size sizeBytes uncompressedBytes deleted"),
    ("status", "Index", "sessions"),
    (
        "status",
        "Retention",
        "cleanupPeriodDays source path suspended atRisk atRiskNotKept notKept nextDeletion",
    ),
    ("status", "LastError", "time command error"),
    ("status", "Push", "state reason"),
    ("status", "Machine", "machine own sessions sizeBytes lastBackup"),
    ("restore-list", "", "sessions total hints next"),
    (
        "restore-list",
        "Session",
        "uuid projectHash sizeBytes backedUpAt title cwd machine live lastActivity generations \
         uncompressedBytes files",
    ),
    ("restore", "", "ok restored dryRun partial missing plan warnings resume next"),
    ("restore", "Missing", "file generation offset length"),
    ("restore", "Restored", "from to files uuid machine generation cwd"),
    ("restore", "Plan", "files"),
    ("restore", "Planned", "path bytes action"),
    ("restore-all", "", "ok restored skipped others dryRun partial forced warnings next"),
    ("restore-all", "Missing", "file generation offset length"),
    ("restore-all", "Restored", "uuid from to files missing title"),
    ("restore-all", "Skipped", "uuid reason message"),
    ("restore-all", "Others", "files"),
    ("clone", "", "ok cloned estimate turns summary plan findings messages dryRun warnings resume goOn next"),
    ("clone", "Cloned", "from uuid to records tokens files cwd"),
    ("clone", "Records", "kept dropped changed"),
    ("clone", "Change", "before after"),
    ("clone", "Estimates", "before after"),
    ("clone", "Estimate", "total text thinking toolCalls toolResults images"),
    ("clone", "Planning", "files summary"),
    ("clone", "Summarized", "source"),
    ("clone", "Planned", "path bytes action"),
    ("clone", "Finding", "rule severity line record count message"),
    ("check", "", "ok session path resumable findings fixed resume messages dryRun warnings next"),
    ("check", "Cloned", "from uuid to records tokens files cwd"),
    ("check", "Records", "kept dropped changed"),
    ("check", "Change", "before after"),
    ("check", "Finding", "rule severity line record count message"),
    ("move", "", "ok moved there skipped removed others from to dryRun plan warnings resume next"),
    ("move", "Moved", "uuid from to files"),
    ("move", "Skipped", "uuid reason message"),
    ("move", "Removed", "uuid files"),
    ("move", "Others", "files removed"),
    ("move", "Plan", "files remove"),
    ("move", "Planned", "path bytes action"),
    (
        "peek",
        "",
        "uuid projectHash backedUpAt sizeBytes uncompressedBytes messageCount firstMessages lastMessages \
         machine generation generations title cwd lastActivity warnings next",
    ),
    ("peek", "Preview", "role preview"),
    ("verify", "", "ok locked files bytes segments repair damaged missing repaired keptAnew warnings next"),
    ("verify", "Damage", "session machine path generation segment offset length reason detail"),
    ("remote", "", "ok mode repo encrypted newKey pushed push warnings next"),
    ("remote", "Push", "state reason received secrets"),
    ("remote", "Secrets", "found kinds places"),
    ("remote", "SecretsPlace", "kind path session line"),
    (
        "key",
        "",
        "ok encrypted recipients fingerprint identity protected publicKeys opens exported secret resealed push warnings next",
    ),
    ("key", "Push", "state reason received secrets"),
    ("key", "Secrets", "found kinds places"),
    ("key", "SecretsPlace", "kind path session line"),
    ("schedule", "", "ok scheduler every kind dryRun steps warnings next"),
    ("export-config", "", "ok exported dryRun warnings next"),
    ("export-config", "Exported", "path size sizeBytes files names machine"),
    ("import-config", "", "ok imported dryRun warnings next"),
    ("import-config", "Imported", "files into new overwritten replaced exists identical"),
    ("purge", "", "ok purged remaining dryRun warnings next"),
    ("purge", "Purged", "uuid title sizeBytes copies files paths liveFiles"),
    ("purge", "Remaining", "where detail"),
    ("uninstall", "", "ok removed vaultKept vault repo dryRun steps warnings next"),
    (
        "help",
        "",
        "help program version about usage globalFlags flags commands notes exitCodes errorKinds environment",
    ),
    ("help", "Command", "name group about usage aliases arguments flags examples notes schemas"),
    ("help", "Argument", "name required repeatable values default help"),
    ("help", "Flag", "long short value default values repeatable required conflicts requires help"),
    ("help", "Example", "command does"),
    ("help", "ExitCode", "code means"),
    ("help", "ErrorKind", "kind code means"),
    ("help", "Variable", "name means"),
    ("completions", "", "shell script install"),
    ("man", "", "ok pages dryRun"),
    ("man", "Entry", "name section text path action"),
    ("hook", "", "ok event session started reason message"),
];

/// Objects that are the same wherever they stand.
const ANYWHERE: [(&str, &str); 3] = [
    ("Next", "command why ask"),
    ("Tokens", "input output cacheRead cacheWrite5m cacheWrite1h withoutFinalUsage"),
    ("Warning", "file line kind message"),
];

pub(crate) const SESSION: &str = "id aliases title titleSource projectHash cwd gitBranch startedAt endedAt messages turns \
     toolCalls agents models versions tokens sizeBytes ongoing live kept path clonedFrom";
/// What `show` adds to a session's own keys.
pub(crate) const SHOWN: &str =
    "chunks tools plans phases branches recordTypes unknownTypes warnings at client note beside next";

/// Every value that is one of a few: command, place, values.
const VALUES: &[(&str, &str, &str)] = &[
    ("list", "TitleSource", TITLES),
    ("watch", "SeenBy", "transcript hook registry processes"),
    ("watch", "StateOf.kind", "working waiting background idle ended unknown"),
    ("watch", "WaitingFor", "permission question plan dialog"),
    ("watch-change", "SeenBy", "transcript hook registry processes"),
    ("watch-change", "StateOf.kind", "working waiting background idle ended unknown"),
    ("watch-change", "WaitingFor", "permission question plan dialog"),
    ("diff", "Kind", "added modified deleted"),
    ("diff", "Note", "changed-between unknown-before fragment user-modified"),
    ("dump", "Format", "markdown text html json jsonl"),
    ("share", "Format", "markdown text html json jsonl"),
    ("portable", "Block.type", "text thinking tool_use tool_result image document unknown"),
    ("portable", "Role", "user assistant"),
    ("portable", "Verdict", "approved rejected pending"),
    ("search", "Mode", "words literal regex"),
    ("search", "Role", "user assistant thinking tool result title summary plan system record"),
    ("show", "Role", "user assistant thinking tool result title summary plan system record"),
    ("show", "TitleSource", TITLES),
    ("show", "Chunk.kind", "user ai system compact"),
    ("show", "Step.kind", "thinking text tool agent plan notification interruption media unknown"),
    ("show", "LinkedBy", "meta result team position"),
    ("show", "Verdict", "approved rejected pending"),
    ("stats", "By", "daily weekly monthly project model session branch window"),
    ("doctor", "Severity", "error warning info"),
    ("init", "State", SCHEDULER),
    ("init", "State2", PUSH),
    ("sync", "State", PUSH),
    ("status", "State", SCHEDULER),
    ("restore", "Action", "write overwrite identical keep"),
    ("resume", "Action", "write overwrite identical keep"),
    ("resume", "FoundBy", "id title search"),
    ("resume", "Needs", "restore clone"),
    ("restore-all", "Reason", "exists running damaged failed"),
    ("clone", "Rule", "conversation name lines tail unique-ids session-ids chain roots"),
    ("clone", "Rule", "references messages pairs line times leaf compaction end"),
    ("clone", "Severity", "info warning error"),
    ("clone", "SummarySource", "compaction file command digest"),
    ("check", "Rule", "conversation name lines tail unique-ids session-ids chain roots"),
    ("check", "Rule", "references messages pairs line times leaf compaction end"),
    ("check", "Severity", "info warning error"),
    ("clone", "Action", "write overwrite identical keep"),
    ("move", "Action", "write overwrite identical keep"),
    ("move", "Reason", "exists running changed unkept failed"),
    ("remote", "State", PUSH),
    ("key", "State", PUSH),
    ("schedule", "State", SCHEDULER),
    ("schedule", "Every", "daily 6h hourly"),
    ("schedule", "Kind", "launchd systemd cron task-scheduler"),
    ("man", "Action", "write overwrite identical"),
    ("completions", "Shell", "bash zsh fish powershell elvish"),
    ("hook", "Reason", "no-payload bad-payload other-event no-vault other-directory claimed failed"),
];

const TITLES: &str = "custom ai summary plan prompt slug";
const SCHEDULER: &str = "active off unavailable";
const PUSH: &str = "pushed up-to-date held offline refused";

/// Command and place → words.
type Listed = BTreeMap<(String, String), BTreeSet<String>>;

/// A place may have several rows.
fn promised(rows: &[(&str, &str, &str)]) -> Listed {
    let mut listed = Listed::new();
    for (command, place, words) in rows {
        let key = ((*command).to_owned(), (*place).to_owned());
        listed.entry(key).or_default().extend(self::words(words));
    }
    listed
}

fn printed(part: fn(Shape) -> Words) -> Listed {
    let mut listed = Listed::new();
    for (command, schema) in steno_cli::schemas() {
        let words = part(Shape::of(schema.as_value())).into_iter();
        listed.extend(words.map(|(place, words)| ((command.to_owned(), place), words)));
    }
    listed
}

/// Both ways: a row that nothing keeps any more, and what has no row.
fn differ(list: &str, promised: &Listed, printed: &Listed) -> Vec<String> {
    let both: BTreeSet<_> = promised.keys().chain(printed.keys()).collect();
    let none = BTreeSet::new();
    let say = |key: &&(String, String)| {
        let (promised, printed) = (promised.get(key).unwrap_or(&none), printed.get(key).unwrap_or(&none));
        let ((command, place), gone) = (key, promised - printed);
        format!("{list}: {command} {place:?}: gone {gone:?}, without a row {:?}", printed - promised)
    };
    both.iter().filter(|key| promised.get(key) != printed.get(key)).map(say).collect()
}

#[test]
fn names_are_the_ones_we_promised() {
    let (mut promised, printed) = (promised(NAMES), printed(|shape| shape.objects));
    for key in printed.keys() {
        let same = ANYWHERE.iter().find(|(place, _)| *place == key.1);
        promised.extend(same.map(|(_, keys)| (key.clone(), words(keys))));
    }
    let differences = differ("NAMES", &promised, &printed);
    assert!(differences.is_empty(), "keys are added, never renamed or removed: {differences:#?}");
}

#[test]
fn values_are_the_ones_we_promised() {
    let differences = differ("VALUES", &promised(VALUES), &printed(|shape| shape.values));
    assert!(differences.is_empty(), "values are added, never renamed or removed: {differences:#?}");
}
