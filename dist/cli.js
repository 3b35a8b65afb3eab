#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  checkChanges,
  compareStates,
  maskedValue,
  matchObjects,
  mergeCommand
} from "./chunks/chunk-DREA57NZ.js";
import {
  checkCommand,
  checkOptions
} from "./chunks/chunk-RTCJZ6UE.js";
import {
  BASELINE_OPTIONS,
  CEL_OPTIONS,
  CHECK_COMMAND_OPTIONS,
  CHECK_OPTIONS,
  DIFF_OPTIONS,
  EXIT,
  INIT_OPTIONS,
  LSP_OPTIONS,
  MERGE_OPTIONS,
  MUTATE_OPTIONS,
  MUTATION_FORMATS,
  POLICIES_OPTIONS,
  RENDER_OPTIONS,
  REVIEW_OPTIONS,
  TEST_FORMATS,
  TEST_OPTIONS,
  WHY_OPTIONS,
  checkOutputs,
  createStageLog,
  describeMutations,
  entryLabel,
  exitCodeOf,
  parseArguments,
  readOutputs,
  rewriteState,
  showOptionsOf,
  usageError,
  writeLabel,
  writeOutput,
  writeRendered
} from "./chunks/chunk-VVMZWVFQ.js";
import {
  AdmissionEnvironments,
  BASELINE_NAME,
  BlobContents,
  BuiltinResources,
  Bytes,
  CONFIGURATION_NAMES,
  DEFAULT_VERSION,
  DYN,
  Duration,
  ErrorValue,
  FileReader,
  GitRepository,
  ISSUES_URL,
  JsonPatchValue,
  LANGUAGES,
  MAXIMUM_FILES,
  OpaqueValue,
  Optional,
  ProgramError,
  RepositoryCluster,
  Resource,
  RootBuilder,
  RunBudget,
  SourceFile,
  StructValue,
  TargetEvaluator,
  Timestamp,
  TypeValue,
  UNASKED,
  UNOBSERVED,
  Uint,
  VERSION,
  WorkspaceError,
  accepts,
  acceptsProblem,
  append,
  applyBaseline,
  askRepository,
  askedVersion,
  baseName,
  baselineKey,
  callCosts,
  checkRepository,
  checkState,
  choice,
  commitTree,
  comparePaths,
  compareUtf8,
  compileRegex,
  contextGlobs,
  count,
  decodeJson,
  defaultConfiguration,
  discover,
  displayIssues,
  editsBetween,
  encodeCommand,
  firstLines,
  folderOf,
  folderTree,
  forEachChild,
  formatDouble,
  formatFieldPath,
  formatTimestamp,
  formatVersion,
  isExpired,
  isGating,
  isJsonArray,
  isJsonObject,
  isMap,
  isSamePath,
  isSupportedVersion,
  joinedOutcome,
  jsonString,
  junitXml,
  kubernetesEnvironment,
  languageSuites,
  languagesOf,
  lazyEngine,
  listShape,
  listedTree,
  loadBaseline,
  loadConfiguration,
  loadEngine,
  macroShapeOf,
  nearestName,
  object,
  objectField,
  objectItems,
  objectOrEmpty,
  objectRequest,
  openDiagnostics,
  openFindings,
  openSources,
  parseJson,
  parseKubernetesVersion,
  patchSteps,
  placeOf,
  plan,
  plannedTargets,
  problemKey,
  readBaselineFile,
  readConfigurationFile,
  readJsonValue,
  readManifests,
  readRepository,
  readShapedFile,
  reasonOf,
  repositoryRoot,
  requestNamespace,
  requestVariable,
  resolveConfiguration,
  resourceLabel,
  resourcesOf,
  ruleName,
  sanitizeLine,
  serverOf,
  settingsOf,
  sourceAccess,
  startOf,
  stateClusters,
  stateContent,
  stringifyJson,
  systemErrorCode,
  targetOf,
  text,
  textField,
  textItems,
  textShape,
  typedConverter,
  unfinished,
  user,
  valueAt,
  versionProblem,
  visitPostOrder
} from "./chunks/chunk-HHDPM2AY.js";

// src/cli.ts
import { createInterface } from "node:readline";

// src/door/baseline-command.ts
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

// src/report/baseline-text.ts
var HEADER = `# Findings that are known and do not fail the run, each until its last day; \`preadmit baseline --help\`.
# yaml-language-server: $schema=https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/baseline.schema.json
version: 1
`;
var KEYS = [
  "code",
  "policy",
  "rule",
  "binding",
  "param",
  "resource",
  "field",
  "target",
  "owner",
  "reason",
  "expires"
];
var PLAIN = /^[A-Za-z](?:[A-Za-z0-9 ._/[\]-]*[A-Za-z0-9./\]])?$/;
var WORDS = /^(?:y|yes|n|no|on|off|true|false|null)$/i;
function baselineText(entries) {
  if (entries.length === 0) return `${HEADER}entries: []
`;
  const items = [...entries].sort(compare).map((entry) => {
    const lines = KEYS.flatMap((key) => entry[key] === void 0 ? [] : [`${key}: ${scalar(key, entry[key])}`]);
    return `  - ${lines.join("\n    ")}
`;
  });
  return `${HEADER}entries:
${items.join("")}`;
}
function scalar(key, text2) {
  return key !== "expires" && text2.length <= 200 && PLAIN.test(text2) && !WORDS.test(text2) ? text2 : jsonString(text2);
}
function compare(left, right) {
  for (const key of ["resource", ...KEYS]) {
    const [one2, other] = [left[key] ?? "", right[key] ?? ""];
    if (one2 !== other) return one2 < other ? -1 : 1;
  }
  return 0;
}

// src/door/baseline-entries.ts
function baselineEntries(findings2, problems, severalTargets, terms) {
  const entries = findings2.map((finding) => ({ ...baselineKey(finding, severalTargets), ...terms }));
  const keys = problems.flatMap((problem) => problemKey(problem) ?? []);
  const different = new Map(keys.map((key) => [JSON.stringify(key), key]));
  append(
    entries,
    [...different.values()].map((key) => ({ ...key, ...terms }))
  );
  return entries;
}

// src/door/baseline-command.ts
async function baselineCommand(args, terminal) {
  const parsed = parseArguments(args, BASELINE_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { flags, texts } = parsed.arguments;
  const updates = flags.has("update");
  const terms = termsOf(parsed.arguments);
  if (updates && terms === void 0) {
    return usageError(["`--update` needs `--owner`, `--reason` and `--expires` for what it adds"], terminal);
  }
  if (terms !== void 0 && isExpired(terms.expires, terminal.today)) {
    return usageError([`\`--expires ${terms.expires}\` is over: what is added would not be accepted`], terminal);
  }
  const options = checkOptions(parsed.arguments, terminal);
  const root = await repositoryRoot(options);
  const path3 = texts.get("baseline") ?? BASELINE_NAME;
  const file = await readIfThere(root, path3);
  if (file === void 0 && !updates)
    return usageError([`there is no baseline \`${path3}\`; \`--update\` makes one`], terminal);
  const loaded = file === void 0 ? { baseline: [], diagnostics: [] } : loadBaseline(file);
  const { report, unusable } = await checkRepository({
    ...options,
    baseline: loaded.baseline === void 0 ? path3 : null
  });
  if (unusable || loaded.baseline === void 0) {
    const { color, width } = terminal;
    terminal.out(text.render(report, { color, width, showSkipped: false, quiet: true }));
    return EXIT.usage;
  }
  const {
    findings: findings2,
    problems: objects,
    used
  } = applyBaseline(report.findings, loaded.baseline, terminal.today, report.diagnostics);
  const missing = openFindings(findings2).filter((finding) => isGating(finding, report.verdict.failOn));
  const errors = openDiagnostics(objects).filter(
    ({ severity, resource }) => severity === "error" && resource !== void 0
  );
  const unused = loaded.baseline.filter((entry) => !used.has(entry));
  const expired = loaded.baseline.filter((entry) => used.has(entry) && isExpired(entry.expires, terminal.today));
  const standing = [
    `${count(loaded.baseline.length, "entry", "entries")}: ${unused.length} unused, ${expired.length} expired`,
    ...unused.map((entry) => `  unused: ${describe(entry)}`),
    ...expired.map((entry) => `  expired on ${entry.expires}: ${describe(entry)}, owner ${entry.owner}`),
    `${count(missing.length, "finding")} not in it`,
    ...errors.length > 0 ? [`${count(errors.length, "error")} of objects not in it`] : []
  ];
  for (const line of standing) terminal.out(`${sanitizeLine(line)}
`);
  const prunes = flags.has("prune");
  if (updates || prunes) {
    const kept = prunes ? loaded.baseline.filter((entry) => used.has(entry)) : [...loaded.baseline];
    const open = missing.filter((finding) => !expired.some((entry) => accepts(entry, finding)));
    const severalTargets = report.targets.length > 1;
    if (terms !== void 0 && updates) {
      const renewable = errors.filter((problem) => !expired.some((entry) => acceptsProblem(entry, problem)));
      append(kept, baselineEntries(open, renewable, severalTargets, terms));
    }
    const written = baselineText(kept);
    const problems = loadBaseline(new SourceFile(path3, written)).diagnostics.map(({ message }) => message);
    if (problems.length > 0) return usageError([...new Set(problems)], terminal);
    await write(resolve(root, path3), written);
    terminal.out(`${sanitizeLine(`wrote ${count(kept.length, "entry", "entries")} to ${path3}`)}
`);
  }
  return expired.length > 0 || unused.length > 0 && !prunes ? EXIT.denied : EXIT.allowed;
}
function termsOf({ texts }) {
  const [owner, reason2, expires] = [texts.get("owner"), texts.get("reason"), texts.get("expires")];
  return owner === void 0 || reason2 === void 0 || expires === void 0 ? void 0 : { owner, reason: reason2, expires };
}
async function readIfThere(root, path3) {
  try {
    return await readBaselineFile({ root, path: path3 });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "path-not-found") return void 0;
    throw error;
  }
}
function describe({ policy = "", code, rule, resource, field }) {
  const what = rule === void 0 ? code ?? policy : `${policy}/${rule}`;
  return field === void 0 ? `${what} for ${resource}` : `${what} for ${resource} at ${field}`;
}
async function write(file, written) {
  try {
    await writeFile(file, written);
  } catch (cause) {
    throw new WorkspaceError("unwritable", `the baseline \`${file}\` cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

// src/kubernetes/cel/answer.ts
var COST_LIMIT = 1e6;
function answerExpression(text2, environment, activation, costs, trace = false) {
  const { ast, issues } = environment.compile(text2);
  if (ast === void 0) return { compileError: displayIssues(text2, issues) };
  const type = String(ast.outputType);
  const program = plan(environment, ast, { costLimit: COST_LIMIT, ...costs });
  if (program instanceof ProgramError) return { type, programError: program.message };
  const evaluation = program.evaluate(activation, { trace });
  const { value, cost } = evaluation;
  const answer = value instanceof ErrorValue ? { type, error: value.message, cost } : { type, value: tagValue(value), cost };
  return evaluation.trace === void 0 ? answer : { ...answer, ast, trace: evaluation.trace };
}
function tagValue(value) {
  switch (typeof value) {
    case "string":
      return { string: value };
    case "bigint":
      return { int: String(value) };
    case "boolean":
      return { bool: value };
    case "number":
      return { double: formatDouble(value) };
  }
  if (value === null) return { null: null };
  if (Array.isArray(value)) return { list: value.map(tagValue) };
  if (isMap(value)) return { map: tagEntries(value.entries()) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Bytes)
    return { bytes: btoa(value.data.reduce((text2, byte) => text2 + String.fromCharCode(byte), "")) };
  if (value instanceof Timestamp) return { timestamp: formatTimestamp(inUtc(value)) };
  if (value instanceof Duration) return { duration: goDuration(value.nanoseconds) };
  if (value instanceof Optional) return { optional: value.value === void 0 ? null : [tagValue(value.value)] };
  if (value instanceof TypeValue) return { type: String(value.type) };
  if (value instanceof JsonPatchValue) return { jsonpatch: tagPatch(value) };
  if (value instanceof StructValue) return { [value.type.name]: tagEntries(value.fields.entries()) };
  return value instanceof OpaqueValue ? tagOpaque(value) : { struct: value };
}
function inUtc({ seconds, nanos }) {
  return new Timestamp(seconds, nanos);
}
function tagEntries(entries) {
  const tagged = [...entries].map(([key, value]) => [tagValue(key), tagValue(value)]);
  return tagged.sort(([left], [right]) => JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
}
function tagPatch({ op, path: path3, from, value }) {
  return {
    op,
    path: path3,
    ...from !== "" && { from },
    ...value !== void 0 && { value: tagValue(value) }
  };
}
function tagOpaque(value) {
  const name = value.type.name.split(".").at(-1)?.toLowerCase() ?? "";
  return { [name]: value.unadaptable?.replace(/^\([^)]*\)/, "") };
}
function goDuration(nanoseconds) {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const unit = SMALL_UNITS.find(({ below }) => magnitude < below);
  if (unit !== void 0) return `${sign}${decimal(magnitude, unit.digits)}${unit.name}`;
  const minutes = magnitude / 60000000000n;
  const hours = minutes >= 60n ? `${minutes / 60n}h` : "";
  const rest = minutes >= 1n ? `${minutes % 60n}m` : "";
  return `${sign}${hours}${rest}${decimal(magnitude % 60000000000n, 9)}s`;
}
var SMALL_UNITS = [
  { name: "ns", digits: 0, below: 1000n },
  { name: "µs", digits: 3, below: 1000000n },
  { name: "ms", digits: 6, below: 1000000000n }
];
function decimal(value, digits) {
  const text2 = String(value).padStart(digits + 1, "0");
  const fraction = text2.slice(text2.length - digits).replace(/0+$/, "");
  return text2.slice(0, text2.length - digits) + (digits > 0 && fraction !== "" ? `.${fraction}` : "");
}

// src/kubernetes/cel/cel-batch.ts
var CelBatch = class {
  #environments = /* @__PURE__ */ new Map();
  #defaultVersion;
  constructor(defaultVersion = DEFAULT_VERSION) {
    this.#defaultVersion = defaultVersion;
  }
  answer(line) {
    const parsed = parseJson(line);
    const input = "value" in parsed ? parsed.value : void 0;
    if (!isJsonObject(input) || typeof input.get("expr") !== "string") {
      return { inputError: "expected a JSON object with the string `expr`" };
    }
    const written = input.get("kubernetes");
    const problem = typeof written === "string" ? versionProblem(written) : void 0;
    if (problem !== void 0) return { inputError: `\`${String(written)}\` ${problem}` };
    const version = typeof written === "string" && parseKubernetesVersion(written) || this.#defaultVersion;
    const variables = objectOrEmpty(input.get("vars"));
    const environment = this.#environment(version).extend({
      variables: [...variables.keys()].map((name) => ({ name, type: DYN }))
    });
    const resolveVariable = (name) => variables.get(name);
    return answerExpression(textField(input, "expr"), environment, { resolve: resolveVariable }, callCosts(version));
  }
  #environment(version) {
    const key = `${version.major}.${version.minor}`;
    const environment = this.#environments.get(key) ?? kubernetesEnvironment(version, "stored");
    this.#environments.set(key, environment);
    return environment;
  }
};

// src/kubernetes/cel/describe-answer.ts
function describeAnswer(answer, expression) {
  const lines = describeResult(answer);
  return answer.trace === void 0 ? lines : [...lines, "", ...describeTrace(answer.trace, answer, expression)];
}
function describeResult(answer) {
  if (answer.compileError !== void 0) return [answer.compileError];
  const rows = [
    ["type", answer.type],
    ["value", answer.value === void 0 ? void 0 : JSON.stringify(answer.value)],
    ["error", answer.error ?? answer.programError],
    ["cost", answer.cost?.toString()]
  ];
  return rows.flatMap(([name, text2]) => text2 === void 0 ? [] : [`${name.padEnd(6)} ${text2}`]);
}
var MAX_TRACE_LINES = 200;
var MAX_VALUE_LENGTH = 60;
function describeTrace(trace, { ast }, expression) {
  if (ast === void 0) return [];
  const characters = [...expression];
  const places = /* @__PURE__ */ new Map();
  visitPostOrder(ast.expr, (node) => places.set(node.id, node));
  const lines = [];
  const describe4 = (event, depth, outer) => {
    const place = places.get(event.nodeId);
    const text2 = place === void 0 ? "" : characters.slice(place.start, place.end).join("").replace(/\s+/g, " ");
    const isOwn = text2 !== "" && text2 !== outer;
    if (isOwn) {
      const value = JSON.stringify(tagValue(event.value)) ?? "";
      const shown2 = value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
      lines.push(`${"  ".repeat(depth)}${text2}  ${ast.types.get(event.nodeId) ?? ""}  ${shown2}`);
    }
    for (const child of event.children) describe4(child, depth + (isOwn ? 1 : 0), isOwn ? text2 : outer);
  };
  describe4(trace, 0, "");
  if (lines.length <= MAX_TRACE_LINES) return lines;
  return [...lines.slice(0, MAX_TRACE_LINES), `… ${lines.length - MAX_TRACE_LINES} more`];
}

// src/door/cel-subject.ts
import { readFile } from "node:fs/promises";
import { resolve as resolve2 } from "node:path";
var DEFAULT_NAMESPACE = "default";
async function readSubject(path3, directory, version) {
  const text2 = await readFile(resolve2(directory, path3), "utf8").catch((cause) => {
    throw new WorkspaceError("unreadable", `cannot read \`${path3}\`: ${reasonOf(cause)}`, { cause });
  });
  const { manifests } = readManifests(new SourceFile(path3, text2));
  const resources = manifests.flatMap(
    (manifest) => resourcesOf(manifest).flatMap((result) => "resource" in result ? [result.resource] : [])
  );
  const [resource] = resources;
  if (resource === void 0 || resource.manifest !== manifests[0]) {
    const value = manifests[0]?.value;
    if (!isJsonObject(value)) throw new WorkspaceError("unreadable", `\`${path3}\` holds no object`);
    return { object: value, remarks: [] };
  }
  const converter = typedConverter({ kubernetesVersion: version, facts: resources });
  const cluster = new RepositoryCluster({
    version,
    builtin: new BuiltinResources(version.minor),
    resources,
    stored: ({ value }) => value,
    defaultNamespace: DEFAULT_NAMESPACE,
    isComplete: false
  });
  const mapping = cluster.mappingFor(resource.gvk);
  const namespace = requestNamespace(resource, mapping, DEFAULT_NAMESPACE);
  const { object: object2, diagnostics } = converter.convert(resource, mapping, namespace);
  const { refusals } = converter.validate(resource, void 0, mapping, namespace);
  const [target] = defaultConfiguration().targets;
  const request = target && objectRequest({
    resource,
    operation: "CREATE",
    object: object2,
    oldObject: null,
    mapping,
    userInfo: target.user,
    namespace
  });
  return {
    object: object2,
    ...request && { request: requestVariable(request, request.kind, request.resource) },
    remarks: [...diagnostics, ...refusals].map(({ primary, message }) => {
      const line = primary?.file.positionAt(primary.range.start).line;
      return `${path3}${line === void 0 ? "" : `:${line}`}: ${message}`;
    })
  };
}

// src/door/describe-expression.ts
async function describeExpression(expression, options) {
  const { kubernetesVersion: version, explain, isMutation: hasPatchTypes } = options;
  const subject = options.object === void 0 ? void 0 : await readSubject(options.object, options.directory, version);
  const environments = new AdmissionEnvironments(version);
  const { environment, costs } = environments.context({
    mode: "stored",
    hasParams: true,
    hasAuthorizer: false,
    hasPatchTypes
  });
  const bound = /* @__PURE__ */ new Map([
    ["object", subject?.object ?? null],
    ["oldObject", null],
    ["params", null],
    ["namespaceObject", null]
  ]);
  if (subject?.request !== void 0) bound.set("request", subject.request);
  const answer = answerExpression(expression, environment, { resolve: (name) => bound.get(name) }, costs, explain);
  const lines = describeAnswer(answer, expression);
  const hasValue = answer.value !== void 0;
  return { description: `${lines.join("\n")}
`, hasValue, remarks: subject?.remarks ?? [] };
}

