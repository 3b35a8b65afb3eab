import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  COUNTED,
  FAIL_ON_LEVELS,
  POLICIES_FROM,
  Resource,
  SOURCE_NAME,
  SourceFile,
  UNOBSERVED,
  WorkspaceError,
  WrittenManifest,
  addressOf,
  baseName,
  blockLines,
  commitProblem,
  editFile,
  evaluateTarget,
  formatFieldPath,
  gitUrlProblem,
  integrityProblem,
  isJsonArray,
  isJsonObject,
  isMadeFrom,
  isSameSource,
  languagesOf,
  nearestName,
  npmProblem,
  ociProblem,
  openSources,
  parseCredentials,
  patchSteps,
  pinOf,
  plannedTargets,
  readManifests,
  reasonOf,
  reporters,
  resolveSource,
  resourceLabel,
  resourceName,
  sanitizeLine,
  sourceAccess,
  sourceProblem,
  stateClusters,
  stateContent,
  stringifyJson,
  tagProblem,
  targetOf,
  typedConverter,
  unifiedDiff,
  valueAt
} from "./chunk-HHDPM2AY.js";

// src/door/exit-code.ts
var EXIT = {
  allowed: 0,
  denied: 1,
  noValue: 1,
  notRendered: 1,
  usage: 2,
  nothingChecked: 3,
  internal: 4
};
function exitCodeOf({ verdict: { conclusion, failOn }, shard }, { mayCheckNothing = false } = {}) {
  if (shard !== void 0) return EXIT.allowed;
  if (conclusion === "denied") return EXIT.denied;
  return conclusion === "nothing-checked" && failOn !== "never" && !mayCheckNothing ? EXIT.nothingChecked : EXIT.allowed;
}

// src/pipeline/describe-mutations.ts
var MUTATION_FORMATS = ["yaml", "json", "diff", "json-patch"];
function describeMutations(rewritten, format) {
  const { entries } = rewritten.state;
  if (format === "diff") return diffText(rewritten);
  if (format === "yaml") return entries.map(yamlText).join("");
  const describe = format === "json" ? describedEntry : patchEntry;
  return `${prettyJson(entries.map((entry) => describe(entry, rewritten)))}
`;
}
function entryLabel({ resource }, namespace = resource.namespace) {
  const { file, range } = resource.locate(["kind"], "key");
  return `${file.path}:${file.positionAt(range.start).line} ${resourceLabel(resourceName(resource, namespace))}`;
}
function writeLabel({ edit, by }) {
  const verb = edit.kind === "set" ? "changed" : edit.kind === "remove" ? "removed" : "added";
  const names = new Set(by.map(({ policy }) => `${policy.kind} ${policy.name}`));
  return `${formatFieldPath(placeOf(edit))}: ${verb} by ${[...names].join(", ")}`;
}
function placeOf(edit) {
  return edit.kind === "insert" ? [...edit.path, edit.at] : edit.path;
}
function headLines(entry) {
  const targets = entry.targets.length > 1 ? ` (${entry.targets.join(", ")})` : "";
  return [
    `# ${entryLabel(entry, entry.namespace)}${targets}`,
    ...entry.writes.map((write) => `#   ${writeLabel(write)}`)
  ].map((line) => line.replace(/[\r\n]+/g, " "));
}
function yamlText(entry) {
  const lines = blockLines(entry.object, 0, { step: 2, dash: 0 });
  return `---
${[...headLines(entry), ...lines].join("\n")}
`;
}
function diffText({ state, files, left }) {
  return files.map(({ file, splices }) => {
    const entries = state.entries.filter(({ resource }) => resource.manifest.file === file).map((entry) => ({ ...entry, writes: entry.writes.filter((write) => !left.has(write)) }));
    const head = entries.filter(({ writes }) => writes.length > 0).flatMap(headLines);
    const hunks = unifiedDiff(file, splices);
    return `${head.join("\n")}
--- a/${file.path}
+++ b/${file.path}
${hunks}`;
  }).join("");
}
function describedEntry(entry, { left }) {
  const changes = entry.writes.map((write) => {
    const reason = left.get(write);
    return object({
      field: formatFieldPath(placeOf(write.edit)),
      op: operationOf(write.edit),
      before: write.before,
      after: write.after,
      by: write.by.map(describedChange),
      notWritten: reason
    });
  });
  return object({ ...describedObject(entry), changes, object: entry.object });
}
function patchEntry(entry) {
  const writeOf = new Map(entry.writes.map((write) => [write.edit, write]));
  const patch = patchSteps(entry.writes.map(({ edit }) => edit)).map(
    ({ op, path, value, edit }) => (
      // Members that RFC 6902 does not know are ignored.
      object({ op, path, value, policy: writeOf.get(edit)?.by.at(-1)?.policy.name })
    )
  );
  return object({ ...describedObject(entry), patch });
}
function describedObject({ resource, namespace, targets }) {
  const { file, range } = resource.locate(["kind"], "key");
  const { apiVersion, kind, name } = resourceName(resource, namespace);
  return {
    path: file.path,
    line: BigInt(file.positionAt(range.start).line),
    targets,
    apiVersion,
    kind,
    namespace: namespace === "" ? void 0 : namespace,
    name
  };
}
function describedChange({ policy, binding, param, rule }) {
  return object({
    kind: policy.kind,
    name: policy.name,
    binding: binding?.name,
    param: param?.name,
    rule: formatFieldPath(rule)
  });
}
function operationOf(edit) {
  if (edit.kind === "set") return "replace";
  return edit.kind === "remove" ? "remove" : "add";
}
function object(fields) {
  return new Map(
    Object.entries(fields).flatMap(([key, value]) => value === void 0 ? [] : [[key, value]])
  );
}
function prettyJson(value, indent = "") {
  const inner = `${indent}  `;
  if (isJsonArray(value) && value.length > 0) {
    return `[
${value.map((item) => `${inner}${prettyJson(item, inner)}`).join(",\n")}
${indent}]`;
  }
  if (isJsonObject(value) && value.size > 0) {
    const fields = [...value].map(([key, item]) => `${inner}${JSON.stringify(key)}: ${prettyJson(item, inner)}`);
    return `{
${fields.join(",\n")}
${indent}}`;
  }
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}