// src/door/cel-command.ts
async function celCommand(args, terminal) {
  const parsed = parseArguments(args, CEL_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { paths: expressions, flags, texts } = parsed.arguments;
  const version = askedVersion(texts.get("kubernetes-version"));
  if (flags.has("batch")) return answerBatch(expressions, new CelBatch(version), terminal);
  const [expression, ...more] = expressions;
  if (expression === void 0 || more.length > 0) {
    return usageError(["expected one expression: `preadmit cel '<expression>'`, or `--batch`"], terminal);
  }
  const object2 = texts.get("object");
  const { description, hasValue, remarks } = await describeExpression(expression, {
    directory: terminal.directory,
    kubernetesVersion: version,
    explain: flags.has("explain"),
    isMutation: flags.has("mutation"),
    ...object2 !== void 0 && { object: object2 }
  });
  for (const remark of remarks) terminal.err(`preadmit: ${sanitizeLine(remark)}
`);
  terminal.out(description.split("\n").map(sanitizeLine).join("\n"));
  return hasValue ? EXIT.allowed : EXIT.noValue;
}
async function answerBatch(expressions, batch, terminal) {
  const [unexpected] = expressions;
  if (unexpected !== void 0) {
    return usageError([`unexpected \`${unexpected}\`: with \`--batch\` expressions come on standard input`], terminal);
  }
  let status = EXIT.allowed;
  for await (const line of terminal.lines()) {
    if (line.trim() === "") continue;
    const answer = batch.answer(line);
    terminal.out(`${JSON.stringify(answer)}
`);
    if ("inputError" in answer) status = EXIT.usage;
  }
  return status;
}

// src/door/command-table.ts
var INTERNAL_EXIT = [4, "internal error, please report it"];
var VERDICT_EXITS = [
  [0, "allowed; with `--shard`, whatever was found"],
  [1, "denied: something at or above `--fail-on`"],
  [2, "usage, configuration or environment: nothing was decided"],
  [3, "nothing was checked: no object met a bound policy; 0 with `--fail-on never`"]
];
var COMMANDS = [
  {
    name: "check",
    usage: "check [paths… | -] [options]",
    summary: "evaluate manifests against the repository's own policies",
    examples: [
      ["preadmit check", "everything Git tracks, with every policy found there"],
      ["preadmit check apps/ --fail-on warn", "one folder, warnings fail too"],
      ["preadmit check --policies 'policies/**' --format sarif=preadmit.sarif", ""],
      ["helm template charts/shop | preadmit check - --policies ../platform/policies", "manifests from standard input"]
    ],
    options: CHECK_COMMAND_OPTIONS,
    exits: VERDICT_EXITS
  },
  {
    name: "diff",
    usage: "diff <base> <head> [paths…] [options]",
    summary: "what the change between two commits, or two folders, does to the cluster",
    examples: [
      ["preadmit diff main HEAD", "what this branch would change"],
      ["preadmit diff HEAD~1 HEAD --only all", "what was there before counts too"],
      ["preadmit diff --base-dir out/base --head-dir out/head", "two folders with what was rendered"]
    ],
    options: DIFF_OPTIONS,
    exits: VERDICT_EXITS
  },
  {
    name: "merge",
    usage: "merge <report…> [options]",
    summary: "join the JSON reports of all shards into one",
    examples: [["preadmit merge shard-*.json --format sarif=all.sarif", ""]],
    options: MERGE_OPTIONS,
    exits: VERDICT_EXITS
  },
  {
    name: "baseline",
    usage: "baseline [options]",
    summary: "findings that are known: how they stand, --update, --prune",
    examples: [
      ["preadmit baseline", "how many entries, which of them are unused or expired"],
      ["preadmit baseline --update --owner team-shop --reason 'before the policy' --expires 2027-03-31", ""]
    ],
    options: BASELINE_OPTIONS,
    exits: [
      [0, "every entry is used and holds"],
      [1, "an entry is expired, or unused and not pruned"],
      [2, "usage, configuration or environment"]
    ]
  },
  {
    name: "init",
    usage: "init [options]",
    summary: "propose configuration, workflow, baseline and hook for a repository, and write them",
    examples: [
      ["preadmit init", "what is proposed; a terminal is asked whether to write it"],
      ["preadmit init --with pod-security --owner team-platform --yes", "with policies to begin with"]
    ],
    options: INIT_OPTIONS,
    exits: [
      [0, "it is shown, and written if that was agreed to"],
      [2, "usage, configuration or environment; something cannot be written"]
    ]
  },
  {
    name: "policies",
    usage: "policies [paths…] [options]",
    summary: "the policies there are: what they match, what they meet, what they need",
    examples: [["preadmit policies", "idle ones first, then those with findings"]],
    options: POLICIES_OPTIONS,
    exits: [
      [0, "there are policies, whatever they say"],
      [2, "usage, configuration or environment"],
      [3, "there is no policy"]
    ]
  },
  {
    name: "test",
    usage: "test [paths…] [options]",
    summary: "run the tests of policies, `*.preadmit-test.yaml` and suites of other tools",
    examples: [
      ["preadmit test", "every test file in this folder and those in it"],
      ["preadmit test policies/ --filter 'replica limit'", ""],
      ["preadmit test --format junit=tests.xml", "for other programs"]
    ],
    options: TEST_OPTIONS,
    exits: [
      [0, "every test that could be run passed"],
      [1, "a test failed"],
      [2, "usage or environment; a test file is wrong"],
      [3, "there are no tests, or none could be run"]
    ]
  },
  {
    name: "why",
    usage: "why <object> [policy] [options]",
    summary: "how every policy comes to what it says of one object",
    examples: [
      ["preadmit why Deployment/shop/web", "each policy: which step decided, with the values of its expressions"],
      ["preadmit why apps/web.yaml:12 replica-limit", "the object on a line, one policy"]
    ],
    options: WHY_OPTIONS,
    exits: [
      [0, "it is told, whatever the policies say"],
      [2, "usage, configuration or environment; no such object or policy"]
    ]
  },
  {
    name: "lsp",
    usage: "lsp [options]",
    summary: "a language server for editors, on standard input and output",
    examples: [["preadmit lsp", "editors start it themselves: docs/editors.md"]],
    options: LSP_OPTIONS,
    exits: [
      [0, "the editor shut it down"],
      [1, "the editor went without saying so"],
      [2, "usage"]
    ]
  },
  {
    name: "mutate",
    usage: "mutate [paths…] [options]",
    summary: "what mutating policies make of the manifests, printed or written back",
    examples: [
      ["preadmit mutate", "every object that policies change, as the cluster would store it"],
      ["preadmit mutate apps/ --format diff", "what would have to be written"],
      ["preadmit mutate --write", "write it: a second run has nothing left to do"]
    ],
    options: MUTATE_OPTIONS,
    exits: [
      [0, "done, whether policies change anything or not"],
      [1, "something cannot be written back, or a policy fails; standard error tells what"],
      [2, "usage, configuration or environment"]
    ]
  },
  {
    name: "cel",
    usage: "cel '<expression>' [options]",
    summary: "look at one expression: its type, value and cost",
    examples: [
      ["preadmit cel 'object.spec.replicas <= 5' --object deployment.yaml --explain", ""],
      ["preadmit cel --batch < requests.jsonl", "an answer a line"]
    ],
    options: CEL_OPTIONS,
    exits: [
      [0, "it has a value, whichever; with `--batch`, every line was answered"],
      [1, "it does not compile, or fails when it is evaluated"],
      [2, "an argument, the object or a line of the batch is wrong"]
    ]
  },
  {
    name: "render",
    usage: "render [<folder> | <base> <head>] [options]",
    summary: "write what a kustomization or a chart gives, or what the repository applies",
    examples: [
      ["preadmit render overlays/production", "as `kustomize build` does"],
      [
        "preadmit render charts/shop --release shop --namespace shop --values production.yaml",
        "as `helm template` does"
      ],
      ["preadmit render", "every root, by whom and for which cluster"],
      ["preadmit render --format diff main HEAD", "what the roots apply otherwise than before"]
    ],
    options: RENDER_OPTIONS,
    exits: [
      [0, "it is rendered, or all of it is"],
      [1, "it cannot be rendered, or some of it: the words are those of kustomize or Helm"],
      [2, "usage or environment"]
    ]
  },
  {
    name: "review",
    usage: "review --policies <path> [options]",
    summary: "answer AdmissionReview requests on standard input",
    examples: [["preadmit review --policies policies.yaml --resources cluster.yaml --decisions < requests.jsonl", ""]],
    options: REVIEW_OPTIONS,
    exits: [
      [0, "every request was answered, whatever the answers are"],
      [2, "an argument, a file or a request is wrong, or an answer is not certain"],
      [3, "there is no policy with a binding"]
    ]
  }
];

// src/door/compare-folders.ts
import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { resolve as resolve3 } from "node:path";
async function compareFolders(options, names) {
  askedVersion(options.overrides.kubernetesVersion);
  const { stages, today } = options;
  stages?.enter("discover");
  const { root } = await startOf({ ...options, paths: [] });
  const settings = await settingsOf(root, options);
  if ("unusable" in settings) return settings;
  const { configuration, baseline } = settings;
  const { include, exclude } = configuration;
  const sweep = async (name) => {
    const directory = await realFolder(resolve3(options.directory, name), name);
    return discover({ directory, isPlain: true, include, exclude, context: contextGlobs(configuration) });
  };
  const base = await sweep(names.base);
  const head = sharing(await sweep(names.head), base);
  stages?.count("discover", "files", head.files.length);
  const isEmpty = ({ files }) => !files.some(({ selected }) => selected);
  if (isEmpty(base) && isEmpty(head)) {
    throw new WorkspaceError(
      "path-not-found",
      `neither \`${names.base}\` nor \`${names.head}\` holds a file to check`,
      {
        hint: "look whether they were rendered, and at `include` and `exclude`"
      }
    );
  }
  const [baseTree, headTree] = [treeOf(base), treeOf(head)];
  const opened = await openSources(
    configuration.policySources,
    { root, places: [base, head] },
    options.sourceAccess ?? sourceAccess()
  );
  try {
    const report = compareStates({
      base: { ...base, tree: baseTree, policySources: opened.contents },
      head: { ...head, tree: headTree, policySources: opened.contents },
      engine: lazyEngine(),
      touched: touchedPaths(base, head, baseTree, headTree),
      names,
      configuration,
      policiesFrom: configuration.policiesFrom,
      only: configuration.only,
      notices: isEmpty(head) ? [`\`${names.head}\` holds no file to check, so everything counts as deleted`] : [],
      ...baseline && { baseline },
      ...today !== void 0 && { today },
      suggests: options.suggests === true,
      explainsMutations: options.explainsMutations === true,
      ...stages && { stages }
    });
    return { report, unusable: false };
  } finally {
    await opened.close();
  }
}
function sharing(head, base) {
  const known = new Map(base.files.map(({ file }) => [file.path, file]));
  return {
    ...head,
    files: head.files.map(({ file, selected }) => {
      const same = known.get(file.path);
      return { file: same?.text === file.text ? same : file, selected };
    })
  };
}
function treeOf({ root, paths }) {
  return listedTree(folderTree(root), paths);
}
function touchedPaths(base, head, baseTree, headTree) {
  const [before, now] = [base, head].map(({ files }) => new Map(files.map(({ file }) => [file.path, file])));
  return [.../* @__PURE__ */ new Set([...base.paths, ...head.paths])].filter((path3) => {
    if (before.has(path3) || now.has(path3)) return before.get(path3) !== now.get(path3);
    const [one2, other] = [baseTree.read(path3), headTree.read(path3)];
    return one2 === void 0 || other === void 0 || Buffer.compare(one2, other) !== 0;
  });
}
async function realFolder(folder, name) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return realpath(folder);
  throw new WorkspaceError("path-not-found", `there is no folder \`${name}\``, {
    hint: "folders are named from the working directory"
  });
}

// src/door/diff-command.ts
async function diffCommand(args, terminal) {
  const parsed = parseArguments(args, DIFF_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ("problems" in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs);
  const [base, head, ...paths] = parsed.arguments.paths;
  const [baseFolder, headFolder] = ["base-dir", "head-dir"].map((name) => parsed.arguments.texts.get(name));
  const areFolders = baseFolder !== void 0 || headFolder !== void 0;
  if (areFolders && (baseFolder === void 0 || headFolder === void 0 || base !== void 0)) {
    return usageError(["`--base-dir` and `--head-dir` go together, and without commits or paths"], terminal);
  }
  if (!areFolders && (base === void 0 || head === void 0)) {
    return usageError(["expected two commits: `preadmit diff <base> <head> [paths…]`"], terminal);
  }
  const started = terminal.now();
  const stages = createStageLog({
    debug: parsed.arguments.flags.has("debug"),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now
  });
  const options = { ...checkOptions({ ...parsed.arguments, paths }, terminal), stages };
  const compared = baseFolder !== void 0 && headFolder !== void 0 ? compareFolders(options, { base: baseFolder, head: headFolder }) : compareCommits(base ?? "", head ?? "", options);
  const { report, unusable } = await compared.finally(stages.end);
  const showOptions = showOptionsOf(parsed.arguments, terminal, started);
  for (const output of outputs.outputs) await writeOutput(output, report, showOptions, terminal);
  return unusable ? EXIT.usage : exitCodeOf(report, { mayCheckNothing: parsed.arguments.flags.has("allow-nothing") });
}
async function compareCommits(base, head, options) {
  options.stages?.enter("discover");
  const start = await startOf(options);
  return checkChanges(options, await resolveCommits(base, head, start), start);
}
async function resolveCommits(base, head, { root, repository }) {
  if (repository === void 0) throw new WorkspaceError("bad-revision", `\`${root}\` is not in a Git checkout`);
  const commit = async (revision) => {
    const id = await repository.resolveCommit(revision);
    if (id !== void 0) return id;
    throw new WorkspaceError("bad-revision", `there is no commit \`${revision}\` in this repository`, {
      hint: "in a shallow clone fetch it first: `git fetch --depth=1 origin <commit>`"
    });
  };
  const [before, after] = await Promise.all([commit(base), commit(head)]);
  return { base: before, head: after };
}

// src/door/help.ts
var GROUPS = [
  ["what", "What to look at"],
  ["how", "How to judge"],
  ["output", "What to show"]
];
var DOCUMENTATION = "Documentation: https://github.com/preadmit/preadmit";
function helpText(version) {
  const examples = COMMANDS.flatMap((command) => ["check", "diff"].includes(command.name) ? command.examples : []);
  return page([
    `preadmit ${version}
The API server's verdict on the manifests of a Git repository, before anything reaches a cluster.`,
    section("Usage", columns(COMMANDS.map(({ usage, summary }) => [`preadmit ${usage}`, summary]))),
    section("Examples", columns(examples)),
    `Options of check (\`preadmit <command> --help\` for those of the others)`,
    ...optionSections(CHECK_OPTIONS),
    exitSection(COMMANDS.find(({ name }) => name === "check")?.exits ?? []),
    DOCUMENTATION
  ]);
}
function commandHelp({ usage, summary, examples, options, exits }) {
  return page([
    `preadmit ${usage}
${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    section("Examples", columns(examples)),
    ...optionSections(options),
    exitSection(exits),
    DOCUMENTATION
  ]);
}
function optionSections(options) {
  const width = Math.max(...options.map((option) => nameColumn(option).length));
  return GROUPS.flatMap(([group, title]) => {
    const rows = options.filter((option) => option.group === group);
    const lines = columns(
      rows.map((row2) => [nameColumn(row2), describe2(row2)]),
      width
    );
    return rows.length === 0 ? [] : [section(title, lines)];
  });
}
function exitSection(exits) {
  return section(
    "Exit codes",
    columns([...exits, INTERNAL_EXIT].map(([status, meaning]) => [String(status), meaning]))
  );
}
function page(sections) {
  return `${sections.join("\n\n")}
`;
}
function section(title, lines) {
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}
var MAX_COLUMN = 48;
var MAX_TEXT = 80;
function columns(rows, least = 0) {
  const narrow = rows.map(([left]) => left.length).filter((length) => length <= MAX_COLUMN);
  const width = Math.max(least, ...narrow);
  return rows.flatMap(([left, right]) => {
    if (right === "") return [left];
    const [first = "", ...more] = wrapped(right);
    return [`${left.padEnd(width)}  ${first}`, ...more.map((line) => " ".repeat(width + 2) + line)];
  });
}
function wrapped(text2) {
  const lines = [];
  for (const word of text2.split(" ")) {
    const last = lines.at(-1);
    if (last !== void 0 && last.length + 1 + word.length <= MAX_TEXT) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
function nameColumn({ name, value }) {
  return value === void 0 ? `--${name}` : `--${name} ${value}`;
}
function describe2({ help, allowed, default: usual }) {
  const values = allowed === void 0 ? "" : `: ${allowed.join(", ")}`;
  return `${help}${values}${usual === void 0 ? "" : ` (default: ${usual})`}`;
}

// src/settings/policy-test-shape.ts
var POLICY_TEST_SUFFIX = ".preadmit-test.yaml";
var path = textShape("A file or folder, relative to the test file.", emptyProblem, { minLength: 1 });
var anyObject = {
  schema: { type: "object" },
  read: (value, at3, problems) => isJsonObject(value) ? value : problems.wrongType(value, at3, "an object")
};
function objectShape(description) {
  return {
    schema: { description, anyOf: [path.schema, { type: "object" }] },
    read: (value, at3, problems) => {
      if (isJsonObject(value)) return value;
      return typeof value === "string" ? path.read(value, at3, problems) : problems.wrongType(value, at3, "a file or an object");
    }
  };
}
var failure = object("A failure that is expected. What it does not say may be anything.", {
  policy: textShape("Name of the policy.", emptyProblem, { minLength: 1 }),
  rule: textShape("The rule as reports name it: `validations[0]`.", emptyProblem, { minLength: 1 }),
  message: textShape("The whole message."),
  contains: textShape("A part of the message.", emptyProblem, { minLength: 1 }),
  matches: textShape("A regular expression (RE2) that is found in the message.", emptyProblem, { minLength: 1 })
});
function failuresShape(description) {
  const list = listShape("", { ...failure, read: readFailure });
  const items = { anyOf: [{ type: "string" }, failure.schema] };
  return {
    schema: { description, anyOf: [{ type: "string" }, { type: "array", items, minItems: 1 }] },
    read: (value, at3, problems) => isJsonArray(value) ? list.read(value, at3, problems) : one(readFailure(value, at3, problems))
  };
}
var readFailure = (value, at3, problems) => typeof value === "string" ? { message: value } : failure.read(value, at3, problems);
function one(value) {
  return value === void 0 ? void 0 : [value];
}
var expectation = object("What is expected. Whatever is not named must not happen.", {
  denied: failuresShape("Failures that refuse the request: one message, or a list."),
  warned: failuresShape("Failures that warn."),
  audited: failuresShape("Failures that are audited."),
  undecided: failuresShape("What cannot be decided without a cluster."),
  refused: textShape("What the API server says of the object itself, before any policy; a part of it is enough."),
  skipped: listShape(
    "Policies that do not apply to the request, by name.",
    textShape("Name of a policy.", emptyProblem, { minLength: 1 })
  ),
  mutated: {
    ...anyObject,
    schema: {
      description: "Fields of the object as mutating policies leave it; null: the field is absent.",
      type: "object"
    }
  }
});
var expected = {
  schema: {
    description: "`allowed`, or what is expected to happen.",
    anyOf: [{ const: "allowed" }, expectation.schema]
  },
  read: (value, at3, problems) => {
    if (value === "allowed") return {};
    if (isJsonObject(value)) return expectation.read(value, at3, problems);
    return problems.wrongType(value, at3, "`allowed`, or an object such as `denied: <message>`");
  }
};
var OPERATIONS = ["CREATE", "UPDATE", "DELETE"];
var REQUEST = {
  object: objectShape(
    "The object of the request: a file, or the object itself. With DELETE: the object that is deleted."
  ),
  oldObject: objectShape("The object as it was, of an UPDATE."),
  with: {
    ...anyObject,
    schema: { description: "A JSON merge patch over the object: `null` takes a field away.", type: "object" }
  },
  operation: choice("Default: UPDATE where there is an `oldObject`, otherwise CREATE.", OPERATIONS),
  user,
  resources: listShape(
    "What else is in the cluster in this test: params, Namespaces, definitions, RBAC; files or objects.",
    objectShape("A file, a folder, or an object.")
  )
};
var row = object("One line of a table: what it says comes over what the test says.", {
  name: textShape("What is tried.", emptyProblem, { minLength: 1 }),
  ...REQUEST,
  expect: expected
});
var test = object(
  "One request, and what is expected of it; or a table of them.",
  {
    name: textShape("What is tried.", emptyProblem, { minLength: 1 }),
    ...REQUEST,
    expect: expected,
    each: listShape("A request for each row.", row)
  },
  ["name"]
);
function policyTestShape() {
  return object(
    "Tests of policies, run by `preadmit test`.",
    {
      policies: listShape(
        "Files and folders with the policies and bindings that are tested. Default: the folder of the test file, tests left out.",
        path
      ),
      resources: listShape(
        "What else is in the cluster in all tests: params, Namespaces, definitions, RBAC.",
        objectShape("A file, a folder, or an object.")
      ),
      kubernetesVersion: textShape("The API server: `1.36`. Default: what the command line says.", emptyProblem, {
        minLength: 1
      }),
      tests: listShape("The tests.", test)
    },
    ["tests"]
  );
}
function readPolicyTests(file) {
  return readShapedFile(file, policyTestShape(), { subject: "the test file", maximumLength: 1024 * 1024 });
}
function emptyProblem(value) {
  return value.trim() === "" ? "is empty" : void 0;
}

// src/workspace/new-files.ts
import { lstat, mkdir, realpath as realpath2, writeFile as writeFile2 } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
async function isThere(root, path3) {
  try {
    await lstat(join(root, path3));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    return true;
  }
}
async function writeNewFile(root, path3, text2) {
  const folder = dirname(join(root, path3));
  try {
    await makeFolder(root, folder);
    await writeFile2(join(root, path3), text2, { flag: "wx" });
  } catch (cause) {
    if (cause instanceof WorkspaceError) throw cause;
    throw new WorkspaceError("unwritable", `\`${path3}\` cannot be written: ${reasonOf(cause)}`, { cause });
  }
}
async function makeFolder(root, folder) {
  let made = root;
  for (const step of relative(root, folder).split(sep)) {
    if (step === "") continue;
    made = join(made, step);
    await mkdir(made).catch((error) => {
      if (systemErrorCode(error) !== "EEXIST") throw error;
    });
    if (await realpath2(made) !== made) {
      throw new WorkspaceError("unwritable", `\`${relative(root, made)}\` is a link: nothing is written through it`);
    }
  }
}

// src/door/init-files.ts
var SCHEMA = "https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/preadmit.schema.json";
function proposedConfiguration({ counts, versions }) {
  const lines = [];
  const [version, ...others] = versions;
  if (version !== void 0 && others.length === 0) {
    const [release, [file]] = version;
    lines.push(`# As ${commentText(file ?? "")} has it.`, `kubernetesVersion: "${release}"`);
  }
  if (counts.has("Argo CD") && !counts.has("Flux")) {
    lines.push(
      "# Argo CD applies this repository; policies see it as the one who asks.",
      "user:",
      "  username: system:serviceaccount:argocd:argocd-application-controller"
    );
  }
  return lines.length === 0 ? void 0 : `# yaml-language-server: $schema=${SCHEMA}
${lines.join("\n")}
`;
}
function commentText(text2) {
  return JSON.stringify(text2).slice(1, -1).replace(/[\u007f-\u009f\u2028\u2029\u0085]/g, "?");
}
function proposedWorkflow(branch) {
  return `name: Admission policies

on:
  pull_request:
  merge_group:
  push:
    branches: [${branch}]
  schedule:
    - cron: '17 5 * * 1'

permissions: {}

jobs:
  preadmit:
    name: Admission policies
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
      checks: write
    steps:
      - uses: actions/checkout@v7
        with:
          persist-credentials: false
      - uses: preadmit/preadmit@v0 # not released yet: name a fork, at a commit
`;
}
function proposedHooks(version) {
  return `repos:
  - repo: https://github.com/preadmit/preadmit
    rev: v${version}
    hooks: [{id: preadmit}]
`;
}
function dayAfter(day, days) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 864e5).toISOString().slice(0, 10);
}

// src/door/repository-facts.ts
var GROUPS2 = [
  ["Flux", /^(kustomize|helm)\.toolkit\.fluxcd\.io$/],
  ["Argo CD", /^argoproj\.io$/, /^Application(Set)?$/],
  ["policies", /^admissionregistration\.k8s\.io$/, /Policy$/],
  ["policies", /^kyverno\.io$/, /^(Cluster)?Policy$/],
  ["policies", /^policies\.kyverno\.io$/, /^\w+Policy$/]
];
var VERSIONED = [
  [
    "Cluster",
    /^kind\.x-k8s\.io$/,
    (value) => objectItems(value.get("nodes")).map((node) => tagOf(textField(node, "image")))
  ],
  ["Simple", /^k3d\.io$/, (value) => [tagOf(textField(value, "image"))]],
  ["ClusterConfig", /^eksctl\.io$/, (value) => [textAt(value, ["metadata", "version"])]],
  ["Cluster", /^cluster\.x-k8s\.io$/, (value) => [textAt(value, ["spec", "topology", "version"])]],
  ["KubeadmControlPlane", /^controlplane\.cluster\.x-k8s\.io$/, (value) => [textAt(value, ["spec", "version"])]]
];
function repositoryFacts(files) {
  const counts = /* @__PURE__ */ new Map();
  const versions = /* @__PURE__ */ new Map();
  for (const file of files) {
    for (const { value } of file.derived(readManifests).manifests) {
      const root = objectOrEmpty(value);
      const kind = textField(root, "kind");
      const group = textField(root, "apiVersion").split("/")[0] ?? "";
      const known = GROUPS2.find(([, groups, kinds]) => groups.test(group) && (kinds === void 0 || kinds.test(kind)));
      if (known !== void 0) counts.set(known[0], (counts.get(known[0]) ?? 0) + 1);
      for (const text2 of VERSIONED.find(([each, groups]) => each === kind && groups.test(group))?.[2](root) ?? []) {
        const version = parseKubernetesVersion(text2);
        if (version === void 0 || !isSupportedVersion(version)) continue;
        const release = formatVersion(version);
        versions.set(release, [.../* @__PURE__ */ new Set([...versions.get(release) ?? [], file.path])]);
      }
    }
  }
  return { counts, versions };
}
function tagOf(image) {
  return /:(v[^:@/]+)(?:@|$)/.exec(image)?.[1] ?? "";
}
function textAt(value, path3) {
  const found2 = valueAt(value, path3);
  return typeof found2 === "string" ? found2 : "";
}