// src/door/option-table.ts
var CHECK_OPTIONS = [
  {
    name: "policies",
    kind: "list",
    value: "<glob>",
    help: "where policies and bindings come from",
    default: "anywhere in the repository",
    group: "what"
  },
  {
    name: "policy-sources",
    kind: "list",
    value: "<source>",
    help: "policies from outside the repository: a folder, `https://…#<tag>`, `oci://…@sha256:…`, `npm:…`; repeatable",
    group: "what"
  },
  {
    name: "include",
    kind: "list",
    value: "<glob>",
    help: "files to check",
    default: "**/*.{yaml,yml,json}",
    group: "what"
  },
  { name: "exclude", kind: "list", value: "<glob>", help: "files to leave out, stronger than the rest", group: "what" },
  {
    name: "config",
    kind: "text",
    value: "<file>",
    help: "configuration",
    default: ".preadmit.yaml, if there is one",
    group: "how"
  },
  {
    name: "baseline",
    kind: "text",
    value: "<file>",
    help: "findings that are known",
    default: ".preadmit-baseline.yaml, if there is one",
    group: "how"
  },
  {
    name: "kubernetes-version",
    kind: "text",
    value: "<1.x>",
    help: "the API server whose verdict is asked for",
    default: "1.36",
    group: "how"
  },
  {
    name: "fail-on",
    kind: "text",
    value: "<level>",
    allowed: FAIL_ON_LEVELS,
    help: "the mildest thing that fails the run",
    default: "deny",
    group: "how"
  },
  {
    name: "fetch-charts",
    kind: "flag",
    help: "fetch the charts that are named and not there, by https",
    group: "how"
  },
  {
    name: "chart-cache",
    kind: "text",
    value: "<folder>",
    help: "keep fetched charts there, by digest",
    group: "how"
  },
  {
    name: "cache",
    kind: "text",
    value: "<folder>",
    help: "keep what was rendered there, for later runs; outside the repository",
    group: "how"
  },
  {
    name: "allow-nothing",
    kind: "flag",
    help: "exit with 0 instead of 3 where no object met a policy, as for a hook that is given a few files",
    group: "how"
  },
  {
    name: "shard",
    kind: "text",
    value: "<i>/<n>",
    help: "evaluate one of n parts; `preadmit merge` joins their JSON reports",
    group: "how"
  },
  {
    name: "format",
    kind: "list",
    value: "<format>[=<file>]",
    help: `how to write the report: ${[...reporters.keys()].join(", ")}; repeatable, \`=<file>\` writes it there (default: text)`,
    group: "output"
  },
  {
    name: "output",
    kind: "text",
    value: "<file>",
    help: "write the report to a file instead of standard output",
    group: "output"
  },
  {
    name: "show-skipped",
    kind: "flag",
    help: "list every document that was not evaluated, with the reason",
    group: "output"
  },
  { name: "quiet", kind: "flag", help: "findings and verdict only", group: "output" },
  { name: "debug", kind: "flag", help: "one line a stage on standard error: counts and milliseconds", group: "output" }
];
var EXPLAIN_MUTATIONS = {
  name: "explain-mutations",
  kind: "flag",
  help: "tell the findings that a mutating policy takes away, and which policy",
  group: "output"
};
var CHECK_COMMAND_OPTIONS = [...CHECK_OPTIONS, EXPLAIN_MUTATIONS];
var BASELINE_CHECK_OPTIONS = /* @__PURE__ */ new Set([
  "baseline",
  "config",
  "policies",
  "policy-sources",
  "kubernetes-version",
  "fail-on"
]);
var REPORT_OPTIONS = /* @__PURE__ */ new Set(["format", "output", "show-skipped", "quiet"]);
var MERGE_OPTIONS = CHECK_OPTIONS.filter(({ name }) => REPORT_OPTIONS.has(name));
var BASELINE_OPTIONS = [
  { name: "update", kind: "flag", help: "add every finding that fails the run", group: "what" },
  { name: "prune", kind: "flag", help: "remove entries that no finding is left for", group: "what" },
  { name: "owner", kind: "text", value: "<name>", help: "who sees to what is added", group: "how" },
  { name: "reason", kind: "text", value: "<text>", help: "why it is accepted", group: "how" },
  { name: "expires", kind: "text", value: "<date>", help: "last day on which it is accepted", group: "how" },
  ...CHECK_OPTIONS.filter(({ name }) => BASELINE_CHECK_OPTIONS.has(name))
];
var INIT_OPTIONS = [
  {
    name: "with",
    kind: "list",
    value: "<policies>",
    allowed: ["pod-security", "best-practices"],
    help: "copy these into `policies/`: pod-security, best-practices; repeatable",
    group: "what"
  },
  {
    name: "owner",
    kind: "text",
    value: "<name>",
    help: "who sees to old findings (default: user.email of Git)",
    group: "how"
  },
  { name: "yes", kind: "flag", help: "write what is proposed", group: "how" }
];
var DIFF_OPTIONS = [
  ...CHECK_OPTIONS.filter(({ name }) => name !== "shard"),
  {
    name: "base-dir",
    kind: "text",
    value: "<folder>",
    help: "compare two folders instead of two commits: the one before, for example as rendered from base",
    group: "what"
  },
  { name: "head-dir", kind: "text", value: "<folder>", help: "the one after", group: "what" },
  {
    name: "policies-from",
    kind: "text",
    value: "<state>",
    allowed: POLICIES_FROM,
    help: "whose policies decide",
    default: "base",
    group: "how"
  },
  {
    name: "only",
    kind: "text",
    value: "<what>",
    allowed: COUNTED,
    help: "what the verdict counts: what the change brings, or all of the repository",
    default: "new",
    group: "how"
  },
  EXPLAIN_MUTATIONS,
  {
    name: "suggest",
    kind: "flag",
    help: "tell what could be written in the changed files, so that mutating policies have nothing to do",
    group: "output"
  }
];
var MUTATE_CHECK_OPTIONS = /* @__PURE__ */ new Set(["policies", "include", "exclude", "config", "kubernetes-version"]);
var MUTATE_OPTIONS = [
  ...CHECK_OPTIONS.filter(({ name }) => MUTATE_CHECK_OPTIONS.has(name)),
  {
    name: "format",
    kind: "text",
    value: "<format>",
    allowed: MUTATION_FORMATS,
    help: "how to print it",
    default: "yaml",
    group: "output"
  },
  { name: "write", kind: "flag", help: "write it into the files instead: the lines that must change", group: "output" }
];
var CEL_OPTIONS = [
  {
    name: "object",
    kind: "text",
    value: "<file>",
    help: "manifest to bind to `object`, as the API server would hold it",
    group: "what"
  },
  {
    name: "mutation",
    kind: "flag",
    help: "a mutation's expression: `Object{}`, `JSONPatch{}` and `jsonpatch.escapeKey` are there",
    group: "what"
  },
  { name: "explain", kind: "flag", help: "show what each part of the expression gave", group: "output" },
  {
    name: "batch",
    kind: "flag",
    help: 'read {"expr", "vars"?, "kubernetes"?} a line, write the answer a line',
    group: "what"
  },
  { name: "kubernetes-version", kind: "text", value: "<1.x>", help: "whose CEL it is", default: "1.36", group: "how" }
];
var REVIEW_OPTIONS = [
  {
    name: "policies",
    kind: "list",
    value: "<path>",
    help: "file or folder with policies and bindings; repeatable",
    group: "what"
  },
  {
    name: "resources",
    kind: "list",
    value: "<path>",
    help: "file or folder with params, Namespaces, CustomResourceDefinitions, RBAC objects; repeatable",
    group: "what"
  },
  {
    name: "kubernetes-version",
    kind: "text",
    value: "<1.x>",
    help: "the API server whose answer is asked for",
    default: "1.36",
    group: "how"
  },
  {
    name: "decisions",
    kind: "flag",
    help: "add every decision to the response, also of rules that hold",
    group: "output"
  }
];
var STATE_OPTIONS = /* @__PURE__ */ new Set(["policies", "include", "exclude", "config", "kubernetes-version"]);
var WHY_OPTIONS = [
  ...CHECK_OPTIONS.filter(({ name }) => STATE_OPTIONS.has(name)),
  {
    name: "format",
    kind: "text",
    value: "<format>",
    allowed: ["text", "json"],
    help: "how to write it",
    default: "text",
    group: "output"
  }
];
var POLICIES_OPTIONS = WHY_OPTIONS;
var LSP_OPTIONS = CHECK_OPTIONS.filter(({ name }) => STATE_OPTIONS.has(name));
var TEST_FORMATS = ["text", "json", "junit", "github"];
var TEST_OPTIONS = [
  { name: "filter", kind: "text", value: "<text>", help: "only tests with the text in their names", group: "what" },
  {
    name: "kubernetes-version",
    kind: "text",
    value: "<1.x>",
    help: "the API server, for files that name none",
    default: "1.36",
    group: "how"
  },
  {
    name: "format",
    kind: "list",
    value: "<format>[=<file>]",
    help: `how to write the outcome: ${TEST_FORMATS.join(", ")}; repeatable, \`=<file>\` writes it there (default: text)`,
    group: "output"
  },
  { name: "quiet", kind: "flag", help: "failures and numbers only", group: "output" },
  {
    name: "coverage",
    kind: "flag",
    help: "which parts of the expressions no test has seen both ways",
    group: "output"
  },
  { name: "lcov", kind: "text", value: "<file>", help: "write the coverage for other tools", group: "output" },
  { name: "mutants", kind: "flag", help: "which small changes of the policies no test notices", group: "output" }
];
var RENDER_OPTIONS = [
  {
    name: "release",
    kind: "text",
    value: "<name>",
    help: "the chart's release name",
    default: "release-name",
    group: "how"
  },
  {
    name: "namespace",
    kind: "text",
    value: "<name>",
    help: "the release's namespace",
    default: "default",
    group: "how"
  },
  {
    name: "values",
    kind: "list",
    value: "<file>",
    help: "values for the chart; repeatable, later ones win",
    group: "how"
  },
  { name: "include-crds", kind: "flag", help: "the chart's `crds/` too", group: "how" },
  {
    name: "kubernetes-version",
    kind: "text",
    value: "<1.x>",
    help: "what charts take for the version of the cluster",
    default: "1.36",
    group: "how"
  },
  {
    name: "load-restrictor",
    kind: "text",
    value: "<restrictor>",
    allowed: ["LoadRestrictionsNone", "LoadRestrictionsRootOnly"],
    help: "which files of the repository a kustomization may read",
    default: "LoadRestrictionsNone in a repository",
    group: "how"
  },
  {
    name: "enable-helm",
    kind: "flag",
    help: "`helmCharts` of a kustomization whose chart lies in the repository",
    group: "how"
  },
  {
    name: "format",
    kind: "text",
    value: "<format>",
    allowed: ["text", "yaml", "json", "diff"],
    help: "how to write it; of a folder always yaml",
    default: "yaml of a folder, text of all roots",
    group: "output"
  }
];

// src/door/parse-arguments.ts
import { parseArgs } from "node:util";
function parseArguments(args, table) {
  const entries = new Map(table.map((entry) => [entry.name, entry]));
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      table.map(({ name, kind }) => [name, { type: kind === "flag" ? "boolean" : "string" }])
    ),
    allowPositionals: true,
    strict: false,
    tokens: true
  });
  const reader = new ArgumentReader(entries);
  for (const token of tokens) {
    if (token.kind === "positional") reader.paths.push(token.value);
    else if (token.kind === "option") reader.option(token.rawName, token.name, token.value);
  }
  return reader.result();
}
var ArgumentReader = class {
  paths = [];
  #entries;
  #flags = /* @__PURE__ */ new Set();
  #texts = /* @__PURE__ */ new Map();
  #lists = /* @__PURE__ */ new Map();
  #problems = [];
  constructor(entries) {
    this.#entries = entries;
  }
  option(rawName, name, value) {
    const entry = this.#entries.get(name);
    if (entry === void 0 || !rawName.startsWith("--")) {
      const nearest = nearestName(name, this.#entries.keys());
      const hint = nearest === void 0 ? "see `preadmit --help`" : `did you mean \`--${nearest}\`?`;
      this.#problems.push(`unknown option \`${rawName}\`: ${hint}`);
    } else if (entry.kind === "flag") {
      if (value === void 0) this.#flags.add(name);
      else this.#problems.push(`option \`--${name}\` takes no value`);
    } else if (value === void 0 || value === "") {
      this.#problems.push(`option \`--${name}\` needs a value: \`--${name} ${entry.value ?? "<value>"}\``);
    } else if (entry.allowed !== void 0 && !entry.allowed.includes(value)) {
      const list = entry.allowed.map((allowed) => `\`${allowed}\``).join(", ");
      this.#problems.push(`\`${value}\` is no value of \`--${name}\`: expected one of ${list}`);
    } else if (entry.kind === "list") {
      this.#lists.set(name, [...this.#lists.get(name) ?? [], value]);
    } else {
      this.#texts.set(name, value);
    }
  }
  result() {
    if (this.#problems.length > 0) return { problems: this.#problems };
    return { arguments: { paths: this.paths, flags: this.#flags, texts: this.#texts, lists: this.#lists } };
  }
};

// src/door/terminal.ts
function usageError(problems, terminal) {
  for (const problem of problems) terminal.err(`preadmit: ${sanitizeLine(problem)}
`);
  return EXIT.usage;
}

// src/door/policy-sources.ts
import { resolve } from "node:path";

// src/settings/policy-source-text.ts
function parseSourceText(text) {
  const [, given, address = text] = /^([A-Za-z0-9][\w.-]*)=(.*)$/s.exec(text) ?? [];
  const { written, fallback } = read(address);
  const name = given ?? fallback;
  const problem = SOURCE_NAME.test(name) ? problemOf(written) : "`: give it a name, `<name>=<source>`";
  if (problem === void 0) return { source: resolveSource(name, written) };
  return { problem: `the policy source \`${withoutCredentials(text)}${problem}` };
}
function read(address) {
  const [place = "", ...rest] = address.split("#");
  const pin = rest.length === 0 ? void 0 : rest.join("#");
  if (address.startsWith("oci://")) {
    return { written: { oci: address }, fallback: baseName(address.replace(/[@].*$/s, "").replace(/:[^/]*$/, "")) };
  }
  if (address.startsWith("npm:")) {
    const npm = place.slice("npm:".length);
    const fallback = baseName(npm.replace(/(?<=.)@.*$/s, ""));
    return { written: { npm, ...pin !== void 0 && { integrity: pin } }, fallback };
  }
  if (/^(?:git\+)?[a-z]+:\/\//.test(address) || /^[\w.-]+@[\w.-]+:/.test(address)) {
    const git = place.replace(/^git\+/, "");
    const isCommit = pin !== void 0 && commitProblem(pin) === void 0;
    const written = { git, ...pin !== void 0 && (isCommit ? { commit: pin } : { tag: pin }) };
    return {
      written,
      fallback: baseName(git).replace(/\.git$/, "").replace(/^.*:/, "")
    };
  }
  return { written: { folder: address }, fallback: baseName(address) };
}
function problemOf(written) {
  const { folder, git, tag, oci, npm, integrity } = written;
  if (folder === "") return "` is empty";
  const isGit = git !== void 0;
  if (isGit && written.commit === void 0 && tag === void 0) return "` needs its pin: `<url>#<tag or commit>`";
  if (npm !== void 0 && integrity === void 0) return "` needs its digest: `npm:<package>@<version>#sha512-…`";
  const problem = (isGit ? gitUrlProblem(git) : void 0) ?? (tag === void 0 ? void 0 : tagProblem(tag)) ?? (oci === void 0 ? void 0 : ociProblem(oci)) ?? (npm === void 0 ? void 0 : npmProblem(npm)) ?? (integrity === void 0 ? void 0 : integrityProblem(integrity)) ?? sourceProblem(written);
  return problem === void 0 ? void 0 : `\` ${problem}`;
}
function withoutCredentials(text) {
  return text.replace(/\/\/[^/@\s]*@/g, "//…@").slice(0, 200);
}

// src/door/policy-sources.ts
var TOKENS_VARIABLE = "PREADMIT_POLICY_SOURCE_TOKENS";
function sourcesOf(texts, directory) {
  const sources = /* @__PURE__ */ new Map();
  for (const text of texts) {
    const parsed = parseSourceText(text);
    if ("problem" in parsed) {
      throw new WorkspaceError("source-malformed", parsed.problem, {
        hint: "expected a folder, `https://…#<tag or commit>`, `oci://…@sha256:…` or `npm:<package>@<version>#sha512-…`"
      });
    }
    const { source } = parsed;
    if (sources.has(source.name)) {
      throw new WorkspaceError("source-malformed", `two policy sources are called \`${source.name}\``, {
        hint: "give them names: `<name>=<source>`"
      });
    }
    sources.set(
      source.name,
      source.kind === "folder" ? { ...source, folder: resolve(directory, source.folder) } : source
    );
  }
  return [...sources.values()];
}
function accessWith(tokens, where, fetcher) {
  const parsed = parseCredentials(tokens ?? "");
  if ("problem" in parsed) throw new WorkspaceError("source-malformed", `${where}: ${parsed.problem}`);
  const access2 = sourceAccess(parsed.credentials);
  return fetcher === void 0 ? access2 : { ...access2, fetch: fetcher };
}
function secretsIn(tokens) {
  return (tokens ?? "").split("\n").flatMap((line) => {
    const value = line.slice(line.indexOf("=") + 1).trim();
    const secret = value.slice(value.indexOf(":") + 1);
    return [value, secret].filter((text) => text !== "");
  });
}
async function openComparedSources({ base, head, mayChoose }, checked, access2) {
  const notices = [];
  const known = new Set(base.map((source) => `${source.kind} ${addressOf(source)}`));
  const chosen = head.flatMap((source) => {
    if (mayChoose || known.has(`${source.kind} ${addressOf(source)}`)) return [source];
    notices.push(
      `the policy source \`${source.name}\` (${addressOf(source)}) is named by this change alone: it is not read, and counts from the next change on`
    );
    return base.filter(({ name }) => name === source.name);
  });
  for (const source of chosen) {
    const before = base.find(({ name }) => name === source.name);
    const [from, to] = [before && pinOf(before), pinOf(source)];
    if (from !== void 0 && to !== void 0 && from !== to) {
      notices.push(`the policy source \`${source.name}\` goes from ${from} to ${to}`);
    }
  }
  for (const { name } of base) {
    if (!head.some((source) => source.name === name)) notices.push(`the policy source \`${name}\` is taken away`);
  }
  const all = [...base];
  const indexOf = (source) => {
    const index = all.findIndex((other) => isSameSource(other, source));
    return index >= 0 ? index : all.push(source) - 1;
  };
  const indices = chosen.map(indexOf);
  const { contents, close } = await openSources(all, checked, access2);
  return {
    base: contents.slice(0, base.length),
    head: indices.flatMap((index) => contents[index] ?? []),
    notices,
    close
  };
}

// src/door/report-output.ts
import { constants } from "node:fs";
import { access, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
function readOutputs({ lists, texts }, formats = [...reporters.keys()]) {
  const outputs = (lists.get("format") ?? ["text"]).map((entry) => {
    const equals = entry.indexOf("=");
    return equals < 0 ? { format: entry, file: void 0 } : { format: entry.slice(0, equals), file: entry.slice(equals + 1) };
  });
  const unknown = outputs.filter(({ format }) => !formats.includes(format));
  const known = formats.map((name) => `\`${name}\``).join(", ");
  const problems = unknown.map(({ format }) => `\`${format}\` is no format: expected one of ${known}`);
  for (const { format, file } of outputs) {
    if (file === "") problems.push(`\`--format ${format}=\` names no file`);
  }
  const toStandardOutput = outputs.filter(({ file }) => file === void 0);
  if (toStandardOutput.length > 1)
    problems.push("only one `--format` can go to standard output; write the others as `--format name=file`");
  if (problems.length > 0) return { problems };
  const output = texts.get("output");
  if (output === void 0) return { outputs };
  if (toStandardOutput.length === 0)
    return { problems: ["`--output` has no effect: every `--format` names its own file"] };
  return { outputs: outputs.map(({ format, file }) => ({ format, file: file ?? output })) };
}
async function checkOutputs(outputs) {
  for (const { file } of outputs) {
    if (file === void 0) continue;
    const isFolder = await stat(file).then(
      (found) => found.isDirectory(),
      () => false
    );
    const place = await access(dirname(file), constants.W_OK).then(
      () => void 0,
      (cause) => reasonOf(cause)
    );
    const problem = isFolder ? "it is a folder" : place;
    if (problem !== void 0) {
      throw new WorkspaceError("unwritable", `the report \`${file}\` cannot be written: ${problem}`);
    }
  }
}
function showOptionsOf({ flags }, { color, width, now }, started) {
  const options = { color, width, showSkipped: flags.has("show-skipped"), quiet: flags.has("quiet") };
  return started === void 0 ? options : { ...options, seconds: (now() - started) / 1e3 };
}
async function writeOutput({ format, file }, report, options, terminal) {
  const rendered = render(format, report, file === void 0 ? options : { ...options, color: false });
  await writeRendered(file, rendered, terminal);
}
async function writeRendered(file, rendered, terminal) {
  if (file === void 0) {
    terminal.out(rendered);
    return;
  }
  try {
    await writeFile(file, rendered);
  } catch (cause) {
    throw new WorkspaceError("unwritable", `the report \`${file}\` cannot be written: ${reasonOf(cause)}`, { cause });
  }
}
function render(format, report, options) {
  try {
    return reporters.get(format)?.render(report, options) ?? "";
  } catch (cause) {
    if (!(cause instanceof RangeError && cause.message === "Invalid string length")) throw cause;
    const hint = "check fewer files at once, with paths or with `--shard`";
    throw new WorkspaceError("unwritable", `the report is too large for the format \`${format}\``, { cause, hint });
  }
}

// src/door/stage-log.ts
var QUIET_MILLISECONDS = 1e3;
var REFRESH_MILLISECONDS = 200;
var CLEAR_LINE = "\r\x1B[2K";
function createStageLog({ debug, interactive, write, now }) {
  const started = now();
  const milliseconds = /* @__PURE__ */ new Map();
  const counts = /* @__PURE__ */ new Map();
  let current;
  let entered = started;
  let refreshed = started + QUIET_MILLISECONDS - REFRESH_MILLISECONDS;
  let shown = false;
  const leave = () => {
    const time = now();
    if (current !== void 0) milliseconds.set(current, (milliseconds.get(current) ?? 0) + time - entered);
    entered = time;
  };
  return {
    milliseconds,
    enter(stage) {
      leave();
      current = stage;
    },
    count(stage, what, number) {
      const ofStage = counts.get(stage) ?? /* @__PURE__ */ new Map();
      counts.set(stage, ofStage.set(what, (ofStage.get(what) ?? 0) + number));
    },
    progress(evaluated, total) {
      if (!interactive || debug) return;
      const time = now();
      if (time - refreshed < REFRESH_MILLISECONDS) return;
      refreshed = time;
      shown = true;
      write(`${CLEAR_LINE}evaluating ${evaluated} of ${total} resources`);
    },
    end() {
      leave();
      current = void 0;
      if (shown) write(CLEAR_LINE);
      shown = false;
      if (!debug) return;
      for (const [stage, spent] of milliseconds) {
        const numbers = [...counts.get(stage) ?? []].map(([what, number]) => `, ${number} ${what}`).join("");
        write(`${stage}: ${spent.toFixed(0)} ms${numbers}
`);
      }
    }
  };
}

// src/pipeline/mutate-state.ts
function mutateState({ stages = UNOBSERVED, today = "", only }, planned, resources) {
  const taken = /* @__PURE__ */ new Set();
  const entries = /* @__PURE__ */ new Map();
  const notes = [];
  const offered = /* @__PURE__ */ new Set();
  const isOurs = (found) => only === void 0 || isMadeFrom(found, only);
  for (const { configured, belongs } of planned) {
    const target = targetOf(configured, resources, taken, isOurs, belongs);
    const severalTargets = planned.length > 1 ? ` in ${configured.name}` : "";
    const { unevaluated } = evaluateTarget(
      target,
      languagesOf(configured, today),
      typedConverter(target),
      stages,
      (evaluated) => {
        offered.add(evaluated.resource);
        const entry = entryOf(evaluated, configured.name, notes);
        if (entry !== void 0) addEntry(entries, entry);
      }
    );
    for (const { resource, reason, detail } of unevaluated) {
      if (reason !== "exempt-kind") notes.push({ resource, text: `not asked about${severalTargets}: ${detail}` });
    }
  }
  return { entries: [...entries.values()].flat(), notes, evaluated: offered.size };
}
function entryOf(evaluated, target, notes) {
  const { resource, request, writes, outcomes } = evaluated;
  for (const { result, message, isMutation, policy } of outcomes.flatMap((outcome) => outcome.evaluations)) {
    if (isMutation === true && result === "error") notes.push({ resource, text: `${policy.name} fails: ${message}` });
  }
  const made = writes();
  if (made === void 0) return void 0;
  for (const { policy } of made.beyond) {
    notes.push({ resource, text: `${policy.name} changes what only the server adds, which no manifest can hold` });
  }
  if (made.writes.length === 0) return void 0;
  return { resource, namespace: request.namespace, targets: [target], object: made.object, writes: made.writes };
}
function addEntry(entries, entry) {
  const known = entries.get(entry.resource) ?? [];
  const index = known.findIndex((other) => isSameWriting(other, entry));
  const same = known[index];
  if (same === void 0) known.push(entry);
  else known[index] = { ...same, targets: [...same.targets, ...entry.targets] };
  entries.set(entry.resource, known);
}
function isSameWriting(one, other) {
  return keyOf(one.writes) === keyOf(other.writes);
}
function keyOf(writes) {
  return JSON.stringify(
    writes.map(({ edit }) => edit),
    (_, value) => {
      if (value instanceof Map) return [...value];
      return typeof value === "bigint" ? `${value}n` : value;
    }
  );
}
var MAX_ROUNDS = 4;
var UNSETTLED = "a second run would change it again";
function rewriteState(input) {
  const content = stateContent(input, input.stages ?? UNOBSERVED);
  const planned = plannedTargets(input.configuration, stateClusters(input.configuration, content));
  const { resources } = content;
  const state = mutateState(input, planned, resources);
  const left = /* @__PURE__ */ new Map();
  const contested = contestedIn(state.entries);
  const wanted = state.entries.filter((entry) => isWritable(entry, contested, left));
  let unsettled = /* @__PURE__ */ new Set();
  for (let round = 1; ; round++) {
    const tried = round < MAX_ROUNDS ? wanted.filter((entry) => !unsettled.has(placeKey(entry.resource))) : [];
    const ofRound = new Map(left);
    const files = rewrittenFiles(tried, ofRound);
    for (const { resource, writes } of wanted) {
      if (unsettled.has(placeKey(resource)) || round >= MAX_ROUNDS) {
        for (const write of writes) ofRound.set(write, UNSETTLED);
      }
    }
    if (files.length === 0) return { state, files, left: ofRound };
    const again = mutateState(input, planned, withTexts(resources, files));
    const unstable = changingAgain(tried, ofRound, again, state);
    if (unstable.length === 0) return { state, files, left: ofRound };
    unsettled = /* @__PURE__ */ new Set([...unsettled, ...unstable]);
  }
}
function isWritable({ resource, writes }, contested, left) {
  const { manifest } = resource;
  const reason = !(manifest instanceof WrittenManifest) ? `it is rendered by ${manifest.root ?? "something else"}, not written` : contested.has(resource) ? "targets want different things of it" : void 0;
  if (reason !== void 0) for (const write of writes) left.set(write, reason);
  return reason === void 0;
}
function contestedIn(entries) {
  const first = /* @__PURE__ */ new Map();
  const contested = /* @__PURE__ */ new Set();
  for (const { resource, writes } of entries) {
    const known = first.get(resource);
    if (known === void 0) first.set(resource, writes);
    else if (known !== writes) contested.add(resource);
  }
  return contested;
}
function rewrittenFiles(entries, left) {
  const byFile = /* @__PURE__ */ new Map();
  for (const entry of entries) {
    const { file } = entry.resource.manifest;
    const same = byFile.get(file);
    if (same === void 0) byFile.set(file, [entry]);
    else same.push(entry);
  }
  return [...byFile].flatMap(([file, ofFile]) => {
    const writeOf = /* @__PURE__ */ new Map();
    for (const { writes } of ofFile) for (const write of writes) writeOf.set(write.edit, write);
    const edited = editFile(file, ofFile.map(editsOf));
    for (const [edit, reason] of edited.left) left.set(writeOf.get(edit), reason);
    return edited.text === file.text ? [] : [{ file, text: edited.text, splices: edited.splices }];
  });
}
function editsOf({ resource, writes }) {
  const manifest = resource.manifest;
  return { manifest, rootPath: resource.rootPath, edits: writes.map(({ edit }) => edit) };
}
function withTexts(resources, rewritten) {
  const manifests = /* @__PURE__ */ new Map();
  for (const { file, text } of rewritten) {
    const read2 = readManifests(new SourceFile(file.path, text)).manifests;
    manifests.set(file, new Map(read2.map((manifest) => [manifest.index, manifest])));
  }
  return resources.map((found) => {
    const { manifest: old, rootPath, gvk } = found.resource;
    const manifest = old instanceof WrittenManifest ? manifests.get(old.file)?.get(old.index) : void 0;
    const value = manifest && valueAt(manifest.value, rootPath);
    if (manifest === void 0 || !isJsonObject(value)) return found;
    return { ...found, resource: new Resource(manifest, rootPath, gvk, value) };
  });
}
function changingAgain(tried, left, again, before) {
  const expected = /* @__PURE__ */ new Map();
  for (const { resource, writes } of before.entries) {
    expected.set(
      placeKey(resource),
      (expected.get(placeKey(resource)) ?? 0) + writes.filter((write) => left.has(write)).length
    );
  }
  const found = /* @__PURE__ */ new Map();
  for (const { resource, writes } of again.entries) {
    found.set(placeKey(resource), (found.get(placeKey(resource)) ?? 0) + writes.length);
  }
  const refused = new Set(again.notes.map(({ resource }) => placeKey(resource)));
  for (const { resource } of before.notes) refused.delete(placeKey(resource));
  const keys = new Set([...found.keys()].filter((key) => (found.get(key) ?? 0) > (expected.get(key) ?? 0)));
  const contested = contestedIn(again.entries);
  const writable = again.entries.filter((entry) => isWritable(entry, contested, /* @__PURE__ */ new Map()));
  for (const { file } of rewrittenFiles(writable, /* @__PURE__ */ new Map())) {
    for (const { resource } of tried) if (resource.manifest.file.path === file.path) keys.add(placeKey(resource));
  }
  const own = tried.map(({ resource }) => placeKey(resource)).filter((key) => keys.has(key) || refused.has(key));
  const isElsewhere = own.length === 0 && keys.size > 0;
  return isElsewhere ? tried.map(({ resource }) => placeKey(resource)) : own;
}
function placeKey({ manifest, rootPath }) {
  const index = manifest instanceof WrittenManifest ? manifest.index : manifest.root;
  return JSON.stringify([manifest.file.path, index, rootPath]);
}

export {
  parseSourceText,
  EXIT,
  exitCodeOf,
  MUTATION_FORMATS,
  describeMutations,
  entryLabel,
  writeLabel,
  CHECK_OPTIONS,
  CHECK_COMMAND_OPTIONS,
  MERGE_OPTIONS,
  BASELINE_OPTIONS,
  INIT_OPTIONS,
  DIFF_OPTIONS,
  MUTATE_OPTIONS,
  CEL_OPTIONS,
  REVIEW_OPTIONS,
  WHY_OPTIONS,
  POLICIES_OPTIONS,
  LSP_OPTIONS,
  TEST_FORMATS,
  TEST_OPTIONS,
  RENDER_OPTIONS,
  parseArguments,
  TOKENS_VARIABLE,
  sourcesOf,
  accessWith,
  secretsIn,
  openComparedSources,
  readOutputs,
  checkOutputs,
  showOptionsOf,
  writeOutput,
  writeRendered,
  createStageLog,
  usageError,
  isSameWriting,
  rewriteState
};