// src/door/starter-policies.ts
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
var PLACES = ["../policies/", "../../policies/"];
function starterPolicies(name) {
  const folder = PLACES.map((place) => new URL(`${place}${name}/`, import.meta.url)).find((url) => existsSync(url));
  if (folder === void 0) {
    throw new WorkspaceError("path-not-found", "the starter policies are not beside the program", {
      hint: "install the whole package"
    });
  }
  return readdirSync(fileURLToPath(folder)).filter((file) => file.endsWith(".yaml")).sort().map((file) => new SourceFile(`policies/${name}/${file}`, readFileSync(new URL(file, folder), "utf8")));
}

// src/door/stopped-by.ts
function stoppedBy({ report }, { color, width, err }) {
  err(text.render(report, { color, width, showSkipped: false, quiet: true }));
  return EXIT.usage;
}

// src/door/init-command.ts
var WORKFLOW = ".github/workflows/preadmit.yaml";
var HOOKS = ".pre-commit-config.yaml";
var BASELINE_DAYS = 90;
var SHOWN_LINES = 60;
async function initCommand(args, terminal) {
  const parsed = parseArguments(args, INIT_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { paths, flags, texts, lists } = parsed.arguments;
  if (paths.length > 0)
    return usageError(["`preadmit init` is about the whole repository and takes no paths"], terminal);
  const options = { directory: terminal.directory, paths: [], today: terminal.today, overrides: {} };
  const root = await repositoryRoot(options);
  const starters = await absent(root, [...new Set(lists.get("with") ?? [])].flatMap(starterPolicies));
  const owner = texts.get("owner") ?? await ownerOf(terminal.directory);
  const branch = await branchOf(terminal.directory);
  const asked = await askRepository({ ...options, baseline: null }, (input) => {
    const facts2 = repositoryFacts(input.files.map(({ file }) => file));
    const configuration2 = proposedConfiguration(facts2);
    return { facts: facts2, configuration: configuration2, report: checkState(withProposals(input, configuration2, starters.missing)) };
  });
  if ("stopped" in asked) return stoppedBy(asked.stopped, terminal);
  const { facts, configuration, report } = asked.answer;
  const baseline = proposedBaseline(report, owner, terminal.today);
  const proposals = [
    ...configuration === void 0 ? [] : [new SourceFile(".preadmit.yaml", configuration)],
    new SourceFile(WORKFLOW, proposedWorkflow(branch)),
    ...baseline === void 0 ? [] : [new SourceFile(BASELINE_NAME, baseline.text)],
    new SourceFile(HOOKS, proposedHooks(VERSION))
  ];
  const { missing, present } = await absent(root, proposals);
  const say = (line) => terminal.out(`${sanitizeLine(line)}
`);
  for (const line of described(facts, report)) say(line);
  for (const file of starters.present) say(`${file.path} is there already and stays as it is`);
  for (const file of present) showAsDue(file, say);
  for (const file of [...missing, ...starters.missing]) showAsNew(file, say);
  if (baseline !== void 0 && owner === void 0) {
    return usageError(["the findings of a baseline need somebody who sees to them: `--owner <name>`"], terminal);
  }
  return write2(root, [...missing, ...starters.missing], flags.has("yes"), terminal);
}
async function write2(root, files, isAgreed, terminal) {
  if (files.length === 0) {
    terminal.out("\nThere is nothing to write.\n");
    return EXIT.allowed;
  }
  if (!isAgreed && !await agrees(files.length, terminal)) {
    terminal.out("\nNothing is written; `preadmit init --yes` writes it.\n");
    return EXIT.allowed;
  }
  for (const { path: path3, text: text2 } of files) await writeNewFile(root, path3, text2);
  terminal.out(
    `
Wrote ${count(files.length, "file")}. Next: \`git add\`, as only what Git tracks is read, and \`preadmit check\`.
`
  );
  return EXIT.allowed;
}
async function agrees(files, { interactive, err, lines }) {
  if (!interactive) return false;
  err(`
Write ${count(files, "file")}? [y/N] `);
  for await (const line of lines()) return /^y(es)?$/i.test(line.trim());
  return false;
}
function withProposals(input, written, starters) {
  const policies = starters.filter(({ path: path3 }) => !path3.endsWith(POLICY_TEST_SUFFIX));
  const isConfigured = CONFIGURATION_NAMES.some((name) => input.paths.has(name));
  const file = new SourceFile(".preadmit.yaml", written ?? "");
  const { configuration = input.configuration } = loadConfiguration(file, { versionProblem });
  return {
    ...input,
    files: [...input.files, ...policies.map((each) => ({ file: each, selected: true }))],
    paths: /* @__PURE__ */ new Set([...input.paths, ...policies.map(({ path: path3 }) => path3)]),
    configuration: isConfigured ? input.configuration : configuration
  };
}
function proposedBaseline(report, owner, today) {
  const findings2 = openFindings(report.findings).filter((finding) => isGating(finding, report.verdict.failOn));
  const problems = openDiagnostics(report.diagnostics).filter(
    ({ severity, resource }) => severity === "error" && resource !== void 0
  );
  const entries = baselineEntries(findings2, problems, report.targets.length > 1, {
    owner: owner ?? "nobody yet",
    reason: "there before the check",
    expires: dayAfter(today, BASELINE_DAYS)
  });
  return entries.length === 0 ? void 0 : { text: baselineText(entries) };
}
function described({ counts, versions }, report) {
  const policies = report.targets.reduce((most, target) => Math.max(most, target.policies.length), 0);
  const controllers = ["Flux", "Argo CD"].flatMap(
    (name) => counts.has(name) ? [`${name} (${count(counts.get(name) ?? 0, "object")})`] : []
  );
  const releases = [...versions].map(([release, files]) => `${release} (${files.join(", ")})`);
  const rest = report.diagnostics.filter(({ severity, resource }) => severity === "error" && resource === void 0);
  return [
    `Applied by: ${controllers.join(", ") || "nobody that the repository names"}`,
    `Clusters: ${report.targets.map(({ name }) => name).join(", ")}`,
    `Policies: ${policies === 0 ? "none; `--with pod-security` and `--with best-practices` bring some" : policies}`,
    `Kubernetes: ${releases.join(", ") || "no release is named; the default is taken"}`,
    ...releases.length > 1 ? ["  There are several: say which in `kubernetesVersion`, or in `targets`."] : [],
    ...rest.length > 0 ? [`${count(rest.length, "error")} that no baseline can hold: \`preadmit check\` shows what is wrong`] : []
  ];
}
function showAsNew({ path: path3, text: text2 }, say) {
  const lines = text2.split("\n").slice(0, -1);
  say("");
  say("--- /dev/null");
  say(`+++ ${path3}`);
  for (const line of lines.slice(0, SHOWN_LINES)) say(`+${line}`);
  if (lines.length > SHOWN_LINES) say(`  … ${count(lines.length - SHOWN_LINES, "more line")}`);
}
function showAsDue({ path: path3, text: text2 }, say) {
  say("");
  if (path3 === BASELINE_NAME) {
    say(`${path3} is there already and stays as it is; \`preadmit baseline --update\` adds what it has not got.`);
    return;
  }
  say(`${path3} is there already and stays as it is. What it needs, if it has not got it:`);
  for (const line of text2.split("\n").slice(0, SHOWN_LINES)) if (line !== "") say(`  ${line}`);
}
async function absent(root, files) {
  const missing = [];
  const present = [];
  for (const file of files) {
    const names = file.path === ".preadmit.yaml" ? CONFIGURATION_NAMES : [file.path];
    const there = await Promise.all(names.map((name) => isThere(root, name)));
    (there.includes(true) ? present : missing).push(file);
  }
  return { missing, present };
}
async function ownerOf(directory) {
  const repository = await GitRepository.open(directory);
  return await repository?.setting("user.email") ?? await repository?.setting("user.name");
}
async function branchOf(directory) {
  const branch = await (await GitRepository.open(directory))?.branch();
  return branch === "master" ? "master" : "main";
}

// src/door/mutate-command.ts
import { lstat as lstat2, readFile as readFile2, writeFile as writeFile3 } from "node:fs/promises";
import { join as join2 } from "node:path";
async function mutateCommand(args, terminal) {
  const parsed = parseArguments(args, MUTATE_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { flags, texts } = parsed.arguments;
  const format = MUTATION_FORMATS.find((name) => name === (texts.get("format") ?? "yaml"));
  const options = { ...checkOptions(parsed.arguments, terminal), baseline: null };
  const asked = await askRepository(options, (input, root2) => ({ rewritten: rewriteState(input), root: root2 }));
  if ("stopped" in asked) return stoppedBy(asked.stopped, terminal);
  const { rewritten, root } = asked.answer;
  const say = (line) => terminal.err(`preadmit: ${sanitizeLine(line)}
`);
  if (flags.has("write")) {
    for (const file of rewritten.files) {
      await write3(root, file);
      terminal.out(`${sanitizeLine(`wrote ${file.file.path}`)}
`);
    }
  } else terminal.out(describeMutations(rewritten, format).split("\n").map(sanitizeLine).join("\n"));
  return tell(rewritten, say);
}
function tell({ state, left }, say) {
  for (const { resource, text: note } of state.notes) say(`${entryLabel({ resource })}: ${note}`);
  for (const entry of state.entries) {
    for (const write4 of entry.writes) {
      const reason2 = left.get(write4);
      if (reason2 !== void 0) {
        say(`${entryLabel(entry, entry.namespace)}: not written: ${writeLabel(write4)}: ${reason2}`);
      }
    }
  }
  const changed = new Set(state.entries.map(({ resource }) => resource)).size;
  say(`${changed} of ${count(state.evaluated, "object")} changed by policies`);
  return left.size > 0 || state.notes.length > 0 ? EXIT.denied : EXIT.allowed;
}
async function write3(root, { file, text: written }) {
  const path3 = join2(root, file.path);
  const fail = (reason2, cause) => {
    throw new WorkspaceError("unwritable", `\`${file.path}\` cannot be written: ${reason2}`, { cause });
  };
  try {
    if (!(await lstat2(path3)).isFile()) fail("it is no file any more");
    if (!(await readFile2(path3)).equals(Buffer.from(file.text)))
      fail("it is not what was read: changed since, or not in UTF-8");
    await writeFile3(path3, written);
  } catch (problem) {
    if (problem instanceof WorkspaceError) throw problem;
    fail(reasonOf(problem), problem);
  }
}

// src/report/format/policies-text.ts
function policiesText(targets) {
  return targets.map(targetText).join("\n");
}
function targetText({ name, kubernetesVersion, policies, evaluated }) {
  const head = `${sanitizeLine(name)}: Kubernetes ${sanitizeLine(kubernetesVersion)}, ${count(policies.length, "policy", "policies")}, ${count(evaluated, "object")} evaluated`;
  const sorted = policies.toSorted((one2, other) => rank(one2) - rank(other));
  return [head, "", ...sorted.flatMap(policyLines), ""].join("\n");
}
function rank({ matched, denied, warned, audited }) {
  if (matched === 0) return 0;
  return denied + warned + audited > 0 ? 1 : 2;
}
function policyLines(policy) {
  const { kind, name, path: path3, matched, bindings, facts } = policy;
  const indent = "    ";
  const bound = bindings === 0 ? "no binding" : count(bindings, "binding");
  const actions = facts === void 0 || facts.actions.length === 0 ? "" : `: ${facts.actions.join(", ")}`;
  const isBound = kind.endsWith("AdmissionPolicy");
  const matches = facts?.matches.join("; ") ?? "";
  const what = [
    ...matches === "" ? [] : [matches],
    ...isBound ? [`${bound}${actions}`] : [],
    ...facts?.paramKind === void 0 ? [] : [`params ${facts.paramKind}`]
  ];
  const share = facts?.budgetShare;
  const outcome = [
    matched === 0 ? "matched nothing" : `${count(matched, "object")}${findings(policy)}`,
    ...share === void 0 || matched === 0 ? [] : [`${percent(share)} of the cost budget`],
    ...facts === void 0 ? [] : [facts.since === void 0 ? "no release takes it" : `from Kubernetes ${facts.since} on`],
    ...facts?.typeWarnings === void 0 ? [] : [typeChecking(facts.typeWarnings)]
  ];
  return [
    `${sanitizeLine(name)} (${kind}, ${sanitizeLine(path3)})`,
    ...what.length === 0 ? [] : [`${indent}${sanitizeLine(what.join(" · "))}`],
    `${indent}${sanitizeLine(outcome.join(" · "))}`
  ];
}
function findings({ denied, warned, audited }) {
  const words = [
    ...denied > 0 ? [`${denied} denied`] : [],
    ...warned > 0 ? [`${warned} warned about`] : [],
    ...audited > 0 ? [`${audited} audited`] : []
  ];
  return words.length === 0 ? ", all allowed" : `: ${words.join(", ")}`;
}
function percent(share) {
  return `${Number((share * 100).toPrecision(2))} %`;
}
function typeChecking(warnings) {
  return warnings === 0 ? "types are right" : `type checking warns of ${count(warnings, "expression")}`;
}

// src/door/policies-command.ts
async function policiesCommand(args, terminal) {
  const parsed = parseArguments(args, POLICIES_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const options = checkOptions(parsed.arguments, terminal);
  const asked = await askRepository(options, (input) => checkState({ ...input, describesPolicies: true }));
  if ("stopped" in asked) return stoppedBy(asked.stopped, terminal);
  const { targets } = asked.answer;
  const isJson = parsed.arguments.texts.get("format") === "json";
  terminal.out(isJson ? `${JSON.stringify(targets, void 0, 2)}
` : policiesText(targets));
  return targets.some(({ policies }) => policies.length > 0) ? EXIT.allowed : EXIT.nothingChecked;
}

// src/door/render-command.ts
import { readFileSync as readFileSync2 } from "node:fs";
import { resolve as resolve4 } from "node:path";

// src/workspace/render/render-scope.ts
import { existsSync as existsSync2, statSync as statSync2 } from "node:fs";
import { realpath as realpath3 } from "node:fs/promises";
import path2 from "node:path";
async function findRenderScope(directory, name) {
  const folder = path2.resolve(directory, name);
  if (!statSync2(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkspaceError("path-not-found", `there is no folder \`${name}\``);
  }
  const real = await realpath3(folder);
  const engine = existsSync2(path2.join(real, "Chart.yaml")) ? "helm" : "kustomize";
  const top = (await GitRepository.open(real))?.root ?? await realpath3(directory);
  const below = path2.relative(top, real);
  if (below !== ".." && !below.startsWith(`..${path2.sep}`) && !path2.isAbsolute(below)) {
    return { tree: folderTree(top), folder: slashed(below), engine, isBounded: true };
  }
  if (engine === "helm") return { tree: folderTree(real), folder: "", engine, isBounded: true };
  const { root } = path2.parse(real);
  return { tree: folderTree(root), folder: slashed(path2.relative(root, real)), engine, isBounded: false };
}
function slashed(name) {
  return name.replaceAll(path2.sep, "/");
}

// src/pipeline/rendered-change.ts
function renderedChanges(base, head) {
  const rendered = ({ resources }) => resources.flatMap(({ resource, root }) => root === void 0 ? [] : [resource]);
  const identityOf = (resource) => [resource.gvk.group, resource.gvk.kind, appliedNamespace(resource), resource.name, resource.manifest.root].join(
    "\0"
  );
  const { created, updated, deleted } = matchObjects(rendered(base), rendered(head), identityOf);
  const changes = [
    ...created.map((resource) => ({ change: "created", resource, fields: [] })),
    ...updated.map(({ resource, old }) => ({
      ...{ change: "updated", resource },
      fields: differences(maskedValue(old.manifest), maskedValue(resource.manifest))
    })),
    ...deleted.map((resource) => ({ change: "deleted", resource, fields: [] }))
  ];
  return changes.sort((one2, other) => identityOf(one2.resource) < identityOf(other.resource) ? -1 : 1);
}
function appliedNamespace({ namespace, manifest }) {
  return namespace || manifest.defaultNamespace || "";
}
function differences(before, after) {
  const found2 = [];
  const compare2 = (one2, other, path3) => {
    if (isJsonObject(one2) && isJsonObject(other)) {
      const keys = [...one2.keys()];
      append(
        keys,
        [...other.keys()].filter((key) => !one2.has(key))
      );
      for (const key of keys) compare2(one2.get(key), other.get(key), [...path3, key]);
    } else if (isJsonArray(one2) && isJsonArray(other)) {
      const length = Math.max(one2.length, other.length);
      for (let index = 0; index < length; index++) compare2(one2[index], other[index], [...path3, index]);
    } else if (textOf(one2) !== textOf(other)) {
      found2.push({ path: formatFieldPath(path3), before: textOf(one2), after: textOf(other) });
    }
  };
  compare2(before, after, []);
  return found2;
}
function textOf(value) {
  return value === void 0 ? void 0 : stringifyJson(value, { sortKeys: true, escapeHtml: false });
}

// src/door/render-roots.ts
async function renderRoots(format, terminal) {
  const start = await startOf({ directory: terminal.directory, paths: [], overrides: {} });
  const { roots } = await contentOf(start, await configurationOf(start));
  if (format === "json") terminal.out(`${JSON.stringify({ roots: roots.map(rootJson) }, null, 2)}
`);
  else for (const root of roots) terminal.out(format === "yaml" ? rootYaml(root) : rootLines(root));
  return roots.some(({ failure: failure2 }) => failure2 !== void 0) ? EXIT.notRendered : EXIT.allowed;
}
async function renderDifference(base, head, terminal) {
  const start = await startOf({ directory: terminal.directory, paths: [], overrides: {} });
  const { repository, root } = start;
  if (repository === void 0) throw new WorkspaceError("bad-revision", `\`${root}\` is not in a Git checkout`);
  const commitOf = async (revision) => {
    const commit = await repository.resolveCommit(revision);
    if (commit !== void 0) return commit;
    throw new WorkspaceError("bad-revision", `there is no commit \`${revision}\` in this repository`);
  };
  const [before, after] = await Promise.all([commitOf(base), commitOf(head)]);
  const configuration = await configurationOf(start, before);
  const builder = new RootBuilder();
  const first = await contentOf(start, configuration, { commit: before, builder });
  const second = await contentOf(start, configuration, { commit: after, builder });
  for (const change of renderedChanges(first, second)) terminal.out(changeLines(change));
  for (const each of second.roots) {
    if (each.failure !== void 0) terminal.err(`preadmit: ${sanitizeLine(headOf(each))}
`);
  }
  return second.roots.some(({ failure: failure2 }) => failure2 !== void 0) ? EXIT.notRendered : EXIT.allowed;
}
async function configurationOf({ root, repository }, id) {
  const commit = id === void 0 || repository === void 0 ? void 0 : { repository, id };
  const file = await readConfigurationFile({ root, ...commit && { commit } });
  const loaded = file && loadConfiguration(file, { versionProblem });
  if (loaded !== void 0 && loaded.configuration === void 0) {
    throw new WorkspaceError("unreadable", `the configuration \`${file?.path}\` has errors`, {
      hint: "`preadmit check` says which"
    });
  }
  return loaded?.configuration ?? defaultConfiguration();
}
async function contentOf({ directory, repository }, configuration, state) {
  const { include, exclude } = configuration;
  const discovery = await discover({
    ...{ directory, paths: [], include, exclude, context: contextGlobs(configuration) },
    ...repository && { repository },
    ...state && { commit: state.commit }
  });
  const tree = state === void 0 || repository === void 0 ? listedTree(folderTree(discovery.root), discovery.paths) : commitTree(await repository.listTree(state.commit), discovery.files, new BlobContents(repository));
  const builder = state?.builder ?? new RootBuilder();
  return readRepository(
    { ...discovery, configuration, rendering: { tree, engine: lazyEngine(), builder } },
    UNOBSERVED
  );
}
function placeText({ file, range }) {
  return `${file.path}:${file.positionAt(range.start).line}`;
}
function headOf({ name, destination, location, declaredBy, failure: failure2 }) {
  const to = destination === void 0 ? "" : ` → ${destination}`;
  const by = declaredBy.length === 0 ? "" : `, by ${declaredBy.at(-1)}`;
  return `${name}${to} (${placeText(location)})${by}${failure2 === void 0 ? "" : `: not rendered: ${failure2.message}`}`;
}
function rootLines(root) {
  const count2 = root.manifests.length;
  const objects = root.failure === void 0 ? `: ${count2} object${count2 === 1 ? "" : "s"}` : "";
  return `${sanitizeLine(headOf(root))}${objects}
`;
}
function rootYaml(root) {
  const head = `# ${sanitizeLine(headOf(root))}
`;
  const documents2 = root.manifests.map((manifest) => {
    const origin = sanitizeLine(placeText(manifest.place(["kind"], "key")));
    return `---
# Root: ${sanitizeLine(root.name)}
# Origin: ${origin}
${manifest.text.trimEnd()}
`;
  });
  return `${head}${documents2.join("")}`;
}
function rootJson({ name, destination, declaredBy, location, manifests, failure: failure2 }) {
  return {
    ...{ name, place: placeText(location), declaredBy },
    ...destination !== void 0 && { destination },
    ...failure2 && { notRendered: { reason: failure2.reason, message: failure2.message, help: failure2.help } },
    objects: manifests.map(({ value, defaultNamespace }) => ({
      ...defaultNamespace !== void 0 && { namespace: defaultNamespace },
      object: JSON.parse(stringifyJson(value, { sortKeys: false, escapeHtml: false }))
    }))
  };
}
var SIGNS = { created: "+", updated: "~", deleted: "-" };
function changeLines({ change, resource, fields }) {
  const namespace = appliedNamespace(resource);
  const name = `${resource.gvk.kind} ${namespace === "" ? "" : `${namespace}/`}${resource.name}`;
  const lines = fields.map(({ path: path3, before = "(absent)", after = "(absent)" }) => `    ${path3}: ${before} → ${after}`);
  const head = `${SIGNS[change]} ${name} (${resource.manifest.root})`;
  return [head, ...lines].map((line) => `${sanitizeLine(line)}
`).join("");
}

// src/door/render-command.ts
var CHANCE = { seed: 1, now: 0 };
var DEFAULT_RELEASE = "release-name";
var DEFAULT_NAMESPACE2 = "default";
var CHART_OPTIONS = ["release", "namespace", "values", "include-crds"];
async function renderCommand(args, terminal) {
  const parsed = parseArguments(args, RENDER_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const [folder, ...more] = parsed.arguments.paths;
  const format = parsed.arguments.texts.get("format");
  if (format === "diff") {
    if (folder !== void 0 && more.length === 1) return renderDifference(folder, more[0], terminal);
    return usageError(["expected two commits: `preadmit render --format diff <base> <head>`"], terminal);
  }
  if (folder === void 0) {
    const given = RENDER_OPTIONS.map(({ name }) => name).filter(
      (name) => name !== "format" && isGiven(parsed.arguments, name)
    );
    if (given.length > 0)
      return usageError(
        given.map((name) => `\`--${name}\` needs a folder`),
        terminal
      );
    return renderRoots(format ?? "text", terminal);
  }
  if (more.length > 0) {
    return usageError(["expected one folder with a kustomization or a chart: `preadmit render <folder>`"], terminal);
  }
  if (format !== void 0 && format !== "yaml") {
    return usageError([`\`--format ${format}\` is for all roots, without a folder`], terminal);
  }
  return renderFolder(folder, parsed.arguments, terminal);
}
async function renderFolder(folder, options, terminal) {
  const scope = await findRenderScope(terminal.directory, folder);
  const problems = unusableOptions(scope, options);
  if (problems.length > 0) return usageError(problems, terminal);
  const outcome = loadEngine().render(requestOf(scope, options, terminal.directory), scope.tree, CHANCE);
  const say = (text2) => {
    for (const line of text2.split("\n")) terminal.err(`preadmit: ${sanitizeLine(line)}
`);
  };
  for (const warning of outcome.warnings) say(warning);
  if ("failure" in outcome) {
    say(outcome.message.trimEnd());
    return EXIT.notRendered;
  }
  terminal.out(documents(outcome.objects));
  return EXIT.allowed;
}
function isGiven({ texts, lists, flags }, name) {
  return texts.has(name) || lists.has(name) || flags.has(name);
}
function unusableOptions({ engine }, options) {
  const given = (name) => isGiven(options, name);
  const others = engine === "helm" ? ["load-restrictor", "enable-helm"] : CHART_OPTIONS;
  const what = engine === "helm" ? "a chart" : "a kustomization";
  return others.filter(given).map((name) => `\`--${name}\` means nothing for ${what}`);
}
function requestOf({ engine, folder, isBounded }, { texts, lists, flags }, directory) {
  const kubernetesVersion = fullVersion(texts.get("kubernetes-version") ?? formatVersion(DEFAULT_VERSION));
  if (engine === "kustomize") {
    const restrictor = texts.get("load-restrictor");
    return {
      engine,
      root: folder,
      anyFile: restrictor === void 0 ? isBounded : restrictor === "LoadRestrictionsNone",
      enableHelm: flags.has("enable-helm"),
      ...texts.has("kubernetes-version") && { kubernetesVersion }
    };
  }
  return {
    engine,
    chart: folder,
    releaseName: texts.get("release") ?? DEFAULT_RELEASE,
    namespace: texts.get("namespace") ?? DEFAULT_NAMESPACE2,
    values: (lists.get("values") ?? []).map((file) => readValues(directory, file)),
    includeCrds: flags.has("include-crds"),
    kubernetesVersion
  };
}
function fullVersion(text2) {
  return /^v?\d+\.\d+$/.test(text2) ? `${text2}.0` : text2;
}
function readValues(directory, file) {
  try {
    return readFileSync2(resolve4(directory, file), "utf8");
  } catch (error) {
    throw new WorkspaceError("unreadable", `the values file \`${file}\` cannot be read: ${reasonOf(error)}`, {
      cause: error
    });
  }
}
function documents(objects) {
  return objects.map(({ text: text2, template }, i) => {
    const body = text2.endsWith("\n") ? text2 : `${text2}
`;
    if (template !== void 0) return `---
# Source: ${sanitizeLine(template)}
${body}`;
    return i === 0 ? body : `---
${body}`;
  }).join("");
}

// src/door/review-command.ts
import { statSync as statSync3 } from "node:fs";
import { basename, dirname as dirname2, resolve as resolve5 } from "node:path";

// src/kubernetes/admission-review.ts
var OPERATIONS2 = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
function readAdmissionReview(value) {
  if (!isJsonObject(value)) return { error: "expected an AdmissionReview, a JSON object" };
  const [apiVersion, kind] = [textField(value, "apiVersion"), textField(value, "kind")];
  if (apiVersion !== "admission.k8s.io/v1" || kind !== "AdmissionReview") {
    const found2 = [apiVersion, kind].filter((text2) => text2 !== "").join(" ") || "an object without apiVersion and kind";
    return { error: `expected admission.k8s.io/v1 AdmissionReview, found ${found2}` };
  }
  const request = value.get("request");
  if (!isJsonObject(request)) return { error: "`request` is missing" };
  const problem = wrongField(request);
  return problem === void 0 ? { uid: textField(request, "uid"), request: readRequest(request) } : { error: problem };
}
function readRequest(request) {
  const objectKind = readKind(request.get("kind"));
  const resource = readResource(request.get("resource"));
  const isConverted = isJsonObject(request.get("requestKind"));
  return {
    operation: textField(request, "operation"),
    kind: isConverted ? readKind(request.get("requestKind")) : objectKind,
    resource: isJsonObject(request.get("requestResource")) ? readResource(request.get("requestResource")) : resource,
    subResource: textField(request, "requestSubResource") || textField(request, "subResource"),
    name: textField(request, "name"),
    namespace: textField(request, "namespace"),
    object: objectOrNull(request.get("object")),
    oldObject: objectOrNull(request.get("oldObject")),
    ...isConverted && { objectKind },
    options: objectOrNull(request.get("options")),
    dryRun: request.get("dryRun") === true,
    userInfo: readUserInfo(objectOrEmpty(request.get("userInfo")))
  };
}
function wrongField(request) {
  const operation = textField(request, "operation");
  if (!OPERATIONS2.includes(operation)) {
    return `\`request.operation\` is \`${operation}\`: expected one of ${OPERATIONS2.join(", ")}`;
  }
  const required = [
    ["kind", "kind"],
    ["kind", "version"],
    ["resource", "resource"],
    ["resource", "version"]
  ];
  for (const [field, part] of required) {
    if (textField(objectOrEmpty(request.get(field)), part) === "") return `\`request.${field}.${part}\` is missing`;
  }
  for (const field of ["object", "oldObject", "options", "userInfo"]) {
    const value = request.get(field) ?? null;
    if (value !== null && !isJsonObject(value)) return `\`request.${field}\` is ${describe3(value)}: expected an object`;
  }
  return void 0;
}
function readKind(value) {
  const fields = objectOrEmpty(value);
  return {
    group: textField(fields, "group"),
    version: textField(fields, "version"),
    kind: textField(fields, "kind")
  };
}
function readResource(value) {
  const fields = objectOrEmpty(value);
  return {
    group: textField(fields, "group"),
    version: textField(fields, "version"),
    resource: textField(fields, "resource")
  };
}
function readUserInfo(user2) {
  const extra = [...objectOrEmpty(user2.get("extra"))].map(([key, values]) => [
    key,
    textItems(values)
  ]);
  return {
    username: textField(user2, "username"),
    uid: textField(user2, "uid"),
    groups: textItems(user2.get("groups")),
    extra: new Map(extra)
  };
}
function objectOrNull(value) {
  return isJsonObject(value) ? value : null;
}
function describe3(value) {
  if (isJsonArray(value)) return "a list";
  if (typeof value === "string") return "a string";
  return typeof value === "boolean" ? "a boolean" : "a number";
}

// src/pipeline/answer-review.ts
var Reviewer = class {
  #loaded;
  #converter;
  constructor({ resources, kubernetesVersion }) {
    const converter = typedConverter({ kubernetesVersion, facts: resources });
    this.#converter = converter;
    const cluster = new RepositoryCluster({
      version: kubernetesVersion,
      builtin: new BuiltinResources(kubernetesVersion.minor),
      resources,
      stored: (resource, mapping) => converter.convert(resource, mapping, requestNamespace(resource, mapping, "default")).object,
      defaultNamespace: "default",
      isComplete: true,
      // Each review is bounded by the server's own limits; how many are asked is nobody's business.
      work: new RunBudget(Number.POSITIVE_INFINITY)
    });
    this.#loaded = LANGUAGES.map((language) => language.load(resources.filter(language.accepts), cluster));
  }
  /** What is wrong with the policies themselves. */
  get diagnostics() {
    return this.#loaded.flatMap(({ diagnostics }) => diagnostics);
  }
  /** Number of policies that a binding puts into effect. */
  get boundPolicies() {
    return this.#loaded.flatMap(({ policies }) => policies).filter(({ bindings }) => bindings > 0).length;
  }
  /** `withDecisions` adds `decisions`, every one that was made, beside `response`. */
  answer(value, withDecisions) {
    const review = readAdmissionReview(value);
    if ("error" in review) return review;
    const decisions = [];
    const record = (decision) => void decisions.push(decisionObject(decision));
    const { request, outcomes: mutations, unknowns: unsettled } = this.#mutated(review.request);
    const isRefused = [...mutations.values()].some(({ denial }) => denial !== void 0);
    const outcomes = this.#loaded.map((policies) => {
      const mutation2 = mutations.get(policies);
      if (isRefused || mutation2 !== void 0 && policies.mutation?.isFollowedByEvaluation !== true) {
        return mutation2 ?? UNASKED;
      }
      const judged = policies.evaluate(request, withDecisions ? record : void 0);
      return mutation2 === void 0 ? judged : joinedOutcome(mutation2, judged);
    });
    const patch = isRefused ? [] : patchSteps(editsBetween(review.request.object, request.object));
    const fields = /* @__PURE__ */ new Map([
      ["kind", "AdmissionReview"],
      ["apiVersion", "admission.k8s.io/v1"],
      ["response", responseObject(review.uid, outcomes, patch)]
    ]);
    if (withDecisions) fields.set("decisions", decisions);
    const undecided = outcomes.flatMap(({ evaluations }) => evaluations.filter(({ result }) => result === "unknown"));
    const unknowns = /* @__PURE__ */ new Set([
      ...unsettled,
      ...undecided.flatMap(({ policy, missing }) => missing.map((text2) => `${policy.name}: ${text2}`))
    ]);
    return { review: fields, unknowns: [...unknowns] };
  }
  /** The request with the object as mutating policies leave it, as those after them see it. */
  #mutated(asked) {
    const outcomes = /* @__PURE__ */ new Map();
    const stage = {
      patchTarget: (kind) => this.#converter.patchTarget(kind),
      // What other plugins of the server would do again is done by the server that asks.
      admitAgain: (again) => again
    };
    let request = asked;
    for (const policies of this.#loaded) {
      if (request.object === null || policies.mutation?.concerns(request) !== true) continue;
      const { object: object2, outcome } = policies.mutation.mutate(request, stage);
      outcomes.set(policies, outcome);
      if (outcome.denial !== void 0) break;
      request = { ...request, object: object2 };
    }
    return { request, outcomes, unknowns: [...outcomes.values()].flatMap(({ unknowns }) => unknowns) };
  }
};
function responseObject(uid, outcomes, patch) {
  const denial = outcomes.find((outcome) => outcome.denial !== void 0)?.denial;
  const warnings = outcomes.flatMap((outcome) => outcome.warnings);
  const auditAnnotations = new Map(outcomes.flatMap((outcome) => [...outcome.auditAnnotations]));
  const fields = /* @__PURE__ */ new Map([
    ["uid", uid],
    ["allowed", denial === void 0]
  ]);
  if (denial !== void 0) fields.set("status", statusObject(denial));
  if (patch.length > 0 && denial === void 0) {
    const steps = patch.map(({ op, path: path3, value }) => {
      const step = /* @__PURE__ */ new Map([
        ["op", op],
        ["path", path3]
      ]);
      return value === void 0 ? step : step.set("value", value);
    });
    fields.set("patch", base64(stringifyJson(steps, { sortKeys: false, escapeHtml: true })));
    fields.set("patchType", "JSONPatch");
  }
  if (auditAnnotations.size > 0) {
    fields.set("auditAnnotations", new Map([...auditAnnotations].sort(([a], [b]) => compareUtf8(a, b))));
  }
  if (warnings.length > 0) fields.set("warnings", warnings);
  return fields;
}
function base64(text2) {
  return btoa(new TextEncoder().encode(text2).reduce((bytes, byte) => bytes + String.fromCharCode(byte), ""));
}
function statusObject({ message, reason: reason2, code, details }) {
  const shown2 = /* @__PURE__ */ new Map();
  if (details.name !== "") shown2.set("name", details.name);
  if (details.group !== "") shown2.set("group", details.group);
  shown2.set("kind", details.kind);
  shown2.set("causes", [/* @__PURE__ */ new Map([["message", details.cause]])]);
  return /* @__PURE__ */ new Map([
    ["metadata", /* @__PURE__ */ new Map()],
    ["status", "Failure"],
    ["message", message],
    ["reason", reason2],
    ["details", shown2],
    ["code", BigInt(code)]
  ]);
}
function decisionObject(decision) {
  const { policy, binding, param, index, action, evaluation, reason: reason2, message } = decision;
  return /* @__PURE__ */ new Map([
    ["policy", policy.name],
    ["binding", binding?.name ?? null],
    ["param", param === void 0 ? null : paramObject(param)],
    ["index", BigInt(index)],
    ["action", action],
    ["evaluation", evaluation],
    ["reason", reason2],
    ["message", message]
  ]);
}
function paramObject(param) {
  return new Map([
    ["apiVersion", param.apiVersion],
    ["kind", param.gvk.kind],
    ...param.namespace === "" ? [] : [["namespace", param.namespace]],
    ["name", param.name]
  ]);
}

// src/source/json-stream.ts
var MAX_LENGTH = 64 * 1024 * 1024;
var MAX_DEPTH = 1e3;
var EAGER_LENGTH = 256 * 1024;
var JsonStream = class {
  #text = "";
  /** Line the text at hand begins with. */
  #line = 1;
  /** Length of the text when it was last found incomplete. */
  #triedAt = 0;
  /** What follows a broken value and is passed over, up to the first text that ends it. */
  #skipTo = void 0;
  /** The values that are complete now. */
  push(chunk) {
    this.#text += chunk;
    if (this.#text.length > EAGER_LENGTH && this.#text.length < 2 * this.#triedAt) return [];
    return this.#read(false);
  }
  end() {
    return this.#read(true);
  }
  #read(isEnd) {
    const items = [];
    for (let item = this.#next(isEnd); item !== void 0; item = this.#next(isEnd)) items.push(item);
    this.#triedAt = this.#text.length;
    return items;
  }
  /** Undefined if there is no complete value at hand. */
  #next(isEnd) {
    if (!this.#skip()) return void 0;
    const text2 = this.#text;
    const start = skipWhiteSpace(text2);
    if (start === text2.length) return void 0;
    const read = readJsonValue(text2, start, false);
    const line = this.#line + linesBetween(text2, 0, start);
    if ("root" in read) {
      if (read.end === text2.length && !isEnd && !/["\]}]$/.test(text2)) return void 0;
      this.#drop(read.end);
      return { line, ...decoded(read.root) };
    }
    const problem = "problem" in read ? read.problem : unfinished(text2);
    if (problem.isUnfinished === true && !isEnd && text2.length - start < MAX_LENGTH) return void 0;
    const isOnFirstLine = linesBetween(text2, start, problem.start) === 0;
    this.#skipTo = isOnFirstLine ? "\n" : "\n{";
    this.#drop(start);
    return { line: line + linesBetween(text2, start, problem.start), problem: problem.message };
  }
  /** False while what is to be passed over has not ended. */
  #skip() {
    if (this.#skipTo === void 0) return true;
    const found2 = this.#text.indexOf(this.#skipTo);
    if (found2 < 0) {
      this.#drop(this.#text.endsWith("\n") ? this.#text.length - 1 : this.#text.length);
      return false;
    }
    this.#skipTo = void 0;
    this.#drop(found2 + 1);
    return true;
  }
  #drop(end) {
    this.#line += linesBetween(this.#text, 0, end);
    this.#text = this.#text.slice(end);
  }
};
function decoded(root) {
  const result = decodeJson(root);
  if ("problem" in result) return { problem: result.problem.message };
  return result.depth > MAX_DEPTH ? { problem: "nested too deeply" } : { value: result.value };
}
function skipWhiteSpace(text2) {
  let position = 0;
  while (position < text2.length && " 	\r\n\uFEFF".includes(text2[position])) position++;
  return position;
}
function linesBetween(text2, from, to) {
  let lines = 0;
  for (let at3 = text2.indexOf("\n", from); at3 >= 0 && at3 < to; at3 = text2.indexOf("\n", at3 + 1)) lines++;
  return lines;
}

// src/door/review-command.ts
async function reviewCommand(args, terminal) {
  const parsed = parseArguments(args, REVIEW_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { paths, flags, lists, texts } = parsed.arguments;
  if (paths.length > 0) return usageError([`unexpected \`${paths[0]}\`: requests come on standard input`], terminal);
  const policies = lists.get("policies");
  if (policies === void 0) return usageError(["`--policies <path>` is needed: the policies to ask"], terminal);
  const version = askedVersion(texts.get("kubernetes-version"));
  const say = (text2) => terminal.err(`preadmit: ${sanitizeLine(text2)}
`);
  const sources = [...policies, ...lists.get("resources") ?? []];
  const discoveries = await Promise.all(sources.map((path3) => discoverPath(resolve5(terminal.directory, path3))));
  const resources = withoutRepeats(discoveries).flatMap((discovery) => readResources(discovery, say));
  const reviewer = new Reviewer({ resources, kubernetesVersion: version });
  for (const { primary, severity, message } of reviewer.diagnostics) {
    const line = primary?.file.positionAt(primary.range.start).line;
    say(`${primary === void 0 ? "" : `${primary.file.path}:${line}: `}${severity}: ${message}`);
  }
  if (reviewer.boundPolicies === 0) {
    say("no admission policy with a binding among the files");
    return EXIT.nothingChecked;
  }
  return answerAll(terminal, reviewer, flags.has("decisions"), say);
}
function discoverPath(path3) {
  const isFolder2 = statSync3(path3, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder2 ? discover({ directory: path3 }) : discover({ directory: dirname2(path3), paths: [basename(path3)] });
}
function withoutRepeats(discoveries) {
  const seen = /* @__PURE__ */ new Set();
  return discoveries.map((discovery) => ({
    ...discovery,
    files: discovery.files.filter(({ file }) => {
      const path3 = resolve5(discovery.root, file.path);
      const isNew = !seen.has(path3);
      seen.add(path3);
      return isNew;
    })
  }));
}
function readResources(discovery, say) {
  const { resources, skipped } = readRepository({ ...discovery, configuration: defaultConfiguration() }, UNOBSERVED);
  for (const { path: path3, line, reason: reason2 } of skipped) {
    if (reason2 === "empty-document") continue;
    say(`${path3}${line === void 0 ? "" : `:${line}`}: not read: ${reason2}`);
  }
  return resources.filter(({ selected }) => selected).map(({ resource }) => resource);
}
async function answerAll(terminal, reviewer, withDecisions, say) {
  const stream = new JsonStream();
  let status = EXIT.allowed;
  const answer = (item) => {
    const answered = "problem" in item ? { error: item.problem } : reviewer.answer(item.value, withDecisions);
    const complain = (text2) => {
      say(`standard input:${item.line}: ${text2}`);
      status = EXIT.usage;
    };
    if ("error" in answered) {
      complain(answered.error);
      return;
    }
    terminal.out(`${stringifyJson(answered.review, { sortKeys: false, escapeHtml: false })}
`);
    for (const unknown of answered.unknowns) complain(`undecided: ${unknown}`);
  };
  for await (const chunk of terminal.input()) for (const item of stream.push(chunk)) answer(item);
  for (const item of stream.end()) answer(item);
  return status;
}

// src/door/test-command.ts
import { statSync as statSync5 } from "node:fs";
import { realpath as realpath4, stat } from "node:fs/promises";
import { basename as basename2, dirname as dirname3, join as join4, relative as relative2, resolve as resolve6, sep as sep2 } from "node:path";

// src/kubernetes/cel/observed-values.ts
var MAX_PARTS = 200;
var MAX_TEXT_LENGTH = 200;
var MAX_VALUE_LENGTH2 = 80;
function observedValue(observed, variable) {
  const reader = new TraceReader(variable);
  const [whole] = reader.parts(observed.trace, new PlacedNodes(observed), /* @__PURE__ */ new Set());
  return whole ?? { text: oneLine(observed.expression), ...shown(observed.trace.value), parts: [] };
}
var PlacedNodes = class {
  #characters;
  #byId = /* @__PURE__ */ new Map();
  constructor({ expression, ast }) {
    this.#characters = [...expression];
    visitPostOrder(ast.expr, (node) => this.#byId.set(node.id, node));
  }
  node(id) {
    return this.#byId.get(id);
  }
  textOf(node) {
    return oneLine(this.#characters.slice(node.start, node.end).join(""));
  }
};
var TraceReader = class {
  #variable;
  #told = /* @__PURE__ */ new Set();
  #left = MAX_PARTS;
  constructor(variable) {
    this.#variable = variable;
  }
  /**
   * `around`: texts that it is a part of. What macros are expanded to is written nowhere: its parts stand for it. A field stands for the
   * fields on its way.
   */
  parts(event, nodes, around) {
    const node = nodes.node(event.nodeId);
    const inner = (within) => [
      ...this.#ofVariable(event),
      ...event.children.flatMap((child) => this.parts(child, nodes, within))
    ];
    if (event.element !== void 0) {
      if (this.#left-- <= 0) return [];
      const { key, value } = event.element;
      return [{ text: `[${shown(key).value}] ${shown(value).value}`, ...shown(event.value), parts: inner(around) }];
    }
    if (node === void 0 || node.kind === "literal" || node.kind === "ident") return inner(around);
    const text2 = nodes.textOf(node);
    if (text2 === "" || around.has(text2)) return inner(around);
    if (this.#left-- <= 0) return [];
    const isField = node.kind === "select" && !node.testOnly;
    const parts = isField ? this.#beyondFields(event, nodes) : inner(/* @__PURE__ */ new Set([...around, text2]));
    return [{ text: text2, ...shown(event.value), parts }];
  }
  /** What a chain of fields begins with, where that is more than a name; and the variables in it. */
  #beyondFields(event, nodes) {
    const own = this.#ofVariable(event);
    const operands = event.children.flatMap((child) => {
      const kind = nodes.node(child.nodeId)?.kind;
      return kind === "select" || kind === "ident" ? this.#beyondFields(child, nodes) : this.parts(child, nodes, /* @__PURE__ */ new Set());
    });
    return [...own, ...operands];
  }
  #ofVariable({ variable }) {
    if (variable === void 0 || this.#told.has(variable.name)) return [];
    const text2 = this.#variable(variable.name);
    if (text2 === void 0) return [];
    this.#told.add(variable.name);
    return this.parts(variable.event, new PlacedNodes(text2), /* @__PURE__ */ new Set());
  }
};
function oneLine(text2) {
  const line = text2.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}
function shown(value) {
  if (value instanceof ErrorValue) return { value: `error: ${oneLine(value.message)}`, isError: true };
  const text2 = writeValue(value, MAX_VALUE_LENGTH2);
  return { value: text2.length > MAX_VALUE_LENGTH2 ? `${text2.slice(0, MAX_VALUE_LENGTH2)}…` : text2, isError: false };
}
function writeValue(value, room) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, room + 1));
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return writeItems("[", value.values(), "]", room, (item) => writeValue(item, room));
  if (isMap(value)) {
    const entry = ([key, item]) => `${writeValue(key, room)}: ${writeValue(item, room)}`;
    return writeItems("{", value.entries(), "}", room, entry);
  }
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Optional)
    return value.value === void 0 ? "optional.none()" : `optional.of(${writeValue(value.value, room)})`;
  if (value instanceof TypeValue) return String(value.type);
  if (value instanceof Bytes || value instanceof Duration || value instanceof Timestamp || value instanceof OpaqueValue) {
    return scalarText(tagValue(value));
  }
  return "…";
}
function writeItems(open, items, close, room, write4) {
  let text2 = open;
  for (const item of items) {
    if (text2.length > room) return `${text2}…`;
    text2 += `${text2 === open ? "" : ", "}${write4(item)}`;
  }
  return text2 + close;
}
function scalarText(tagged) {
  const [text2] = Object.values(tagged);
  return String(text2);
}

// src/report/explanation.ts
var EXPLANATION_SCHEMA_VERSION = 1;
function explainedPolicy({ policy, result, steps }) {
  const { kind, name, resource } = policy;
  const place = linesOf(resource.locate(["metadata", "name"], "value"));
  return { kind, name, place, result, steps: steps.map(explainedStep) };
}
function byHardness(policies) {
  const order = ["fails", "error", "unknown", "passes", "stops"];
  return policies.toSorted((one2, other) => order.indexOf(one2.result) - order.indexOf(other.result));
}
function explainedStep({ result, says, by, observed, steps }) {
  return {
    result,
    says,
    ...by && { place: linesOf(by.resource.locate(by.field, "value")) },
    ...observed && { cost: observed.cost, value: observedValue(observed, (name) => observed.variable(name)) },
    ...steps && { steps: steps.map(explainedStep) }
  };
}
function linesOf(location) {
  const { excerpt: _, ...place } = placeOf(location);
  return place;
}

// src/pipeline/test-evaluator.ts
function testEvaluator({ policies, resources, kubernetesVersion, user: user2 }) {
  const { targets } = resolveConfiguration({ kubernetesVersion, ...user2 && { user: user2 } });
  const configured = targets[0];
  const facts = [...policies, ...resources];
  const target = { ...serverOf(configured), manifests: [], policies: facts, facts, isComplete: true };
  return new TargetEvaluator(target, languagesOf(configured), typedConverter(target), UNOBSERVED);
}
function resourcesIn(file) {
  const found2 = readManifests(file).manifests.flatMap(resourcesOf);
  return found2.flatMap((result) => "resource" in result ? [result.resource] : []);
}
function outcomeOf(evaluator, change) {
  const { evaluated, unevaluated, diagnostics } = evaluator.evaluate(change);
  const lists = {
    denied: [],
    warned: [],
    audited: [],
    undecided: []
  };
  const refusals = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  if (evaluated === void 0 && unevaluated.reason === "exempt-kind" && refusals.length === 0) {
    return { ...lists, refused: void 0, object: change.operation === "DELETE" ? null : change.resource.value };
  }
  if (evaluated === void 0 || refusals.length > 0) {
    return { ...lists, refused: refusals.join("; ") || unevaluated?.detail || "it is not evaluated", object: null };
  }
  for (const evaluation of evaluated.outcomes.flatMap(({ evaluations }) => evaluations)) {
    const list = listOf(evaluation);
    if (list !== void 0) lists[list].push(failureOf(evaluation));
  }
  return {
    ...lists,
    refused: void 0,
    object: evaluated.request.object
  };
}
function listOf({
  result,
  action,
  validationActions
}) {
  if (result === "unknown") return "undecided";
  if (action === "admit") return void 0;
  if (validationActions.includes("Deny")) return "denied";
  return validationActions.includes("Warn") ? "warned" : "audited";
}
function failureOf({ policy, rule, message }) {
  return { policy: policy.name, rule: ruleName({ rule: { field: formatFieldPath(rule) } }), message };
}

// src/pipeline/suite/suite-tester.ts
var SuiteTester = class {
  input;
  constructor(input) {
    this.input = input;
  }
  /** Nothing where nobody wants to know. */
  test(name, place, run) {
    const start = this.input.now();
    const verdict = run();
    const time = (this.input.now() - start) / 1e3;
    if (!this.input.isWanted(name)) return [];
    return [
      "notRun" in verdict ? { name, place, time, differences: [], notRun: verdict.notRun } : { name, place, time, differences: verdict }
    ];
  }
  place(manifest, path3, part = "entry") {
    return linesOf(manifest.place(manifest.deepestPath(path3), part));
  }
  /** Of files and folders; a path that leads to nothing is in `missing`. */
  objects(paths) {
    const missing = [];
    const found2 = paths.flatMap((path3) => {
      const files = isAddress(path3) ? void 0 : this.input.read(path3);
      if (files === void 0) missing.push(path3);
      return (files ?? []).flatMap((file) => file.derived(resourcesIn));
    });
    return { found: found2, missing };
  }
  /** Objects of the files in the suite's own folder, those in folders below it left out. */
  beside() {
    const folder = folderOf(this.input.file.path);
    const files = (this.input.read(".") ?? []).filter(({ path: path3 }) => folderOf(path3) === folder);
    return files.flatMap((file) => file.derived(resourcesIn));
  }
  /** An object that stands in the suite itself, or that the suite's tool makes. */
  inline(value) {
    return this.plain(stringifyJson(value, { sortKeys: false, escapeHtml: false }));
  }
  /** From a text of JSON. */
  plain(text2) {
    return resourcesIn(new SourceFile(this.input.file.path, text2));
  }
  judge({ policies, resources, change, user: user2 }) {
    const { kubernetesVersion } = this.input;
    const evaluator = testEvaluator({ policies, resources, kubernetesVersion, ...user2 && { user: user2 } });
    const outcome = outcomeOf(evaluator, change);
    const known = new Set(evaluator.policies.map(({ identity }) => identity.name));
    const explain = (policy) => evaluator.explain(change).policies.find((explanation) => explanation.policy.name === policy);
    return {
      ...outcome,
      failures: [...outcome.denied, ...outcome.warned, ...outcome.audited],
      resultOf: (policy) => known.has(policy) ? explain(policy)?.result ?? "stops" : void 0,
      why: (policy) => {
        const explanation = explain(policy);
        return explanation === void 0 ? { policy } : { policy, why: explainedPolicy(explanation) };
      }
    };
  }
};
function isAddress(path3) {
  return /^(?:[a-z][a-z+.-]*:\/\/|git@)/i.test(path3);
}
function madeUpBinding(policy, param) {
  return JSON.stringify({
    apiVersion: policy.apiVersion,
    kind: `${policy.gvk.kind}Binding`,
    metadata: { name: `${policy.name}.test` },
    spec: {
      policyName: policy.name,
      ...policy.gvk.kind.startsWith("Validating") && { validationActions: ["Deny"] },
      ...param && {
        paramRef: {
          name: param.name,
          ...param.namespace !== "" && { namespace: param.namespace },
          parameterNotFoundAction: "Deny"
        }
      }
    }
  });
}
function toldFailure({ policy, rule, message }) {
  return `${policy} ${rule}: ${message}`;
}

// src/pipeline/suite/chainsaw.ts
function isChainsawTest(document) {
  return textField(document, "kind") === "Test" && textField(document, "apiVersion").startsWith("chainsaw.kyverno.io/");
}
function runChainsawTest(tester, manifest) {
  return new ChainsawRun(tester, manifest).tests();
}
var CHANGES = ["apply", "create", "update", "delete"];
var HARMLESS = ["assert", "error", "wait"];
var IDLE = ["sleep", "describe", "events", "get", "podLogs"];
var NAMESPACE = "chainsaw";
var POLICIES = /Policy(?:Binding|Exception)?$/;
var ChainsawRun = class {
  #tester;
  #manifest;
  #spec;
  /** By kind, namespace and name: what the cluster holds. */
  #held = /* @__PURE__ */ new Map();
  /** Why nobody can tell what the cluster holds from some operation on. */
  #lost;
  constructor(tester, manifest) {
    this.#tester = tester;
    this.#manifest = manifest;
    this.#spec = objectOrEmpty(objectOrEmpty(manifest.value).get("spec"));
  }
  tests() {
    const bindings = extended(/* @__PURE__ */ new Map([["namespace", this.#namespace]]), this.#spec.get("bindings"));
    const [namespace] = this.#tester.plain(
      JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: this.#namespace } })
    );
    if (namespace !== void 0) this.#held.set(this.#keyOf(namespace), namespace);
    return objectItems(this.#spec.get("steps")).flatMap((step, stepIndex) => {
      const ofStep = extended(bindings, step.get("bindings"));
      const name = textField(step, "name") || `step ${stepIndex + 1}`;
      return objectItems(step.get("try")).flatMap((operation, index) => {
        const at3 = ["spec", "steps", stepIndex, "try", index];
        return this.#operation(`${this.#name}: ${name}`, operation, at3, ofStep);
      });
    });
  }
  get #name() {
    return textField(objectOrEmpty(objectOrEmpty(this.#manifest.value).get("metadata")), "name");
  }
  get #namespace() {
    return textField(this.#spec, "namespace") || NAMESPACE;
  }
  #operation(step, operation, at3, bindings) {
    const [verb] = [...operation.keys()].filter((key) => isJsonObject(operation.get(key) ?? null));
    const place = this.#tester.place(this.#manifest, at3);
    const unrun2 = (name2, notRun) => this.#tester.test(name2, place, () => ({ notRun }));
    if (verb === void 0) return unrun2(step, "it is no operation that is known here");
    if (IDLE.includes(verb)) return [];
    if (!CHANGES.includes(verb)) {
      if (!HARMLESS.includes(verb)) this.#lost ??= `\`${verb}\` before it may have changed the cluster`;
      return unrun2(`${step} › ${verb}`, `\`${verb}\` asks a cluster`);
    }
    const body = objectOrEmpty(operation.get(verb));
    const path3 = textField(body, "file");
    const name = `${step} › ${verb}${path3 === "" ? "" : ` ${path3}`}`;
    if (this.#lost !== void 0) return unrun2(name, this.#lost);
    const given = this.#given(verb, body, path3, extended(bindings, body.get("bindings")));
    if ("notRun" in given) {
      this.#lost = `an operation before it could not be run: ${given.notRun}`;
      return unrun2(name, given.notRun);
    }
    if (given.objects.length === 0) {
      return this.#tester.test(name, place, () => [{ message: `\`${path3}\` is not there, or holds no object` }]);
    }
    return given.objects.flatMap((resource) => {
      const label = given.objects.length === 1 ? name : `${name} ${resource.gvk.kind}/${resource.name}`;
      return this.#tester.test(label, place, () => this.#change(verb, body, resource));
    });
  }
  #given(verb, body, path3, bindings) {
    if (isAddress(path3)) return { notRun: `\`${path3}\` is on the network` };
    if (verb === "delete") {
      const reference = objectField(body, "ref");
      if (reference === void 0) return { notRun: "what a file says is to be deleted is not followed" };
      const metadata = new Map([
        ["name", reference.get("name") ?? ""],
        ...reference.has("namespace") ? [["namespace", reference.get("namespace")]] : []
      ]);
      const named = this.#tester.inline(new Map([...reference, ["metadata", metadata]]));
      return { objects: named.map((each) => this.#held.get(this.#keyOf(each)) ?? each) };
    }
    const inline = objectField(body, "resource");
    const written = inline === void 0 ? this.#tester.objects([path3]).found : this.#tester.inline(inline);
    const objects = [];
    for (const resource of written) {
      const value = body.get("template") === false ? resource.value : templated(resource.value, bindings);
      if (value === void 0) return { notRun: "it holds a JMESPath expression that only chainsaw evaluates" };
      const [placed] = this.#tester.inline(this.#inNamespace(resource, objectOrEmpty(value)));
      if (placed !== void 0) objects.push(placed);
    }
    return { objects };
  }
  /** Chainsaw puts objects without a namespace into the test's. */
  #inNamespace({ gvk, namespace }, value) {
    if (namespace !== "" || gvk.kind === "Namespace" || gvk.kind === "CustomResourceDefinition") return value;
    if (/^Cluster|AdmissionPolicy|^(?:Validating|Mutating|Generating|Deleting|ImageValidating)Policy$/.test(gvk.kind)) {
      return value;
    }
    return new Map(value).set(
      "metadata",
      new Map(objectOrEmpty(value.get("metadata"))).set("namespace", this.#namespace)
    );
  }
  #change(verb, body, resource) {
    const key = this.#keyOf(resource);
    const old = this.#held.get(key);
    if (verb === "delete" && old === void 0) return { notRun: "who made the object is not in the test" };
    if (verb === "create" && old !== void 0) return [{ message: "the object is there already" }];
    const expectation2 = expectedError(body, resource);
    if (expectation2 === void 0) return { notRun: "its `expect` asks for more than whether there is an error" };
    const change = verb === "delete" ? { operation: "DELETE", resource } : old === void 0 ? { operation: "CREATE", resource } : { operation: "UPDATE", resource, old };
    const held = [...this.#held.values()];
    const policies = held.filter(({ gvk }) => POLICIES.test(gvk.kind));
    const resources = held.filter((each) => !policies.includes(each));
    const { refused, denied, undecided } = this.#tester.judge({ policies, resources, change });
    const [unsure] = undecided;
    if (unsure !== void 0 && denied.length === 0) {
      this.#lost = "whether an operation before it succeeds cannot be decided without a cluster";
      return { notRun: `${unsure.policy} cannot be decided without a cluster: ${unsure.message}` };
    }
    const errors = refused === void 0 ? denied.map(toldFailure) : [refused];
    if (errors.length === 0 && verb === "delete") this.#held.delete(key);
    else if (errors.length === 0) this.#held.set(key, resource);
    if (expectation2.isError === errors.length > 0) return [];
    return expectation2.isError ? [{ message: "there is no error, though one is expected" }] : [{ message: "there is an error, though none is expected", actual: errors.join("\n") }];
  }
  #keyOf({ gvk, namespace, name }) {
    return JSON.stringify([gvk.group, gvk.kind, namespace, name]);
  }
};
function extended(bindings, written) {
  const result = new Map(bindings);
  for (const each of objectItems(written)) {
    const value = templated(each.get("value") ?? null, result);
    if (value === void 0) result.delete(textField(each, "name"));
    else result.set(textField(each, "name"), value);
  }
  return result;
}
function templated(value, bindings) {
  if (typeof value === "string") {
    if (!/^\(.*\)$/s.test(value)) return value;
    const [, name = ""] = /^\(\s*\$(\w+)\s*\)$/.exec(value) ?? [];
    return bindings.get(name);
  }
  if (isJsonArray(value)) {
    const items = value.map((item) => templated(item, bindings));
    return items.includes(void 0) ? void 0 : items;
  }
  if (!isJsonObject(value)) return value;
  const fields = [...value].map(([key, item]) => [key, templated(item, bindings)]);
  return fields.some(([, item]) => item === void 0) ? void 0 : new Map(fields);
}
function expectedError(body, { gvk, name }) {
  const meant = objectItems(body.get("expect")).filter((each) => {
    const match = objectOrEmpty(each.get("match"));
    const metadata = objectOrEmpty(match.get("metadata"));
    return ![...match.keys()].some((key) => !["kind", "apiVersion", "metadata"].includes(key)) && (!match.has("kind") || textField(match, "kind") === gvk.kind) && (!metadata.has("name") || textField(metadata, "name") === name);
  });
  let isError = false;
  for (const each of meant) {
    for (const [key, wanted] of objectOrEmpty(each.get("check"))) {
      const compared = /^\(\s*\$error\s*(!=|==)\s*null\s*\)$/.exec(key);
      if (compared === null || typeof wanted !== "boolean") return void 0;
      isError = compared[1] === "!=" === wanted;
    }
  }
  return { isError };
}

// src/pipeline/suite/gator.ts
function isGatorSuite(document) {
  return textField(document, "kind") === "Suite" && textField(document, "apiVersion").startsWith("test.gatekeeper.sh/");
}
function runGatorSuite(tester, manifest) {
  return objectItems(objectOrEmpty(manifest.value).get("tests")).flatMap(
    (test2, testIndex) => objectItems(test2.get("cases")).flatMap((each, index) => {
      const place = tester.place(manifest, ["tests", testIndex, "cases", index]);
      const name = `${textField(test2, "name")}: ${textField(each, "name")}`;
      return tester.test(name, place, () => ({ notRun: reason(tester, textField(test2, "template")) }));
    })
  );
}
function reason(tester, path3) {
  const template = tester.objects([path3]).found.find(({ gvk }) => gvk.kind === "ConstraintTemplate");
  if (template === void 0) return `the ConstraintTemplate \`${path3}\` is not there`;
  const targets = objectItems(objectOrEmpty(template.value.get("spec")).get("targets"));
  const engines = targets.flatMap((target) => objectItems(target.get("code")).map((code) => textField(code, "engine")));
  return engines.includes("K8sNativeValidation") ? `the ConstraintTemplate ${template.name} becomes a policy of the API server only inside of Gatekeeper` : `the ConstraintTemplate ${template.name} is written in Rego, which is not evaluated here`;
}

// src/pipeline/suite/kaptest.ts
var SUITES = ["vapTestSuites", "testSuites", "mapTestSuites"];
function isKaptest(document) {
  const policies = document.get("policies") ?? document.get("validatingAdmissionPolicies") ?? null;
  return isJsonArray(policies) && SUITES.some((field) => isJsonArray(document.get(field) ?? null));
}
function runKaptest(tester, manifest) {
  const document = objectOrEmpty(manifest.value);
  const paths = ["policies", "validatingAdmissionPolicies", "resources", "crds"].flatMap(
    (field) => textItems(document.get(field))
  );
  const { found: found2, missing } = tester.objects(paths);
  const away = missing.find(isAddress);
  return SUITES.flatMap(
    (field) => objectItems(document.get(field)).flatMap(
      (suite, suiteIndex) => objectItems(suite.get("tests")).flatMap((test2, index) => {
        const policy = textField(suite, "policy");
        const place = tester.place(manifest, [field, suiteIndex, "tests", index]);
        return tester.test(nameOf(policy, test2), place, () => {
          if (away !== void 0) return { notRun: `\`${away}\` is on the network` };
          if (missing.length > 0) return [{ message: `\`${missing[0]}\` is not there` }];
          return new KaptestCase(tester, found2, test2).verdict(policy, field === "mapTestSuites");
        });
      })
    )
  );
}
function nameOf(policy, test2) {
  const named = objectField(test2, "object") ?? objectField(test2, "oldObject") ?? /* @__PURE__ */ new Map();
  const steps = [textField(named, "kind"), textField(named, "namespace"), textField(named, "name")];
  return `${policy}: ${steps.filter((step) => step !== "").join("/")} ${textField(test2, "expect")}`;
}
var RESULTS = {
  passes: "admit",
  stops: "skip",
  fails: "deny",
  error: "error",
  unknown: "undecided"
};
var KaptestCase = class {
  #tester;
  #found;
  #test;
  constructor(tester, found2, test2) {
    this.#tester = tester;
    this.#found = found2;
    this.#test = test2;
  }
  verdict(name, isMutating) {
    const written = this.#found.find((each) => each.name === name && /AdmissionPolicy$/.test(each.gvk.kind));
    if (written === void 0) return [{ message: `there is no policy \`${name}\` in the files of the suite` }];
    const policy = unconstrained(written);
    const change = this.#change();
    if ("message" in change) return [change];
    const param = this.#param(policy);
    if (param === null) return [{ message: "the `param` is not in the files of the suite" }];
    const binding = this.#tester.plain(madeUpBinding(policy, param));
    const user2 = userOf(objectField(this.#test, "userInfo"));
    const resources = this.#found.filter(({ gvk }) => !/AdmissionPolicy(?:Binding)?$/.test(gvk.kind));
    const judged = this.#tester.judge({ policies: [policy, ...binding], resources, change, ...user2 && { user: user2 } });
    if (judged.refused !== void 0) {
      return [{ message: "the API server refuses the object itself", actual: judged.refused }];
    }
    return isMutating ? this.#mutation(judged, name, resources, change) : this.#validation(judged, name);
  }
  #validation(judged, policy) {
    const expected2 = textField(this.#test, "expect");
    const actual = RESULTS[judged.resultOf(policy) ?? "stops"];
    const messages = judged.failures.map(({ message: message2 }) => message2);
    if (actual !== expected2) {
      const told = [actual, ...messages].join(": ");
      return [{ message: "another result than expected", expected: expected2, actual: told, ...judged.why(policy) }];
    }
    const message = textField(this.#test, "deniedMessage");
    if (message === "" || messages.includes(message) || messages.join(", ") === message) return [];
    return [
      { message: "denied with other words than expected", expected: message, actual: messages.join(", "), policy }
    ];
  }
  #mutation(judged, policy, resources, change) {
    const expected2 = textField(this.#test, "expect");
    const result = judged.resultOf(policy);
    const actual = result === "passes" ? "mutate" : RESULTS[result ?? "stops"];
    if (actual !== expected2) {
      return [{ message: "another result than expected", expected: expected2, actual, ...judged.why(policy) }];
    }
    const named = objectField(this.#test, "expectObject");
    if (expected2 !== "mutate" || named === void 0) return [];
    const wanted = this.#resource(named);
    if (wanted === void 0) return [{ message: "the `expectObject` is not in the files of the suite" }];
    const renamed = this.#test.get("disableNameOverwrite") === true ? wanted.value : withNameOf(wanted, change.resource);
    const [resource] = this.#tester.inline(renamed);
    if (resource === void 0) return [{ message: "the `expectObject` is no object" }];
    const held = this.#tester.judge({ policies: [], resources, change: { operation: "CREATE", resource } }).object;
    const [left, right] = [textOf2(held), textOf2(judged.object)];
    return left === right ? [] : [{ message: "the object is mutated otherwise", expected: left, actual: right, ...judged.why(policy) }];
  }
  #change() {
    const [object2, oldObject] = [objectField(this.#test, "object"), objectField(this.#test, "oldObject")];
    const resource = object2 && this.#resource(object2);
    const old = oldObject && this.#resource(oldObject);
    if (object2 !== void 0 && resource === void 0)
      return { message: "the `object` is not in the files of the suite" };
    if (oldObject !== void 0 && old === void 0) {
      return { message: "the `oldObject` is not in the files of the suite" };
    }
    if (resource === void 0) {
      return old === void 0 ? { message: "the test names no object" } : { operation: "DELETE", resource: old };
    }
    return old === void 0 ? { operation: "CREATE", resource } : { operation: "UPDATE", resource, old };
  }
  #resource(named) {
    const isMeant = (field, value) => !named.has(field) || textField(named, field) === value;
    return this.#found.find(
      ({ gvk, name, namespace }) => isMeant("group", gvk.group) && isMeant("version", gvk.version) && isMeant("kind", gvk.kind) && isMeant("namespace", namespace) && isMeant("name", name)
    );
  }
  /** Undefined: none is asked for; null: it is not there. */
  #param(policy) {
    const named = objectField(this.#test, "param");
    if (named === void 0) return void 0;
    const kind = textField(objectOrEmpty(objectOrEmpty(policy.value.get("spec")).get("paramKind")), "kind");
    return this.#resource(new Map(named).set("kind", kind)) ?? null;
  }
};
function unconstrained({ manifest, rootPath, gvk, value }) {
  const everything = new Map(
    ["apiGroups", "apiVersions", "operations", "resources"].map((field) => [field, ["*"]])
  );
  const constraints = /* @__PURE__ */ new Map([["resourceRules", [everything]]]);
  const spec = new Map(objectOrEmpty(value.get("spec"))).set("matchConstraints", constraints);
  return new Resource(manifest, rootPath, gvk, new Map(value).set("spec", spec));
}
function withNameOf({ value }, { name }) {
  return new Map(value).set("metadata", new Map(objectOrEmpty(value.get("metadata"))).set("name", name));
}
function textOf2(value) {
  return value !== null && isJsonObject(value) ? stringifyJson(value, { sortKeys: true, escapeHtml: false }) : "null";
}
function userOf(info) {
  if (info === void 0) return void 0;
  const username = textField(info, "username") || textField(info, "user") || textField(info, "name");
  return { username, groups: textItems(info.get("groups")) };
}

// src/pipeline/suite/kat.ts
var INPUT = /^(.+)\.(request|object|oldObject|namespaceObject|params|annotations|authorizer|gold)\.ya?ml$/;
var PARTS = ["object", "oldObject", "namespaceObject", "params"];
function isKatFile(path3) {
  return /(?:^|\/)tests\/[^/]+\.(?:request|object|oldObject)\.ya?ml$/.test(path3);
}
function runKat(tester) {
  const policies = tester.beside();
  const cases = /* @__PURE__ */ new Map();
  for (const file of tester.input.read("tests") ?? []) {
    const [, base = "", part = ""] = INPUT.exec(baseName(file.path)) ?? [];
    if (base === "") continue;
    const parts = cases.get(base) ?? /* @__PURE__ */ new Map();
    cases.set(base, parts.set(part, file));
  }
  return [...cases.keys()].sort().flatMap((base) => {
    const parts = cases.get(base);
    const file = parts.get("request") ?? parts.get("object") ?? parts.get("oldObject");
    if (file === void 0) return [];
    const place = linesOf({ file, range: { start: 0, end: 0 } });
    return tester.test(base, place, () => new KatCase(tester, policies, base, parts).verdict());
  });
}
var KatCase = class {
  #tester;
  #policies;
  #base;
  #parts;
  #request;
  constructor(tester, policies, base, parts) {
    this.#tester = tester;
    this.#policies = policies;
    this.#base = base;
    this.#parts = parts;
    this.#request = this.#document("request");
  }
  verdict() {
    const isPolicy = ({ gvk }) => /AdmissionPolicy$/.test(gvk.kind);
    const own = this.#policies.filter(isPolicy);
    const policy = own.find(({ name }) => this.#base.startsWith(`${name}.`)) ?? (own.length === 1 ? own[0] : void 0);
    if (policy === void 0) return [{ message: "no policy beside the folder is meant by the name of the file" }];
    const notRun = this.#reason();
    if (notRun !== void 0) return { notRun };
    const twice = PARTS.find((part) => this.#parts.has(part) && this.#request.has(part));
    if (twice !== void 0) return [{ message: `\`${twice}\` is in the request and in a file of its own` }];
    const change = this.#change();
    if ("message" in change) return [change];
    const [param] = this.#objects("params");
    const bindings = this.#policies.filter(
      ({ gvk, value }) => gvk.kind === `${policy.gvk.kind}Binding` && textField(objectOrEmpty(value.get("spec")), "policyName") === policy.name
    );
    const bound = bindings.length === 0 || param !== void 0 ? this.#tester.plain(madeUpBinding(policy, param)) : bindings;
    const resources = [...this.#objects("params"), ...this.#objects("namespaceObject")];
    const user2 = this.#user();
    const judged = this.#tester.judge({ policies: [policy, ...bound], resources, change, ...user2 && { user: user2 } });
    if (judged.refused !== void 0) {
      return [{ message: "the API server refuses the object itself", actual: judged.refused }];
    }
    return [...this.#judged(judged, policy), ...this.#mutated(judged, policy, change, resources)];
  }
  #reason() {
    if (this.#parts.has("authorizer")) return "answers of an authorizer cannot be given; RBAC objects can";
    if (this.#parts.has("annotations")) return "annotations of the audit log are not compared here";
    if (textField(this.#request, "operation") === "CONNECT") return "CONNECT is no request for an object";
    if (textField(this.#request, "subResource") !== "") return "requests for subresources are not made here";
    return this.#request.has("options") ? "the options of a request cannot be given" : void 0;
  }
  #judged({ failures: failures3, denied, warned, undecided, why }, { name }) {
    const unsure = undecided.map(({ message }) => ({ message: "undecided", actual: message, ...why(name) }));
    if (unsure.length > 0) return unsure;
    const messages = denied.map(({ message }) => message);
    if (/\.deny(?:\.|$)/.test(this.#base)) {
      const expected3 = this.#text("message.txt");
      if (denied.length === 0) return [{ message: "not denied", ...expected3 && { expected: expected3 }, ...why(name) }];
      if (expected3 === void 0 || messages.includes(expected3)) return [];
      return [
        { message: "denied with other words than expected", expected: expected3, actual: messages.join("\n"), ...why(name) }
      ];
    }
    if (denied.length > 0) return [{ message: "denied unexpectedly", actual: messages.join("\n"), ...why(name) }];
    const expected2 = this.#text("warnings.txt");
    const actual = warned.map(({ message }) => message).join("\n");
    if (expected2 !== void 0 && expected2 !== actual) {
      return [{ message: "warned with other words than expected", expected: expected2, actual, ...why(name) }];
    }
    const isNamed2 = /\.(?:warn|audit)(?:\.|$)/.test(this.#base);
    return isNamed2 || failures3.length === 0 ? [] : failures3.map(({ message }) => ({ message: "fails unexpectedly", actual: message, ...why(name) }));
  }
  #mutated(judged, policy, change, resources) {
    if (!policy.gvk.kind.startsWith("Mutating") || change.operation === "DELETE") return [];
    const [gold] = this.#objects("gold");
    const resource = gold ?? change.resource;
    const expected2 = textOf3(
      this.#tester.judge({ policies: [], resources, change: { operation: "CREATE", resource } }).object
    );
    const actual = textOf3(judged.object);
    if (expected2 === actual) return [];
    const message = gold === void 0 ? "the object is mutated, and no file says to what" : "the object is mutated otherwise";
    return [{ message, expected: expected2, actual, ...judged.why(policy.name) }];
  }
  #change() {
    const [[resource], [old]] = [this.#placed("object"), this.#placed("oldObject")];
    if (resource === void 0) {
      return old === void 0 ? { message: "the test has no object" } : { operation: "DELETE", resource: old };
    }
    return old === void 0 ? { operation: "CREATE", resource } : { operation: "UPDATE", resource, old };
  }
  #user() {
    const info = objectField(this.#request, "userInfo");
    return info && { username: textField(info, "username"), groups: textItems(info.get("groups")) };
  }
  #objects(part) {
    const file = this.#parts.get(part);
    const inline = objectField(this.#request, part);
    if (file !== void 0) return this.#tester.objects([`tests/${baseName(file.path)}`]).found;
    return inline === void 0 ? [] : this.#tester.inline(inline);
  }
  /** In the namespace that is told beside it. */
  #placed(part) {
    const told = textField(this.#request, "namespace") || (this.#objects("namespaceObject")[0]?.name ?? "");
    return this.#objects(part).flatMap((resource) => {
      if (told === "" || resource.namespace !== "") return [resource];
      const metadata = new Map(objectOrEmpty(resource.value.get("metadata"))).set("namespace", told);
      return this.#tester.inline(new Map(resource.value).set("metadata", metadata));
    });
  }
  #document(part) {
    const file = this.#parts.get(part);
    return objectOrEmpty(file && readManifests(file).manifests[0]?.value);
  }
  #text(suffix) {
    return this.#tester.input.read(`tests/${this.#base}.${suffix}`)?.[0]?.text.trim();
  }
};
function textOf3(value) {
  return value !== null && isJsonObject(value) ? stringifyJson(value, { sortKeys: true, escapeHtml: false }) : "null";
}

// src/pipeline/suite/language-suite.ts
function runLanguageSuite(tester, manifest, language) {
  const missing = /* @__PURE__ */ new Set();
  const start = tester.input.now();
  const rows = language.run(objectOrEmpty(manifest.value), {
    read: (path3) => {
      const files = isAddress(path3) ? void 0 : tester.input.read(path3);
      if (files === void 0) missing.add(path3);
      return (files ?? []).flatMap(documentsOf);
    },
    seconds: BigInt(Math.floor(tester.input.seconds)),
    asHeld: (object2) => asHeld(tester, object2),
    askServer: (question) => askServer(tester, question)
  });
  const time = (tester.input.now() - start) / 1e3 / Math.max(rows.length, 1);
  const away = [...missing].find(isAddress);
  const [gone] = missing;
  return rows.filter(({ name }) => tester.input.isWanted(name)).map(({ name, at: at3, problem, notRun }) => {
    const place = tester.place(manifest, at3);
    const reason2 = notRun ?? (away && `\`${away}\` is on the network`);
    if (reason2 !== void 0) return { name, place, time, differences: [], notRun: reason2 };
    const absent2 = gone === void 0 ? [] : [{ message: `\`${gone}\`, which the suite names, is not there` }];
    return { name, place, time, differences: problem === void 0 ? absent2 : [problem, ...absent2] };
  });
}
function documentsOf(file) {
  return readManifests(file).manifests.flatMap(({ value }) => {
    const object2 = objectOrEmpty(value);
    if (textField(object2, "kind") === "List") return objectItems(object2.get("items"));
    return object2.size === 0 ? [] : [object2];
  });
}
function asHeld(tester, object2) {
  const [resource] = tester.inline(object2);
  if (resource === void 0) return object2;
  const change = { operation: "CREATE", resource };
  return tester.judge({ policies: [], resources: [], change }).object ?? object2;
}
var STATUS = {
  passes: "pass",
  stops: "skip",
  fails: "fail",
  error: "error",
  unknown: "error"
};
function askServer(tester, { policy, bindings, object: object2, params, context }) {
  const [own] = tester.inline(policy);
  const [resource] = tester.inline(object2);
  if (own === void 0 || resource === void 0)
    return { notRun: "the API server would not read the policy or the object" };
  const bound = bindings.filter((each) => textField(objectOrEmpty(each.get("spec")), "policyName") === own.name);
  const made = bound.length === 0 ? tester.plain(madeUpBinding(own)) : bound.flatMap((each) => tester.inline(each));
  const resources = [...params, ...namespacesOf(context)].flatMap((each) => tester.inline(each));
  const info = objectOrEmpty(objectOrEmpty(context.get("userInfo")).get("userInfo"));
  const username = textField(info, "username");
  const user2 = username === "" ? void 0 : { username, groups: textItems(info.get("groups")) };
  const operation = textField(context, "operation") === "DELETE" ? "DELETE" : "CREATE";
  const change = { operation, resource };
  const judged = tester.judge({ policies: [own, ...made], resources, change, ...user2 && { user: user2 } });
  if (judged.refused !== void 0) return { status: "error", message: judged.refused };
  const result = judged.resultOf(own.name) ?? "stops";
  if (result === "stops") return void 0;
  const message = [...judged.failures, ...judged.undecided].map((failure2) => failure2.message).join("; ");
  return { status: STATUS[result], message, ...judged.object !== null && { patched: judged.object } };
}
function namespacesOf(context) {
  const values = objectOrEmpty(context.get("values"));
  return objectItems(values.get("namespaceSelector")).map(
    (entry) => /* @__PURE__ */ new Map([
      ["apiVersion", "v1"],
      ["kind", "Namespace"],
      [
        "metadata",
        /* @__PURE__ */ new Map([
          ["name", textField(entry, "name")],
          ["labels", objectOrEmpty(entry.get("labels"))]
        ])
      ]
    ])
  );
}

// src/pipeline/suite/pass-and-fail.ts
function runPassAndFail(tester, folder) {
  const policies = tester.beside();
  return tester.objects([folder]).found.flatMap((resource) => {
    const name = `${resource.gvk.kind}${resource.namespace === "" ? "" : `/${resource.namespace}`}/${resource.name}`;
    const place = tester.place(resource.manifest, [...resource.rootPath, "kind"]);
    return tester.test(name, place, () => differences2(tester, policies, resource, folder));
  });
}
function differences2(tester, policies, resource, folder) {
  const { failures: failures3, undecided, refused } = tester.judge({
    policies,
    resources: [],
    change: { operation: "CREATE", resource }
  });
  if (refused !== void 0) return [{ message: "the API server refuses the object itself", actual: refused }];
  const unsure = undecided.map((each) => ({ message: "undecided", actual: toldFailure(each), policy: each.policy }));
  if (unsure.length > 0) return unsure;
  if (folder === "fail") return failures3.length > 0 ? [] : [{ message: "no policy fails on the object" }];
  return failures3.map((failure2) => ({
    message: "a policy fails on the object",
    actual: toldFailure(failure2),
    policy: failure2.policy
  }));
}

// src/pipeline/suite/run-foreign-suite.ts
var FILE_NAMES = new Set(
  ["kyverno-test", "chainsaw-test", "kaptest", "suite"].flatMap((name) => [`${name}.yaml`, `${name}.yml`])
);
function isForeignSuite(path3) {
  return !path3.endsWith(POLICY_TEST_SUFFIX);
}
function foreignSuites(paths, hasPolicies) {
  const found2 = /* @__PURE__ */ new Set();
  for (const path3 of paths) {
    if (FILE_NAMES.has(baseName(path3))) found2.add(path3);
    else if (isKatFile(path3)) found2.add(path3.slice(0, path3.lastIndexOf("/")));
    else {
      const [, folder, parent = "."] = /^((?:(.*)\/)?(?:pass|fail))\/.*\.(?:ya?ml|json)$/.exec(path3) ?? [];
      if (folder !== void 0 && !found2.has(folder) && hasPolicies(parent)) found2.add(folder);
    }
  }
  return [...found2];
}
function runForeignSuite(input, languages) {
  const { path: path3 } = input.file;
  const tester = new SuiteTester(input);
  const folder = baseName(path3);
  const suite = (tests2) => ({ path: path3, problems: [], tests: tests2 });
  if (folder === "pass" || folder === "fail") return suite(runPassAndFail(tester, folder));
  if (folder === "tests") return suite(runKat(tester));
  const { manifests, problems } = readManifests(input.file);
  const syntax = problems.map(({ message, range }) => ({ message, place: linesOf({ file: input.file, range }) }));
  if (syntax.length > 0) return { path: path3, problems: syntax, tests: [] };
  const tests = manifests.map((manifest) => testsOf(manifest, tester, languages));
  if (tests.every((each) => each === void 0) && folder !== "suite.yaml" && folder !== "suite.yml") {
    const message = "it is no suite of tests in a format that is known";
    const help = `files of tests end in \`${POLICY_TEST_SUFFIX}\``;
    return {
      path: path3,
      problems: [{ message, place: linesOf({ file: input.file, range: { start: 0, end: 0 } }), help }],
      tests: []
    };
  }
  return suite(tests.flatMap((each) => each ?? []));
}
function testsOf(manifest, tester, languages) {
  const document = manifest.value;
  if (!isJsonObject(document)) return void 0;
  const language = languages.find(({ accepts: accepts2 }) => accepts2(document));
  if (language !== void 0) return runLanguageSuite(tester, manifest, language);
  if (isChainsawTest(document)) return runChainsawTest(tester, manifest);
  if (isGatorSuite(document)) return runGatorSuite(tester, manifest);
  return isKaptest(document) ? runKaptest(tester, manifest) : void 0;
}

// src/cel/eval/decision-points.ts
function decisionPoints({ expr, types }) {
  const found2 = /* @__PURE__ */ new Map();
  const add = (node, wants) => {
    if (node.kind === "literal") return;
    const { id, start, end } = node;
    if (found2.get(id)?.wants !== "either") found2.set(id, { nodeId: id, start, end, wants });
  };
  const isCondition = (node) => types.get(node.id)?.kind === "bool";
  const visit = (node) => {
    if (node.kind === "comprehension") {
      visit(node.iterRange);
      const shape = macroShapeOf(node);
      if (shape?.predicate !== void 0) add(shape.predicate, "either");
      if (shape?.predicate !== void 0) visit(shape.predicate);
      if (shape?.kind === "collect") visit(shape.transform);
      return;
    }
    if (node.kind === "select" && node.testOnly) add(node, "either");
    if (node.kind === "call" && (node.function === "_&&_" || node.function === "_||_")) {
      for (const side of node.args) add(side, "either");
    }
    const [condition, ...branches] = node.kind === "call" && node.function === "_?_:_" ? node.args : [];
    if (condition !== void 0) add(condition, "either");
    for (const branch of branches) add(branch, isCondition(branch) ? "either" : "reached");
    forEachChild(node, visit);
  };
  add(expr, isCondition(expr) ? "either" : "reached");
  visit(expr);
  return [...found2.values()].sort((one2, other) => one2.start - other.start || other.end - one2.end);
}

// src/policy/policy-coverage.ts
var PolicyCoverage = class {
  /** By policy, then by field, or variable. */
  #expressions = /* @__PURE__ */ new Map();
  /** By expression, then by node. */
  #seen = /* @__PURE__ */ new Map();
  #bindings = /* @__PURE__ */ new Map();
  /** Expressions that are known already are left as they are. */
  expect(expressions, bindings) {
    for (const expression of expressions) {
      const { policy, field, variable } = expression;
      const known = this.#expressions.get(policy.resource) ?? /* @__PURE__ */ new Map();
      this.#expressions.set(policy.resource, known);
      const key = keyOf(field, variable);
      if (known.has(key)) continue;
      known.set(key, expression);
      this.#seen.set(expression, /* @__PURE__ */ new Map());
    }
    for (const binding of bindings) if (!this.#bindings.has(binding)) this.#bindings.set(binding, false);
  }
  add(explanations) {
    for (const { policy, steps } of explanations) this.#addSteps(policy.resource, steps);
  }
  /** In the order of policies, fields and text. */
  points() {
    return [...this.#seen].flatMap(
      ([expression, nodes]) => decisionPoints(expression.ast).map((point) => {
        const seen = nodes.get(point.nodeId);
        return {
          ...point,
          expression,
          isReached: seen !== void 0,
          seenTrue: seen?.isTrue === true,
          seenFalse: seen?.isFalse === true
        };
      })
    );
  }
  /** Those that no request has met, and those that one has. */
  bindings() {
    return [...this.#bindings].map(([binding, applied]) => ({ binding, applied }));
  }
  #addSteps(policy, steps) {
    for (const { by, observed, result, steps: inner } of steps) {
      if (by !== void 0 && this.#bindings.has(by.resource) && inner !== void 0 && result !== "stops") {
        this.#bindings.set(by.resource, true);
      }
      const known = by && this.#expressions.get(policy)?.get(keyOf(by.field, void 0));
      if (observed !== void 0 && known !== void 0) this.#addEvent(policy, known, observed.trace);
      if (inner !== void 0) this.#addSteps(policy, inner);
    }
  }
  #addEvent(policy, expression, event) {
    const nodes = this.#seen.get(expression);
    const seen = nodes?.get(event.nodeId) ?? { isTrue: false, isFalse: false };
    if (event.element === void 0) {
      if (event.value === true) seen.isTrue = true;
      if (event.value === false) seen.isFalse = true;
      nodes?.set(event.nodeId, seen);
    }
    const { variable } = event;
    const ofVariable = variable && this.#expressions.get(policy)?.get(keyOf([], variable.name));
    if (variable !== void 0 && ofVariable !== void 0) this.#addEvent(policy, ofVariable, variable.event);
    for (const child of event.children) this.#addEvent(policy, expression, child);
  }
};
function keyOf(field, variable) {
  return variable === void 0 ? formatFieldPath(field) : `variables.${variable}`;
}

// src/report/policy-test.ts
var TEST_REPORT_SCHEMA_VERSION = 1;
var LISTS = ["denied", "warned", "audited", "undecided"];
function differencesOf(expected2, actual) {
  return [
    ...refusal(expected2, actual),
    ...LISTS.flatMap((list) => failures(list, expected2[list] ?? [], actual[list])),
    ...(expected2.skipped ?? []).flatMap((policy) => skip(policy, actual)),
    ...expected2.mutated === void 0 ? [] : mutation(expected2.mutated, actual.object)
  ];
}
function refusal({ refused: expected2 }, { refused }) {
  if (expected2 === void 0) {
    return refused === void 0 ? [] : [{ message: "the API server refuses the object itself", actual: refused }];
  }
  if (refused === void 0) return [{ message: "the API server does not refuse the object", expected: expected2 }];
  return refused.includes(expected2) ? [] : [{ message: "the API server refuses the object for another reason", expected: expected2, actual: refused }];
}
function failures(list, expected2, actual) {
  const isMeant = (failure2) => expected2.some((each) => describes(each, failure2));
  const missing = expected2.filter((each) => !actual.some((failure2) => describes(each, failure2)));
  const surplus = actual.filter((failure2) => !isMeant(failure2));
  const [wanted] = missing;
  const [found2] = surplus;
  if (wanted !== void 0 && found2 !== void 0 && missing.length === 1 && surplus.length === 1) {
    const message = `${list} with other words than expected`;
    return [{ message, expected: expectedText(wanted), actual: actualText(found2), policy: found2.policy }];
  }
  return [
    ...missing.map((each) => ({
      message: `not ${list}`,
      expected: expectedText(each),
      ...each.policy !== void 0 && { policy: each.policy }
    })),
    ...surplus.map((failure2) => ({
      message: `${list} unexpectedly`,
      actual: actualText(failure2),
      policy: failure2.policy
    }))
  ];
}
function describes({ policy, rule, message, contains, matches }, failure2) {
  if (policy !== void 0 && policy !== failure2.policy) return false;
  if (rule !== void 0 && rule !== failure2.rule) return false;
  if (message !== void 0 && message !== failure2.message) return false;
  if (contains !== void 0 && !failure2.message.includes(contains)) return false;
  return matches === void 0 || found(matches, failure2.message);
}
function found(pattern, text2) {
  const regex = compileRegex(pattern);
  return "matches" in regex && regex.matches(text2);
}
function expectedText({ policy, rule, message, contains, matches }) {
  const words = [
    message,
    contains === void 0 ? void 0 : `contains ${JSON.stringify(contains)}`,
    matches === void 0 ? void 0 : `matches /${matches}/`
  ];
  const by = [policy, rule].filter((name) => name !== void 0).join(" ");
  const text2 = words.filter((each) => each !== void 0).join(", ");
  return [by, text2].filter((each) => each !== "").join(": ") || "any failure";
}
function actualText({ policy, rule, message }) {
  return `${policy} ${rule}: ${message}`;
}
function skip(policy, actual) {
  const applies = actual.applies(policy);
  if (applies === void 0) return [{ message: `there is no policy \`${policy}\` that could be skipped` }];
  return applies ? [{ message: `${policy} applies, though it was expected to be skipped`, policy }] : [];
}
function mutation(expected2, object2, at3 = "") {
  return [...expected2].flatMap(([key, wanted]) => {
    const path3 = at3 === "" ? key : `${at3}.${key}`;
    const value = object2?.get(key);
    if (wanted === null) return value === void 0 ? [] : [fieldDifference(path3, "absent", valueText(value))];
    if (isJsonObject(wanted)) {
      const inner = value !== void 0 && isJsonObject(value) ? value : null;
      return inner === null ? [fieldDifference(path3, valueText(wanted), valueText(value))] : mutation(wanted, inner, path3);
    }
    return valueText(wanted) === valueText(value) ? [] : [fieldDifference(path3, valueText(wanted), valueText(value))];
  });
}
function fieldDifference(path3, expected2, actual) {
  return { message: `${path3} is not as expected`, expected: expected2, actual };
}
function valueText(value) {
  if (value === void 0) return "absent";
  return stringifyJson(value, { sortKeys: true, escapeHtml: false });
}

// src/report/test-coverage.ts
function testCoverage(coverage) {
  const counts = /* @__PURE__ */ new Map();
  const missing = [];
  const parts = [];
  for (const point of coverage.points()) {
    const { policy } = point.expression;
    const outcomes = outcomesOf(point);
    const own = counts.get(policy.resource) ?? { covered: 0, total: 0, of: policy };
    own.covered += outcomes.filter(Boolean).length;
    own.total += outcomes.length;
    counts.set(policy.resource, own);
    const place = placeOfPoint(point);
    parts.push({ path: place.path, line: place.startLine, policy: policy.name, outcomes });
    const what = missingOutcome(point);
    if (what !== void 0)
      missing.push({ policy: policy.name, rule: ruleOf(point.expression), place, text: textOf4(point), what });
  }
  const bindings = coverage.bindings();
  for (const { binding, applied: applied2 } of bindings) {
    if (applied2) continue;
    const place = linesOf(binding.locate(["metadata", "name"], "value"));
    const text2 = `${binding.gvk.kind} ${binding.name}`;
    missing.push({ policy: "", rule: text2, place, text: text2, what: "never applies" });
  }
  const policies = [...counts.values()].map(({ of: { kind, name, resource }, covered, total }) => {
    return { kind, name, path: resource.manifest.file.path, covered, total };
  });
  const applied = bindings.filter((each) => each.applied).length;
  const sum = (key) => policies.reduce((all, policy) => all + policy[key], 0);
  return { covered: sum("covered") + applied, total: sum("total") + bindings.length, policies, missing, parts };
}
function outcomesOf({ wants, isReached, seenTrue, seenFalse }) {
  return wants === "either" ? [seenTrue, seenFalse] : [isReached];
}
function missingOutcome({ wants, isReached, seenTrue, seenFalse }) {
  if (!isReached || wants === "either" && !seenTrue && !seenFalse) return "never reached";
  if (wants === "reached" || seenTrue && seenFalse) return void 0;
  return seenTrue ? "never false" : "never true";
}
function placeOfPoint({ expression: { policy, field }, start, end }) {
  return linesOf(policy.resource.locateText(field, start, end));
}
function textOf4({ expression: { ast }, start, end }) {
  return [...ast.text].slice(start, end).join("").replace(/\s+/g, " ").trim();
}
function ruleOf({ field, variable }) {
  return variable === void 0 ? ruleName({ rule: { field: formatFieldPath(field) } }) : `variables.${variable}`;
}
function unnoticedChange({ original, start, end, change }) {
  const { policy, field } = original;
  const place = linesOf(policy.resource.locateText(field, start, end));
  return { policy: policy.name, rule: ruleOf(original), place, change };
}

// src/pipeline/run-policy-tests.ts
function testedPolicies(input) {
  const read = input.file.derived(readPolicyTests);
  if ("diagnostics" in read || read.value === void 0) return void 0;
  return new SuiteRun(input, read.value, read.locate).tested();
}
function tryMutant(input, changed, field) {
  const read = input.file.derived(readPolicyTests);
  if ("diagnostics" in read || read.value === void 0) return "refused";
  return new SuiteRun(input, read.value, read.locate).outcomeOf(changed, field);
}
function runPolicyTests(input) {
  const { path: path3 } = input.file;
  const read = input.file.derived(readPolicyTests);
  if ("diagnostics" in read) {
    const problems = read.diagnostics.map(({ message, primary, help }) => ({
      message,
      place: linesOf(primary ?? { file: input.file, range: { start: 0, end: 0 } }),
      ...help !== void 0 && { help }
    }));
    return { path: path3, problems, tests: [] };
  }
  if (read.value === void 0) return { path: path3, problems: [], tests: [] };
  const run = new SuiteRun(input, read.value, read.locate);
  return { path: path3, ...run.result() };
}
var UnusableTest = class extends Error {
};
var SuiteRun = class {
  #input;
  #written;
  #locate;
  /** Of requests that meet the same cluster as the same user, one. */
  #evaluators = /* @__PURE__ */ new Map();
  #policies = [];
  constructor(input, written, locate) {
    this.#input = input;
    this.#written = written;
    this.#locate = locate;
  }
  result() {
    const problem = this.#load();
    if (problem !== void 0) return problem;
    return { problems: [], tests: this.#cases().map((each) => this.#run(each)) };
  }
  tested() {
    if (this.#load() !== void 0) return void 0;
    return { resources: this.#policies, expressions: this.#evaluatorWith([], void 0).expressions };
  }
  outcomeOf(changed, field) {
    const compiles = this.tested()?.expressions.some(
      (each) => each.policy.resource === changed && isSamePath(each.field, field)
    );
    if (compiles !== true) return "refused";
    return this.#cases().some((each) => this.#differences(each).length > 0) ? "noticed" : "unnoticed";
  }
  #cases() {
    return this.#written.tests.flatMap(casesOf).filter(({ name }) => this.#input.isWanted(name));
  }
  /** What is wrong, if the tests cannot run. */
  #load() {
    const { kubernetesVersion } = this.#written;
    const versionProblem2 = kubernetesVersion && this.#input.versionProblem(kubernetesVersion);
    if (versionProblem2) return this.#unusable(`\`${kubernetesVersion}\` ${versionProblem2}`, ["kubernetesVersion"]);
    try {
      const written = (this.#written.policies ?? ["."]).flatMap((path3) => this.#resourcesAt(path3));
      this.#policies = written.map((resource) => this.#input.replaced?.get(resource) ?? resource);
      return void 0;
    } catch (error) {
      if (!(error instanceof UnusableTest)) throw error;
      return this.#unusable(error.message, ["policies"]);
    }
  }
  #unusable(message, at3) {
    return { problems: [{ message, place: linesOf(this.#locate(at3, "value")) }], tests: [] };
  }
  #run(asked) {
    const start = this.#input.now();
    const place = linesOf(this.#locate([...asked.at, "name"], "value"));
    const differences3 = this.#differences(asked);
    return { name: asked.name, place, time: (this.#input.now() - start) / 1e3, differences: differences3 };
  }
  #differences(asked) {
    const { expect } = asked.request;
    if (expect === void 0)
      return [{ message: "the test expects nothing: write `expect: allowed`, or what happens" }];
    try {
      const change = this.#change(asked);
      const evaluator = this.#evaluator(asked);
      const names = new Set(evaluator.policies.map(({ identity }) => identity.name));
      const explain = once(() => {
        const { policies } = evaluator.explain(change);
        this.#input.coverage?.add(policies);
        return new Map(policies.map((each) => [each.policy.name, each]));
      });
      if (this.#input.coverage !== void 0) explain();
      const actual = {
        ...outcomeOf(evaluator, change),
        applies: (policy) => names.has(policy) ? explain().get(policy)?.result !== "stops" : void 0
      };
      return differencesOf(expect, actual).map((difference) => {
        const why = difference.policy === void 0 ? void 0 : explain().get(difference.policy);
        return why === void 0 ? difference : { ...difference, why: explainedPolicy(why) };
      });
    } catch (error) {
      if (error instanceof UnusableTest) return [{ message: error.message }];
      throw error;
    }
  }
  #change({ request, patches }) {
    const { object: object2, oldObject, operation = oldObject === void 0 ? "CREATE" : "UPDATE" } = request;
    if (object2 === void 0) throw new UnusableTest("the test has no `object`");
    const resource = this.#object(object2, patches);
    if (operation !== "UPDATE") {
      if (oldObject !== void 0) throw new UnusableTest(`\`oldObject\` means nothing with ${operation}`);
      return { operation, resource };
    }
    if (oldObject === void 0) throw new UnusableTest("UPDATE needs the `oldObject`");
    return { operation, resource, old: this.#object(oldObject, []) };
  }
  #object(written, patches) {
    const found2 = typeof written === "string" ? this.#resourcesAt(written) : this.#inline(written);
    const [resource, ...others] = found2;
    const what = typeof written === "string" ? `\`${written}\`` : "the object";
    if (resource === void 0) throw new UnusableTest(`${what} has no object with apiVersion, kind and name`);
    if (others.length > 0) throw new UnusableTest(`${what} has ${found2.length} objects; a test is about one`);
    if (patches.length === 0) return resource;
    const patched = patches.reduce((value, patch) => merged(value, patch), resource.value);
    const [changed] = this.#inline(patched);
    if (changed === void 0) throw new UnusableTest("`with` leaves no object with apiVersion, kind and name");
    return changed;
  }
  #inline(value) {
    const text2 = stringifyJson(value, { sortKeys: false, escapeHtml: false });
    return resourcesIn(new SourceFile(this.#input.file.path, text2));
  }
  #resourcesAt(path3) {
    const files = this.#input.read(path3);
    if (files === void 0) throw new UnusableTest(`\`${path3}\` is not there`);
    const manifests = files.filter((file) => !file.path.endsWith(POLICY_TEST_SUFFIX));
    return manifests.flatMap((file) => file.derived(resourcesIn));
  }
  #resources(written) {
    return written.flatMap((each) => typeof each === "string" ? this.#resourcesAt(each) : this.#inline(each));
  }
  #evaluator({ request: { user: user2 }, resources }) {
    const all = [...this.#written.resources ?? [], ...resources];
    const key = JSON.stringify([
      user2 && [user2.username, user2.groups, user2.uid, [...user2.extra ?? []]],
      all.map(
        (each) => typeof each === "string" ? each : [stringifyJson(each, { sortKeys: true, escapeHtml: false })]
      )
    ]);
    let evaluator = this.#evaluators.get(key);
    if (evaluator === void 0) {
      evaluator = this.#evaluatorWith(this.#resources(all), user2);
      this.#evaluators.set(key, evaluator);
      this.#input.coverage?.expect(evaluator.expressions, this.#policies.filter(isBinding));
    }
    return evaluator;
  }
  #evaluatorWith(resources, user2) {
    const kubernetesVersion = this.#written.kubernetesVersion ?? this.#input.kubernetesVersion;
    return testEvaluator({ policies: this.#policies, resources, kubernetesVersion, ...user2 && { user: user2 } });
  }
};
function isBinding({ gvk }) {
  return gvk.group === "admissionregistration.k8s.io" && gvk.kind.endsWith("PolicyBinding");
}
function casesOf(test2, index) {
  const { each, name, with: patch, resources = [], ...request } = test2;
  const at3 = ["tests", index];
  const patches = patch === void 0 ? [] : [patch];
  if (each === void 0) return [{ name, at: at3, request, patches, resources }];
  return each.map(({ name: rowName, with: rowPatch, resources: more = [], ...row2 }, number) => ({
    name: `${name} › ${rowName ?? String(number + 1)}`,
    at: rowName === void 0 ? at3 : [...at3, "each", number],
    request: { ...request, ...row2 },
    patches: rowPatch === void 0 ? patches : [...patches, rowPatch],
    resources: [...resources, ...more]
  }));
}
function merged(value, patch) {
  if (!isJsonObject(patch)) return patch;
  const result = new Map(isJsonObject(value) ? value : []);
  for (const [key, inner] of patch) {
    if (inner === null) result.delete(key);
    else result.set(key, merged(result.get(key) ?? null, inner));
  }
  return result;
}
function once(make) {
  let made;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

// src/cel/eval/expression-mutants.ts
var OPERATORS = /* @__PURE__ */ new Map([
  ["_<_", ["<", ["<=", ">"]]],
  ["_<=_", ["<=", ["<", ">"]]],
  ["_>_", [">", [">=", "<"]]],
  ["_>=_", [">=", [">", "<"]]],
  ["_==_", ["==", ["!="]]],
  ["_!=_", ["!=", ["=="]]]
]);
var QUANTIFIERS = /* @__PURE__ */ new Map([
  ["all", "exists"],
  ["exists", "all"],
  ["exists_one", "exists"]
]);
function mutantsOf({
  text: text2,
  expr,
  macroCalls
}) {
  const characters = [...text2];
  const slice = (start, end) => characters.slice(start, end).join("");
  const mutants = [];
  const replace = (start, end, by, change) => {
    mutants.push({ expression: slice(0, start) + by + slice(end, characters.length), start, end, change });
  };
  const textOf6 = ({ start, end }) => `(${slice(start, end)})`;
  const shortened = (node) => {
    const line = slice(node.start, node.end).replace(/\s+/g, " ");
    return line.length > 40 ? `${line.slice(0, 40)}…` : line;
  };
  const quantifier = (node) => {
    const call = macroCalls.get(node.id);
    const other = call && QUANTIFIERS.get(call.function);
    if (call?.target === void 0 || other === void 0) return;
    const from = call.target.end;
    const between = slice(from, node.end);
    const found2 = between.search(/\b(all|exists|exists_one)\s*\(/);
    if (found2 < 0) return;
    const start = from + [...between.slice(0, found2)].length;
    replace(start, start + call.function.length, other, `\`${other}\` for \`${call.function}\``);
  };
  const operator = (node, left, right, written, others) => {
    const at3 = slice(left.end, right.start).indexOf(written);
    if (at3 < 0) return;
    for (const other of others) {
      replace(
        left.end + at3,
        left.end + at3 + written.length,
        other,
        `\`${other}\` for \`${written}\` in \`${shortened(node)}\``
      );
    }
  };
  const visit = (node) => {
    if (node.kind === "comprehension") {
      visit(node.iterRange);
      quantifier(node);
      const shape = macroShapeOf(node);
      if (shape?.predicate !== void 0) visit(shape.predicate);
      if (shape?.kind === "collect") visit(shape.transform);
      return;
    }
    if (node.kind === "literal" && typeof node.value === "boolean") {
      replace(node.start, node.end, String(!node.value), `\`${!node.value}\` for \`${node.value}\``);
    }
    if (node.kind === "call") {
      const [first, second, third] = node.args;
      const known = OPERATORS.get(node.function);
      if (first !== void 0 && second !== void 0) {
        if (known !== void 0) operator(node, first, second, ...known);
        if (node.function === "_&&_" || node.function === "_||_") {
          const [written, other] = node.function === "_&&_" ? ["&&", "||"] : ["||", "&&"];
          replace(node.start, node.end, textOf6(first), `without \`${shortened(second)}\``);
          replace(node.start, node.end, textOf6(second), `without \`${shortened(first)}\``);
          replace(
            node.start,
            node.end,
            `(${textOf6(first)} ${other} ${textOf6(second)})`,
            `\`${other}\` for \`${written}\``
          );
        }
        if (node.function === "@in") replace(node.start, node.end, `!${textOf6(node)}`, `not \`${shortened(node)}\``);
        if (node.function === "_?_:_" && third !== void 0) {
          replace(node.start, node.end, textOf6(second), `always \`${shortened(second)}\``);
          replace(node.start, node.end, textOf6(third), `always \`${shortened(third)}\``);
        }
      }
      if (node.function === "!_" && first !== void 0)
        replace(node.start, node.end, textOf6(first), `\`${shortened(first)}\` without \`!\``);
    }
    forEachChild(node, visit);
  };
  visit(expr);
  return mutants.sort((one2, other) => one2.start - other.start);
}

// src/policy/policy-mutants.ts
function policyMutants(original) {
  const { ast, field, policy } = original;
  const { manifest, rootPath, gvk, value } = policy.resource;
  return mutantsOf(ast).map(({ expression, start, end, change }) => {
    const changed = withValue(value, field, expression);
    return { original, policy: new Resource(manifest, rootPath, gvk, changed), start, end, change };
  });
}
function withValue(value, [step, ...rest], text2) {
  if (step === void 0) return text2;
  if (isJsonArray(value)) return value.map((item, index) => index === step ? withValue(item, rest, text2) : item);
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([key, inner]) => [key, key === step ? withValue(inner, rest, text2) : inner]));
}

// src/pipeline/try-policy-mutants.ts
function tryPolicyMutants(files) {
  const expressions = /* @__PURE__ */ new Map();
  const suites = /* @__PURE__ */ new Map();
  for (const input of files) {
    const tested = testedPolicies(input);
    if (tested === void 0) continue;
    for (const resource of tested.resources) suites.set(resource, [...suites.get(resource) ?? [], input]);
    for (const expression of tested.expressions) expressions.set(keyOf2(expression), expression);
  }
  const unnoticed = [];
  let tried = 0;
  for (const mutant of [...expressions.values()].flatMap(policyMutants)) {
    const concerned = suites.get(mutant.original.policy.resource) ?? [];
    const outcomes = concerned.map((input) => outcomeOf2(mutant, input));
    if (outcomes.includes("refused")) continue;
    tried += 1;
    if (!outcomes.includes("noticed")) unnoticed.push(unnoticedChange(mutant));
  }
  return { noticed: tried - unnoticed.length, tried, unnoticed };
}
function keyOf2({ policy: { kind, name, resource }, field }) {
  return JSON.stringify([resource.manifest.file.path, resource.rootPath, kind, name, field]);
}
function outcomeOf2({ original, policy }, input) {
  const { coverage: _, ...plain } = input;
  const replaced = /* @__PURE__ */ new Map([[original.policy.resource, policy]]);
  return tryMutant({ ...plain, replaced }, policy, original.field);
}

// src/pipeline/test-policies.ts
function testPolicies(files, asked) {
  const coverage = asked.coverage ? new PolicyCoverage() : void 0;
  const languages = languageSuites();
  const suites = files.map((input) => {
    if (isForeignSuite(input.file.path)) return runForeignSuite(input, languages);
    return runPolicyTests({ ...input, ...coverage && { coverage } });
  });
  const tests = suites.flatMap((suite) => suite.tests);
  const notRun = tests.filter((test2) => test2.notRun !== void 0).length;
  const failed = tests.filter(({ differences: differences3 }) => differences3.length > 0).length;
  const passed = tests.length - failed - notRun;
  const allPass = failed === 0 && suites.every(({ problems }) => problems.length === 0);
  return {
    schemaVersion: TEST_REPORT_SCHEMA_VERSION,
    preadmit: VERSION,
    passed,
    failed,
    ...notRun > 0 && { notRun },
    suites,
    ...coverage && { coverage: testCoverage(coverage) },
    ...asked.mutants && allPass && { mutations: tryPolicyMutants(files.filter(({ file }) => !isForeignSuite(file.path))) }
  };
}

// src/report/format/coverage-text.ts
var MAX_LISTED = 100;
function coverageText({ covered, total, policies, missing }) {
  const width = policies.reduce((widest, { name }) => Math.max(widest, name.length), 0);
  const rows = policies.map(
    (policy) => `  ${percent2(policy)}  ${sanitizeLine(policy.name).padEnd(width)}  ${sanitizeLine(policy.path)}`
  );
  const listed = missing.slice(0, MAX_LISTED).map(({ place, rule, text: text2, what }) => {
    const part = text2 === rule ? "" : ` ${sanitizeLine(text2)}`;
    return `  ${sanitizeLine(`${place.path}:${place.startLine}`)} ${sanitizeLine(rule)}${part}: ${what}`;
  });
  const rest = missing.length > MAX_LISTED ? [`  and ${missing.length - MAX_LISTED} more`] : [];
  return `${[`Coverage: ${percent2({ covered, total }).trim()} (${covered} of ${total} outcomes)`, ...rows, ...listed, ...rest].join("\n")}
`;
}
function mutationScoreText({ noticed, tried, unnoticed }) {
  const lines = unnoticed.slice(0, MAX_LISTED).map(({ place, rule, change }) => `  ${sanitizeLine(`${place.path}:${place.startLine} ${rule}: ${change}`)}`);
  const rest = unnoticed.length > MAX_LISTED ? [`  and ${unnoticed.length - MAX_LISTED} more`] : [];
  const score = percent2({ covered: noticed, total: tried }).trim();
  return `${[`Mutation score: ${score} (${noticed} of ${tried} changes noticed)`, ...lines, ...rest].join("\n")}
`;
}
function percent2({ covered, total }) {
  const value = total === 0 ? 100 : Math.floor(100 * covered / total);
  return `${String(value).padStart(3)} %`;
}
function lcov({ parts }) {
  const files = /* @__PURE__ */ new Map();
  for (const part of parts) files.set(part.path, [...files.get(part.path) ?? [], part]);
  return [...files].map(([path3, own]) => lcovRecord(path3, own)).join("");
}
function lcovRecord(path3, parts) {
  const lines = /* @__PURE__ */ new Map();
  const branches = [];
  let taken = 0;
  for (const [block, { line, outcomes }] of parts.entries()) {
    lines.set(line, (lines.get(line) ?? false) || outcomes.includes(true));
    for (const [branch, seen] of outcomes.entries()) {
      branches.push(`BRDA:${line},${block},${branch},${seen ? 1 : 0}`);
      if (seen) taken += 1;
    }
  }
  const hit = [...lines.values()].filter(Boolean).length;
  const rows = [...lines].sort(([one2], [other]) => one2 - other).map(([line, seen]) => `DA:${line},${seen ? 1 : 0}`);
  return `${[
    "TN:preadmit",
    `SF:${sanitizeLine(path3)}`,
    ...branches,
    `BRF:${branches.length}`,
    `BRH:${taken}`,
    ...rows,
    `LF:${lines.size}`,
    `LH:${hit}`,
    "end_of_record"
  ].join("\n")}
`;
}

// src/report/format/test-junit.ts
function testJunit({ suites }) {
  const all = suites.flatMap(({ tests }) => tests);
  return junitXml(suites.map(caseSuite), secondsOf(all));
}
function caseSuite({ path: path3, problems, tests }) {
  const broken = problems.map(({ message, place, help }) => {
    const text2 = [message, ...help === void 0 ? [] : [`help: ${help}`]].join("\n");
    const outcome = { element: "error", message, text: text2 };
    return { name: "the file can be run", classname: path3, file: place.path, line: place.startLine, outcome };
  });
  return { name: path3, time: secondsOf(tests), cases: [...broken, ...tests.map((test2) => testCase(path3, test2))] };
}
function testCase(classname, { name, place, time, differences: differences3, notRun }) {
  const plain = { name, classname, file: place.path, line: place.startLine, time: time.toFixed(3) };
  if (notRun !== void 0) return { ...plain, outcome: { element: "skipped", message: notRun, text: notRun } };
  const [first] = differences3;
  if (first === void 0) return plain;
  const text2 = differences3.map(differenceText).join("\n");
  return { ...plain, outcome: { element: "failure", message: first.message, text: text2 } };
}
function differenceText({ message, expected: expected2, actual }) {
  return [
    message,
    ...expected2 === void 0 ? [] : [`expected: ${expected2}`],
    ...actual === void 0 ? [] : [`actual: ${actual}`]
  ].join("\n");
}
function secondsOf(tests) {
  return tests.reduce((sum, { time }) => sum + time, 0).toFixed(3);
}

// src/report/format/explanation-text.ts
var SGR = { red: "31", green: "32", yellow: "33", dim: "2" };
var COLOURS = {
  passes: "green",
  stops: "dim",
  fails: "red",
  error: "red",
  unknown: "yellow"
};
var RESULT_WIDTH = "unknown".length;
function explanationText({ objects }, { color }) {
  const page2 = new ExplanationPage(color);
  for (const object2 of objects) page2.object(object2);
  return page2.toString();
}
function explainedSteps(policy, { color }) {
  const page2 = new ExplanationPage(color);
  page2.close(policy);
  return page2.toString().trimEnd().split("\n");
}
var ExplanationPage = class {
  #lines = [];
  #color;
  /** One policy alone is looked at more closely: also at what holds. */
  #isClose = false;
  constructor(color) {
    this.#color = color;
  }
  object({ target, resource, place, root, notEvaluated, problems, changes, policies }) {
    const from = root === void 0 ? "" : `, rendered by ${root}`;
    this.#line(0, `${resourceLabel(resource)} (${at(place)}${from}) on ${target}`);
    for (const problem of problems) {
      const where = problem.place === void 0 ? "" : ` (${at(problem.place)})`;
      this.#line(1, `${problem.severity}: ${problem.message} [${problem.code}]${where}`);
    }
    if (notEvaluated !== void 0) {
      const detail = notEvaluated.detail === "" ? "" : `: ${notEvaluated.detail}`;
      this.#line(1, `no policy is asked, ${notEvaluated.reason}${detail}`);
    }
    for (const { policy, fieldPaths } of changes) this.#line(1, `${policy} changes ${fieldPaths.join(", ")}`);
    this.#lines.push("");
    this.#isClose = policies.length === 1;
    const applied = policies.filter(({ result }) => result !== "stops");
    for (const policy of applied) this.#policy(policy);
    const idle = policies.filter(({ result }) => result === "stops");
    if (policies.length === 1) for (const policy of idle) this.#policy(policy);
    else if (idle.length > 0) this.#idle(idle);
    if (policies.length === 0 && notEvaluated === void 0) this.#lines.push("There is no policy here.", "");
  }
  close(policy) {
    this.#isClose = true;
    this.#policy(policy);
  }
  #policy({ kind, name, place, result, steps }) {
    this.#step(0, { result, says: `${kind} ${name} (${at(place)})`, steps });
    this.#lines.push("");
  }
  #idle(policies) {
    this.#line(0, "Does not apply");
    for (const { kind, name, steps } of policies) this.#line(1, `${kind} ${name}: ${stoppedBy2(steps)}`);
    this.#lines.push("");
  }
  #step(depth, { result, says, place, value, steps = [] }) {
    const [first = "", ...more] = firstLines(says);
    const where = place === void 0 || steps.length > 0 ? "" : this.#styled("dim", `  ${at(place)}`);
    const word = this.#styled(COLOURS[result], result.padEnd(RESULT_WIDTH));
    this.#lines.push(`${"  ".repeat(depth)}${word}  ${sanitizeLine(first)}${where}`);
    for (const line of more) this.#line(depth + 1, line);
    if (value !== void 0 && (result !== "passes" || this.#isClose)) this.#value(depth + 2, value);
    for (const step of steps) this.#step(depth + 1, step);
  }
  #value(depth, { text: text2, value, isError, parts }) {
    const given = this.#styled(isError ? "red" : "dim", `→ ${sanitizeLine(value)}`);
    this.#lines.push(`${"  ".repeat(depth)}    ${sanitizeLine(text2)} ${given}`);
    for (const part of parts) this.#value(depth + 1, part);
  }
  #line(depth, text2) {
    this.#lines.push(`${"  ".repeat(depth)}${sanitizeLine(text2)}`);
  }
  #styled(colour, words) {
    return this.#color ? `\x1B[${SGR[colour]}m${words}\x1B[0m` : words;
  }
  toString() {
    return `${this.#lines.join("\n").trimEnd()}
`;
  }
};
function at({ path: path3, startLine }) {
  return sanitizeLine(`${path3}:${startLine}`);
}
function stoppedBy2(steps) {
  const last = steps.findLast(({ result }) => result === "stops");
  if (last === void 0) return "nothing of it is asked";
  return last.steps === void 0 ? last.says : `${last.says}: ${stoppedBy2(last.steps)}`;
}

// src/report/format/test-text.ts
var SGR2 = { red: "31", green: "32", dim: "2", bold: "1" };
function testText(report, { color, quiet }) {
  const { suites, failed } = report;
  const styled = (colour, words) => color ? `\x1B[${SGR2[colour]}m${words}\x1B[0m` : words;
  const isDull = (suite) => suite.problems.length === 0 && suite.tests.every((test2) => test2.differences.length === 0 && test2.notRun === void 0);
  const lines = suites.filter((suite) => !quiet || !isDull(suite)).flatMap((suite) => [
    styled("bold", sanitizeLine(suite.path)),
    ...problemLines(suite, styled),
    ...suite.tests.flatMap((test2) => testLines(test2, styled, color)),
    ...notRunLines(suite, styled),
    ""
  ]);
  const isGreen = failed === 0 && suites.every(({ problems }) => problems.length === 0);
  return [...lines, styled(isGreen ? "green" : "red", testCounts(report)), ""].join("\n");
}
function testCounts({ suites, passed, failed, notRun = 0 }) {
  const broken = suites.filter(({ problems }) => problems.length > 0).length;
  const unreadable = broken === 0 ? "" : `, ${count(broken, "file")} not run`;
  return `${count(passed, "test")} passed, ${failed} failed${notRun === 0 ? "" : `, ${notRun} not run`}${unreadable}`;
}
function problemLines({ problems }, styled) {
  return problems.flatMap(({ message, place, help }) => [
    `  ${styled("red", "error")}  ${sanitizeLine(message)}  ${styled("dim", at2(place))}`,
    ...help === void 0 ? [] : [`         ${sanitizeLine(`help: ${help}`)}`]
  ]);
}
function testLines({ name, place, differences: differences3, notRun }, styled, color) {
  if (notRun !== void 0) return [];
  if (differences3.length === 0) return [`  ${styled("green", "passes")}  ${sanitizeLine(name)}`];
  return [
    `  ${styled("red", "FAILS")}   ${sanitizeLine(name)}  ${styled("dim", at2(place))}`,
    ...differences3.flatMap((difference) => differenceLines(difference, styled, color))
  ];
}
function notRunLines({ tests }, styled) {
  const reasons = /* @__PURE__ */ new Map();
  for (const test2 of tests) {
    if (test2.notRun !== void 0) reasons.set(test2.notRun, [...reasons.get(test2.notRun) ?? [], test2]);
  }
  return [...reasons].map(([reason2, [first, ...others]]) => {
    const more = others.length === 0 ? "" : ` and ${count(others.length, "other")}`;
    const { name, place } = first;
    return `  ${styled("dim", "not run")} ${sanitizeLine(`${name}${more}: ${reason2}`)}  ${styled("dim", at2(place))}`;
  });
}
function differenceLines({ message, expected: expected2, actual, why }, styled, color) {
  const side = (name, colour, text2) => text2 === void 0 ? [] : firstLines(text2).map(
    (line, index) => `      ${styled(colour, `${(index === 0 ? name : "").padEnd(10)}${sanitizeLine(line)}`)}`
  );
  return [
    `    ${sanitizeLine(message)}`,
    ...side("expected", "green", expected2),
    ...side("actual", "red", actual),
    ...why === void 0 ? [] : explainedSteps(why, { color }).map((line) => `      ${line}`)
  ];
}
function at2({ path: path3, startLine }) {
  return sanitizeLine(`${path3}:${startLine}`);
}

// src/report/format/test-github.ts
function testGithub(report) {
  const commands = report.suites.flatMap((suite) => [...failures2(suite), ...unrun(suite)]);
  return `${[...commands.map(encodeCommand), testCounts(report)].join("\n")}
`;
}
function failures2({ problems, tests }) {
  const broken = problems.map(({ message, place, help }) => ({
    severity: "error",
    title: "tests cannot be run",
    message: [message, ...help === void 0 ? [] : [`help: ${help}`]].join("\n"),
    place
  }));
  const failed = tests.filter(({ differences: differences3 }) => differences3.length > 0);
  return [
    ...broken,
    ...failed.map(({ name, place, differences: differences3 }) => ({
      severity: "error",
      title: name,
      message: differences3.map(differenceText).join("\n"),
      place
    }))
  ];
}
function unrun({ path: path3, tests }) {
  const left = tests.filter(({ notRun }) => notRun !== void 0);
  const [first] = left;
  if (first === void 0) return [];
  const reasons = [...new Set(left.map(({ notRun }) => notRun))].sort();
  const message = `${count(left.length, "test")} of ${path3} cannot be run here:
${reasons.join("\n")}`;
  return [{ severity: "notice", title: "tests not run", message, place: first.place }];
}

// src/workspace/work-tree-files.ts
import { readdirSync as readdirSync2, statSync as statSync4 } from "node:fs";
import { join as join3 } from "node:path";
var LEFT_OUT = /* @__PURE__ */ new Set([".git", "node_modules"]);
var WorkTreeFiles = class {
  #root;
  #reader;
  #files = /* @__PURE__ */ new Map();
  /** `root`: a real path; nothing outside of it is read. */
  constructor(root) {
    this.#root = root;
    this.#reader = new FileReader(root);
  }
  /** A file, or the files of a folder and the folders in it, sorted by path; undefined if there is nothing. Links are not followed. */
  at(path3, isWanted) {
    const status = statSync4(join3(this.#root, path3), { throwIfNoEntry: false });
    if (status?.isFile()) return this.#read([path3]);
    if (!status?.isDirectory()) return void 0;
    return this.#read(this.pathsBeneath(path3).filter(isWanted));
  }
  /** Of files, sorted; without `.git` and `node_modules`. Throws WorkspaceError if there are more than a run reads. */
  pathsBeneath(folder) {
    const found2 = [];
    const open = [folder];
    for (let next = open.pop(); next !== void 0; next = open.pop()) {
      for (const entry of entriesOf(join3(this.#root, next))) {
        const path3 = next === "" || next === "." ? entry.name : `${next}/${entry.name}`;
        if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) open.push(path3);
        else if (entry.isFile()) found2.push(path3);
      }
      if (found2.length > MAXIMUM_FILES) {
        throw new WorkspaceError("unreadable", `\`${folder || "."}\` has more than ${MAXIMUM_FILES} files`, {
          hint: "name the files or a folder that holds fewer"
        });
      }
    }
    return found2.sort(comparePaths);
  }
  #read(paths) {
    return paths.flatMap((path3) => {
      if (!this.#files.has(path3)) {
        const read = this.#reader.read(path3);
        this.#files.set(path3, "text" in read ? new SourceFile(path3, read.text) : void 0);
      }
      const file = this.#files.get(path3);
      return file === void 0 ? [] : [file];
    });
  }
};
function entriesOf(folder) {
  try {
    return readdirSync2(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

// src/door/test-command.ts
async function testCommand(args, terminal) {
  const parsed = parseArguments(args, TEST_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { paths, texts, flags } = parsed.arguments;
  const read = readOutputs(parsed.arguments, TEST_FORMATS);
  if ("problems" in read) return usageError(read.problems, terminal);
  const outputs = read.outputs.map(({ format, file }) => ({
    format,
    file: file === void 0 ? void 0 : resolve6(terminal.directory, file)
  }));
  await checkOutputs(outputs);
  const kubernetesVersion = texts.get("kubernetes-version") ?? DEFAULT_VERSION_TEXT;
  askedVersion(kubernetesVersion);
  const filter = texts.get("filter")?.toLowerCase() ?? "";
  const top = await topOf(terminal.directory);
  const files = new WorkTreeFiles(top);
  const found2 = await testFiles(paths, top, terminal.directory, files);
  if (found2.length === 0) {
    terminal.err(
      `preadmit: there is no file \`*${POLICY_TEST_SUFFIX}\` and no suite of another tool in ${sanitizeLine(paths.join(", ") || "this folder")}
`
    );
    return EXIT.nothingChecked;
  }
  const inputs = found2.flatMap((path3) => {
    const file = isFolder(join4(top, path3)) ? new SourceFile(path3, "") : files.at(path3, () => true)?.[0];
    if (file === void 0) return [];
    return [
      {
        file,
        read: (named) => files.at(fromTop(join4(top, dirname3(path3), named), top), isManifest),
        kubernetesVersion,
        versionProblem,
        isWanted: (name) => name.toLowerCase().includes(filter),
        now: terminal.now,
        seconds: Date.now() / 1e3
      }
    ];
  });
  const report = testPolicies(inputs, {
    coverage: flags.has("coverage") || texts.has("lcov"),
    mutants: flags.has("mutants")
  });
  if (filter !== "" && report.suites.every(({ tests, problems }) => tests.length + problems.length === 0)) {
    terminal.err(`preadmit: no test has \`${sanitizeLine(filter)}\` in its name
`);
    return EXIT.nothingChecked;
  }
  const lcovFile = texts.get("lcov");
  if (lcovFile !== void 0 && report.coverage !== void 0)
    await writeRendered(resolve6(terminal.directory, lcovFile), lcov(report.coverage), terminal);
  for (const { format, file } of outputs) {
    const shown2 = file === void 0 ? terminal : { ...terminal, color: false };
    await writeRendered(file, renderedAs(format, report, flags, shown2), terminal);
  }
  if (report.suites.some(({ problems }) => problems.length > 0)) return EXIT.usage;
  if (report.passed + report.failed === 0) return EXIT.nothingChecked;
  return report.failed > 0 ? EXIT.denied : EXIT.allowed;
}
function renderedAs(format, report, flags, terminal) {
  if (format === "json") return `${JSON.stringify(report, void 0, 2)}
`;
  if (format === "junit") return testJunit(report);
  return format === "github" ? testGithub(report) : textOf5(report, flags, terminal);
}
function textOf5(report, flags, { color }) {
  return [
    testText(report, { color, quiet: flags.has("quiet") }),
    ...report.coverage && flags.has("coverage") ? [coverageText(report.coverage)] : [],
    ...report.mutations ? [mutationScoreText(report.mutations)] : []
  ].join("\n");
}
var DEFAULT_VERSION_TEXT = "1.36";
async function topOf(directory) {
  const repository = await GitRepository.open(directory);
  return repository?.root ?? realpath4(directory);
}
async function testFiles(paths, top, directory, files) {
  const found2 = /* @__PURE__ */ new Set();
  for (const path3 of paths.length === 0 ? ["."] : paths) {
    const full = resolve6(await realpath4(directory), path3);
    const status = await stat(full).catch(() => void 0);
    if (status === void 0) throw new WorkspaceError("path-not-found", `\`${path3}\` is not there`);
    const inner = fromTop(full, top);
    if (inner.startsWith(".."))
      throw new WorkspaceError("path-outside-root", `\`${path3}\` is outside of the repository`);
    if (status.isFile() || SUITE_FOLDERS.has(basename2(inner))) found2.add(inner);
    else {
      const beneath = files.pathsBeneath(inner);
      for (const each of beneath) if (each.endsWith(POLICY_TEST_SUFFIX)) found2.add(each);
      for (const each of foreignSuites(beneath, (folder) => holdsPolicies(folder, files))) found2.add(each);
    }
  }
  return [...found2].sort();
}
var SUITE_FOLDERS = /* @__PURE__ */ new Set(["pass", "fail"]);
function holdsPolicies(folder, files) {
  const direct = (path3) => isManifest(path3) && dirname3(path3) === folder;
  return (files.at(folder, direct) ?? []).some(({ text: text2 }) => /^kind:\s*["']?\w*Policy["']?\s*$/m.test(text2));
}
function isFolder(path3) {
  return statSync5(path3, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
function fromTop(path3, top) {
  return relative2(top, path3).split(sep2).join("/");
}
function isManifest(path3) {
  return /\.(ya?ml|json)$/.test(path3) && !path3.endsWith(POLICY_TEST_SUFFIX);
}

// src/door/why-command.ts
import { relative as relative3, resolve as resolve7, sep as sep3 } from "node:path";

// src/pipeline/explain-object.ts
function parseObjectQuery(text2) {
  const place = /^(?<path>.+):(?<line>[1-9][0-9]{0,8})$/.exec(text2)?.groups;
  if (place !== void 0) return { path: String(place["path"]), line: Number(place["line"]) };
  const [kind, ...names] = text2.split("/");
  const name = names.pop();
  if (kind === void 0 || kind === "" || name === void 0 || name === "" || names.length > 1) return void 0;
  return { kind, namespace: names[0], name };
}
function explainObject({ object: query, policy: wanted, today, ...input }) {
  const content = stateContent(input, UNOBSERVED);
  const objects = [];
  const names = /* @__PURE__ */ new Set();
  const taken = /* @__PURE__ */ new Set();
  const meant = meantBy(query, content.resources);
  const clusters = stateClusters(input.configuration, content);
  for (const { configured, belongs } of plannedTargets(input.configuration, clusters)) {
    const target = targetOf(configured, content.resources, taken, () => true, belongs);
    const asked = target.manifests.filter((resource) => meant.has(resource));
    if (asked.length === 0) continue;
    const evaluator = new TargetEvaluator(target, languagesOf(configured, today), typedConverter(target), UNOBSERVED);
    for (const { identity } of evaluator.policies) names.add(identity.name);
    for (const resource of asked) objects.push(explained(resource, target.name, evaluator, wanted));
  }
  if (objects.length === 0) return { known: similarTo(query, content.resources) };
  if (wanted !== void 0 && !names.has(wanted)) return { policies: [...names].sort() };
  return { explanation: { schemaVersion: EXPLANATION_SCHEMA_VERSION, preadmit: VERSION, objects } };
}
function explained(resource, target, evaluator, wanted) {
  const { evaluated, unevaluated, diagnostics, policies } = evaluator.explain({ operation: "CREATE", resource });
  const { root } = resource.manifest;
  const isWanted = ({ name }) => wanted === void 0 || name === wanted;
  return {
    target,
    resource: {
      apiVersion: resource.apiVersion,
      kind: resource.gvk.kind,
      ...resource.namespace !== "" && { namespace: resource.namespace },
      name: resource.name
    },
    place: linesOf(resource.locate(["kind"], "key")),
    ...root !== void 0 && { root },
    ...unevaluated && { notEvaluated: { reason: unevaluated.reason, detail: unevaluated.detail } },
    problems: diagnostics.map(({ code, severity, message, primary }) => ({
      code,
      severity,
      message,
      ...primary && { place: linesOf(primary) }
    })),
    changes: (evaluated?.changes ?? []).map(({ policy, paths }) => ({
      policy: policy.name,
      fieldPaths: paths.map(formatFieldPath)
    })),
    policies: byHardness(policies.filter(({ policy }) => isWanted(policy)).map(explainedPolicy))
  };
}
function meantBy(query, resources) {
  const all = resources.filter(({ selected }) => selected).map(({ resource }) => resource);
  if ("kind" in query) return new Set(all.filter((resource) => isNamed(resource, query)));
  const inFile = all.flatMap((resource) => {
    const { file, range } = resource.locate(["kind"], "key");
    return file.path === query.path ? [{ resource, line: file.positionAt(range.start).line }] : [];
  });
  const lines = inFile.map(({ line }) => line).sort((one2, other) => one2 - other);
  const nearest = lines.findLast((line) => line <= query.line) ?? lines[0];
  return new Set(inFile.filter(({ line }) => line === nearest).map(({ resource }) => resource));
}
function isNamed(resource, { kind, namespace, name }) {
  const isKind = resource.gvk.kind.toLowerCase() === kind.toLowerCase();
  return isKind && resource.name === name && (namespace === void 0 || resource.namespace === namespace);
}
function similarTo(query, resources) {
  const near = resources.filter(({ resource, selected }) => {
    if (!selected) return false;
    if ("path" in query) return resource.manifest.file.path === query.path;
    return resource.gvk.kind.toLowerCase() === query.kind.toLowerCase() || resource.name === query.name;
  });
  const names = near.map(
    ({ resource: { gvk, namespace, name } }) => [gvk.kind, namespace, name].filter(Boolean).join("/")
  );
  return [...new Set(names)].slice(0, 10);
}

// src/door/why-command.ts
async function whyCommand(args, terminal) {
  const parsed = parseArguments(args, WHY_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const { paths, texts } = parsed.arguments;
  const [objectText, policy, ...more] = paths;
  const query = objectText === void 0 ? void 0 : parseObjectQuery(objectText);
  if (objectText === void 0 || query === void 0 || more.length > 0) {
    const forms = "`Deployment/shop/web`, `Namespace/shop` or `apps/web.yaml:12`";
    return usageError(
      [`expected an object and perhaps a policy: \`preadmit why <object> [policy]\`, the object as ${forms}`],
      terminal
    );
  }
  const options = checkOptions({ ...parsed.arguments, paths: [] }, terminal);
  const asked = await askRepository(options, (input, root) => {
    const object2 = fromTop2(query, terminal.directory, root);
    return explainObject({ ...input, object: object2, ...policy !== void 0 && { policy } });
  });
  if ("stopped" in asked) return stoppedBy(asked.stopped, terminal);
  const outcome = asked.answer;
  if ("known" in outcome) {
    const known = outcome.known.length === 0 ? "" : `; there is ${outcome.known.map((each) => `\`${each}\``).join(", ")}`;
    return usageError([`no object of the repository is \`${objectText}\`${known}`], terminal);
  }
  if ("policies" in outcome) {
    const nearest = nearestName(policy ?? "", outcome.policies);
    const meant = nearest === void 0 ? "" : `: did you mean \`${nearest}\`?`;
    return usageError([`no policy is called \`${policy}\`${meant}`], terminal);
  }
  const { explanation } = outcome;
  terminal.out(
    texts.get("format") === "json" ? `${JSON.stringify(explanation, void 0, 2)}
` : explanationText(explanation, { color: terminal.color })
  );
  return EXIT.allowed;
}
function fromTop2(query, directory, root) {
  if (!("path" in query)) return query;
  return { ...query, path: relative3(root, resolve7(directory, query.path)).split(sep3).join("/") };
}

// src/door/command-line.ts
var RUNNERS = /* @__PURE__ */ new Map([
  ["init", initCommand],
  ["check", checkCommand],
  ["diff", diffCommand],
  ["merge", mergeCommand],
  ["baseline", baselineCommand],
  ["mutate", mutateCommand],
  ["cel", celCommand],
  ["render", renderCommand],
  ["review", reviewCommand],
  ["test", testCommand],
  ["policies", policiesCommand],
  ["why", whyCommand],
  // Most runs are none of an editor.
  ["lsp", async (args, terminal) => (await import("./chunks/lsp-command-3SD6VAHY.js")).lspCommand(args, terminal)]
]);
async function runCommandLine(args, terminal) {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    return explainFailure(error, terminal);
  }
}
var HELP = ["--help", "-h"];
async function dispatch([command, ...rest], terminal) {
  if (command === void 0 || HELP.includes(command) || command === "help" && rest.length === 0) {
    terminal.out(helpText(VERSION));
    return EXIT.allowed;
  }
  if (command === "--version" || command === "-V") {
    terminal.out(`${VERSION}
`);
    return EXIT.allowed;
  }
  const name = command === "help" ? rest[0] : command;
  const entry = COMMANDS.find((known) => known.name === name);
  if (entry !== void 0 && (command === "help" || rest.some((argument) => HELP.includes(argument)))) {
    terminal.out(commandHelp(entry));
    return EXIT.allowed;
  }
  const run = RUNNERS.get(command);
  if (run !== void 0) return run(rest, terminal);
  return usageError([unknownCommand(name ?? "")], terminal);
}
function unknownCommand(name) {
  if (CHECK_OPTIONS.some((option) => name.split("=")[0] === `--${option.name}`)) {
    return `\`${name}\` is an option of a command: \`preadmit check ${name} …\``;
  }
  const what = name.startsWith("-") ? "option" : "command";
  const nearest = nearestName(name, [...RUNNERS.keys(), "--help", "--version"]);
  if (nearest !== void 0) return `unknown ${what} \`${name}\`: did you mean \`${nearest}\`?`;
  const isPath = /[/\\.]/.test(name);
  return `unknown ${what} \`${name}\`: ${isPath ? `to check files, \`preadmit check ${name}\`` : "see `preadmit --help`"}`;
}
function explainFailure(error, terminal) {
  if (error instanceof WorkspaceError) {
    terminal.err(`preadmit: ${sanitizeLine(error.message)}
`);
    if (error.hint !== void 0) terminal.err(`  help: ${sanitizeLine(error.hint)}
`);
    return EXIT.usage;
  }
  const text2 = error instanceof Error ? error.stack ?? error.message : String(error);
  terminal.err(`preadmit ${VERSION}: internal error, please report it at ${ISSUES_URL}
`);
  for (const line of text2.split("\n")) terminal.err(`  ${sanitizeLine(line)}
`);
  return EXIT.internal;
}

// src/cli.ts
var { stdout, stderr, env } = process;
stdout.on("error", (error) => {
  if (systemErrorCode(error) === "EPIPE") return;
  stderr.write(`preadmit: standard output cannot be written: ${reasonOf(error)}
`);
  process.exit(EXIT.usage);
});
stderr.on("error", () => {
});
process.exitCode = await runCommandLine(process.argv.slice(2), {
  directory: process.cwd(),
  color: stdout.isTTY === true && stdout.hasColors() && env["NO_COLOR"] === void 0,
  width: stdout.columns ?? 100,
  interactive: stderr.isTTY === true,
  out: (text2) => stdout.write(text2),
  err: (text2) => stderr.write(text2),
  now: () => performance.now(),
  environment: env,
  bytes: () => process.stdin,
  input: () => process.stdin.setEncoding("utf8"),
  policySourceTokens: env["PREADMIT_POLICY_SOURCE_TOKENS"],
  today: (/* @__PURE__ */ new Date()).toISOString().slice(0, 10),
  lines: () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
});
