#!/usr/bin/env node
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  BASELINE_OPTIONS,
  CEL_OPTIONS,
  CHECK_OPTIONS,
  DIFF_OPTIONS,
  EXIT,
  MERGE_OPTIONS,
  RENDER_OPTIONS,
  REVIEW_OPTIONS,
  checkChanges,
  checkOutputs,
  createStageLog,
  exitCodeOf,
  mergeCommand,
  parseArguments,
  readOutputs,
  showOptionsOf,
  usageError,
  writeOutput
} from "./chunks/chunk-WPG2CSYS.js";
import {
  AdmissionEnvironments,
  BASELINE_NAME,
  BuiltinResources,
  Bytes,
  DEFAULT_VERSION,
  DYN,
  Duration,
  ErrorValue,
  GitRepository,
  ISSUES_URL,
  LANGUAGES,
  OpaqueValue,
  Optional,
  ProgramError,
  RepositoryCluster,
  SourceFile,
  Timestamp,
  TypeValue,
  UNEXPECTED_EOF,
  UNOBSERVED,
  Uint,
  VERSION,
  WorkspaceError,
  accepts,
  acceptsProblem,
  append,
  applyBaseline,
  askedVersion,
  baselineKey,
  callCosts,
  checkRepository,
  compareUtf8,
  count,
  decodeJson,
  defaultConfiguration,
  discover,
  displayIssues,
  folderTree,
  formatDouble,
  formatTimestamp,
  formatVersion,
  isExpired,
  isGating,
  isJsonArray,
  isJsonObject,
  isMap,
  jsonString,
  kubernetesEnvironment,
  loadBaseline,
  loadEngine,
  nearestName,
  objectOrEmpty,
  objectRequest,
  openDiagnostics,
  openFindings,
  parseJson,
  parseKubernetesVersion,
  parseShard,
  plan,
  problemKey,
  readBaselineFile,
  readJsonValue,
  readManifests,
  readRepository,
  reasonOf,
  repositoryRoot,
  requestNamespace,
  requestVariable,
  resourcesOf,
  sanitizeLine,
  shardProblem,
  startOf,
  stringifyJson,
  systemErrorCode,
  text,
  textField,
  textItems,
  typedConverter,
  versionProblem,
  visitPostOrder
} from "./chunks/chunk-GVPQBRRY.js";

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
    const [one, other] = [left[key] ?? "", right[key] ?? ""];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

// src/door/check-command.ts
async function checkCommand(args, terminal) {
  const parsed = parseArguments(args, CHECK_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ("problems" in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs);
  const shardText = parsed.arguments.texts.get("shard");
  const shard = shardText === void 0 ? void 0 : parseShard(shardText);
  if (shardText !== void 0 && shard === void 0) {
    return usageError([shardProblem(shardText)], terminal);
  }
  const stages = createStageLog({
    debug: parsed.arguments.flags.has("debug"),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now
  });
  const checked = checkRepository({ ...checkOptions(parsed.arguments, terminal), stages, ...shard && { shard } });
  const { report, unusable } = await checked.finally(stages.end);
  const showOptions = showOptionsOf(parsed.arguments, terminal);
  for (const output of outputs.outputs) await writeOutput(output, report, showOptions, terminal);
  if (unusable) return EXIT.usage;
  return exitCodeOf(report);
}
function checkOptions({ paths, texts, lists }, terminal) {
  const config = texts.get("config");
  const baseline = texts.get("baseline");
  const failOn = texts.get("fail-on");
  const policiesFrom = texts.get("policies-from");
  const only = texts.get("only");
  const kubernetesVersion = texts.get("kubernetes-version");
  const policies = lists.get("policies");
  const include = lists.get("include");
  const exclude = lists.get("exclude");
  return {
    directory: terminal.directory,
    paths,
    ...config !== void 0 && { config },
    ...baseline !== void 0 && { baseline },
    today: terminal.today,
    overrides: {
      ...failOn !== void 0 && { failOn },
      ...policiesFrom !== void 0 && { policiesFrom },
      ...only !== void 0 && { only },
      ...kubernetesVersion !== void 0 && { kubernetesVersion },
      ...policies && { policies },
      ...include && { include },
      ...exclude && { exclude }
    }
  };
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
  const path2 = texts.get("baseline") ?? BASELINE_NAME;
  const file = await readIfThere(root, path2);
  if (file === void 0 && !updates)
    return usageError([`there is no baseline \`${path2}\`; \`--update\` makes one`], terminal);
  const loaded = file === void 0 ? { baseline: [], diagnostics: [] } : loadBaseline(file);
  const { report, unusable } = await checkRepository({
    ...options,
    baseline: loaded.baseline === void 0 ? path2 : null
  });
  if (unusable || loaded.baseline === void 0) {
    const { color, width } = terminal;
    terminal.out(text.render(report, { color, width, showSkipped: false, quiet: true }));
    return EXIT.usage;
  }
  const {
    findings,
    problems: objects,
    used
  } = applyBaseline(report.findings, loaded.baseline, terminal.today, report.diagnostics);
  const missing = openFindings(findings).filter((finding) => isGating(finding, report.verdict.failOn));
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
      for (const finding of open) kept.push({ ...baselineKey(finding, severalTargets), ...terms });
      const renewable = errors.filter((problem) => !expired.some((entry) => acceptsProblem(entry, problem)));
      append(kept, problemEntries(renewable, terms));
    }
    const written = baselineText(kept);
    const problems = loadBaseline(new SourceFile(path2, written)).diagnostics.map(({ message }) => message);
    if (problems.length > 0) return usageError([...new Set(problems)], terminal);
    await write(resolve(root, path2), written);
    terminal.out(`${sanitizeLine(`wrote ${count(kept.length, "entry", "entries")} to ${path2}`)}
`);
  }
  return expired.length > 0 || unused.length > 0 && !prunes ? EXIT.denied : EXIT.allowed;
}
function problemEntries(errors, terms) {
  const keys = errors.flatMap((problem) => problemKey(problem) ?? []);
  const different = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return [...different.values()].map((key) => ({ ...key, ...terms }));
}
function termsOf({ texts }) {
  const [owner, reason, expires] = [texts.get("owner"), texts.get("reason"), texts.get("expires")];
  return owner === void 0 || reason === void 0 || expires === void 0 ? void 0 : { owner, reason, expires };
}
async function readIfThere(root, path2) {
  try {
    return await readBaselineFile({ root, path: path2 });
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
  return value instanceof OpaqueValue ? tagOpaque(value) : { struct: value };
}
function inUtc({ seconds, nanos }) {
  return new Timestamp(seconds, nanos);
}
function tagEntries(entries) {
  const tagged = [...entries].map(([key, value]) => [tagValue(key), tagValue(value)]);
  return tagged.sort(([left], [right]) => JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
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
      const shown = value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
      lines.push(`${"  ".repeat(depth)}${text2}  ${ast.types.get(event.nodeId) ?? ""}  ${shown}`);
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
async function readSubject(path2, directory, version) {
  const text2 = await readFile(resolve2(directory, path2), "utf8").catch((cause) => {
    throw new WorkspaceError("unreadable", `cannot read \`${path2}\`: ${reasonOf(cause)}`, { cause });
  });
  const { manifests } = readManifests(new SourceFile(path2, text2));
  const resources = manifests.flatMap(
    (manifest) => resourcesOf(manifest).flatMap((result) => "resource" in result ? [result.resource] : [])
  );
  const [resource] = resources;
  if (resource === void 0 || resource.manifest !== manifests[0]) {
    const value = manifests[0]?.value;
    if (!isJsonObject(value)) throw new WorkspaceError("unreadable", `\`${path2}\` holds no object`);
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
  const { object, diagnostics } = converter.convert(resource, mapping, namespace);
  const { refusals } = converter.validate(resource, void 0, mapping, namespace);
  const [target] = defaultConfiguration().targets;
  const request = target && objectRequest({
    resource,
    operation: "CREATE",
    object,
    oldObject: null,
    mapping,
    userInfo: target.user,
    namespace
  });
  return {
    object,
    ...request && { request: requestVariable(request, request.kind, request.resource) },
    remarks: [...diagnostics, ...refusals].map(({ primary, message }) => {
      const line = primary?.file.positionAt(primary.range.start).line;
      return `${path2}${line === void 0 ? "" : `:${line}`}: ${message}`;
    })
  };
}

// src/door/describe-expression.ts
async function describeExpression(expression, options) {
  const { kubernetesVersion: version, explain } = options;
  const subject = options.object === void 0 ? void 0 : await readSubject(options.object, options.directory, version);
  const environments = new AdmissionEnvironments(version);
  const { environment, costs } = environments.context({ mode: "stored", hasParams: true, hasAuthorizer: false });
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
  const object = texts.get("object");
  const { description, hasValue, remarks } = await describeExpression(expression, {
    directory: terminal.directory,
    kubernetesVersion: version,
    explain: flags.has("explain"),
    ...object !== void 0 && { object }
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
    usage: "check [paths…] [options]",
    summary: "evaluate manifests against the repository's own policies",
    examples: [
      ["preadmit check", "everything Git tracks, with every policy found there"],
      ["preadmit check apps/ --fail-on warn", "one folder, warnings fail too"],
      ["preadmit check --policies 'policies/**' --format sarif=preadmit.sarif", ""]
    ],
    options: CHECK_OPTIONS,
    exits: VERDICT_EXITS
  },
  {
    name: "diff",
    usage: "diff <base> <head> [paths…] [options]",
    summary: "what the change between two commits does to the cluster",
    examples: [
      ["preadmit diff main HEAD", "what this branch would change"],
      ["preadmit diff HEAD~1 HEAD --only all", "what was there before counts too"]
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
    usage: "render <folder> [options]",
    summary: "write what a kustomization or a chart gives",
    examples: [
      ["preadmit render overlays/production", "as `kustomize build` does"],
      [
        "preadmit render charts/shop --release shop --namespace shop --values production.yaml",
        "as `helm template` does"
      ]
    ],
    options: RENDER_OPTIONS,
    exits: [
      [0, "it is rendered"],
      [1, "it cannot be rendered: the words are those of kustomize or Helm"],
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

// src/door/diff-command.ts
async function diffCommand(args, terminal) {
  const parsed = parseArguments(args, DIFF_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ("problems" in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs);
  const [base, head, ...paths] = parsed.arguments.paths;
  if (base === void 0 || head === void 0) {
    return usageError(["expected two commits: `preadmit diff <base> <head> [paths…]`"], terminal);
  }
  const stages = createStageLog({
    debug: parsed.arguments.flags.has("debug"),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now
  });
  const options = { ...checkOptions({ ...parsed.arguments, paths }, terminal), stages };
  stages.enter("discover");
  const start = await startOf(options);
  const change = await resolveCommits(base, head, start);
  const { report, unusable } = await checkChanges(options, change, start).finally(stages.end);
  const showOptions = showOptionsOf(parsed.arguments, terminal);
  for (const output of outputs.outputs) await writeOutput(output, report, showOptions, terminal);
  return unusable ? EXIT.usage : exitCodeOf(report);
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
      rows.map((row) => [nameColumn(row), describe2(row)]),
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

// src/door/render-command.ts
import { readFileSync } from "node:fs";
import { resolve as resolve3 } from "node:path";

// src/workspace/render/render-scope.ts
import { existsSync, statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import path from "node:path";
async function findRenderScope(directory, name) {
  const folder = path.resolve(directory, name);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkspaceError("path-not-found", `there is no folder \`${name}\``);
  }
  const real = await realpath(folder);
  const engine = existsSync(path.join(real, "Chart.yaml")) ? "helm" : "kustomize";
  const top = (await GitRepository.open(real))?.root ?? await realpath(directory);
  const below = path.relative(top, real);
  if (below !== ".." && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below)) {
    return { tree: folderTree(top), folder: slashed(below), engine, isBounded: true };
  }
  if (engine === "helm") return { tree: folderTree(real), folder: "", engine, isBounded: true };
  const { root } = path.parse(real);
  return { tree: folderTree(root), folder: slashed(path.relative(root, real)), engine, isBounded: false };
}
function slashed(name) {
  return name.replaceAll(path.sep, "/");
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
  if (folder === void 0 || more.length > 0) {
    return usageError(["expected one folder with a kustomization or a chart: `preadmit render <folder>`"], terminal);
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
function unusableOptions({ engine }, { texts, lists, flags }) {
  const given = (name) => texts.has(name) || lists.has(name) || flags.has(name);
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
    return readFileSync(resolve3(directory, file), "utf8");
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
import { statSync as statSync2 } from "node:fs";
import { basename, dirname, resolve as resolve4 } from "node:path";

// src/kubernetes/admission-review.ts
var OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
function readAdmissionReview(value) {
  if (!isJsonObject(value)) return { error: "expected an AdmissionReview, a JSON object" };
  const [apiVersion, kind] = [textField(value, "apiVersion"), textField(value, "kind")];
  if (apiVersion !== "admission.k8s.io/v1" || kind !== "AdmissionReview") {
    const found = [apiVersion, kind].filter((text2) => text2 !== "").join(" ") || "an object without apiVersion and kind";
    return { error: `expected admission.k8s.io/v1 AdmissionReview, found ${found}` };
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
  if (!OPERATIONS.includes(operation)) {
    return `\`request.operation\` is \`${operation}\`: expected one of ${OPERATIONS.join(", ")}`;
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
function readUserInfo(user) {
  const extra = [...objectOrEmpty(user.get("extra"))].map(([key, values]) => [
    key,
    textItems(values)
  ]);
  return {
    username: textField(user, "username"),
    uid: textField(user, "uid"),
    groups: textItems(user.get("groups")),
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
  constructor({ resources, kubernetesVersion }) {
    const converter = typedConverter({ kubernetesVersion, facts: resources });
    const cluster = new RepositoryCluster({
      version: kubernetesVersion,
      builtin: new BuiltinResources(kubernetesVersion.minor),
      resources,
      stored: (resource, mapping) => converter.convert(resource, mapping, requestNamespace(resource, mapping, "default")).object,
      defaultNamespace: "default",
      isComplete: true
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
    const outcomes = this.#loaded.map(
      (policies) => policies.evaluate(review.request, withDecisions ? record : void 0)
    );
    const fields = /* @__PURE__ */ new Map([
      ["kind", "AdmissionReview"],
      ["apiVersion", "admission.k8s.io/v1"],
      ["response", responseObject(review.uid, outcomes)]
    ]);
    if (withDecisions) fields.set("decisions", decisions);
    const undecided = outcomes.flatMap(({ evaluations }) => evaluations.filter(({ result }) => result === "unknown"));
    const unknowns = new Set(
      undecided.flatMap(({ policy, missing }) => missing.map((text2) => `${policy.name}: ${text2}`))
    );
    return { review: fields, unknowns: [...unknowns] };
  }
};
function responseObject(uid, outcomes) {
  const denial = outcomes.find((outcome) => outcome.denial !== void 0)?.denial;
  const warnings = outcomes.flatMap((outcome) => outcome.warnings);
  const auditAnnotations = new Map(outcomes.flatMap((outcome) => [...outcome.auditAnnotations]));
  const fields = /* @__PURE__ */ new Map([
    ["uid", uid],
    ["allowed", denial === void 0]
  ]);
  if (denial !== void 0) fields.set("status", statusObject(denial));
  if (auditAnnotations.size > 0) {
    fields.set("auditAnnotations", new Map([...auditAnnotations].sort(([a], [b]) => compareUtf8(a, b))));
  }
  if (warnings.length > 0) fields.set("warnings", warnings);
  return fields;
}
function statusObject({ message, reason, code, details }) {
  const shown = /* @__PURE__ */ new Map();
  if (details.name !== "") shown.set("name", details.name);
  if (details.group !== "") shown.set("group", details.group);
  shown.set("kind", details.kind);
  shown.set("causes", [/* @__PURE__ */ new Map([["message", details.cause]])]);
  return /* @__PURE__ */ new Map([
    ["metadata", /* @__PURE__ */ new Map()],
    ["status", "Failure"],
    ["message", message],
    ["reason", reason],
    ["details", shown],
    ["code", BigInt(code)]
  ]);
}
function decisionObject(decision) {
  const { policy, binding, param, index, action, evaluation, reason, message } = decision;
  return /* @__PURE__ */ new Map([
    ["policy", policy.name],
    ["binding", binding?.name ?? null],
    ["param", param === void 0 ? null : paramObject(param)],
    ["index", BigInt(index)],
    ["action", action],
    ["evaluation", evaluation],
    ["reason", reason],
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
    const problem = "problem" in read ? read.problem : { message: UNEXPECTED_EOF, start: text2.length };
    if (problem.message === UNEXPECTED_EOF && !isEnd && text2.length - start < MAX_LENGTH) return void 0;
    const isOnFirstLine = linesBetween(text2, start, problem.start) === 0;
    this.#skipTo = isOnFirstLine ? "\n" : "\n{";
    this.#drop(start);
    return { line: line + linesBetween(text2, start, problem.start), problem: problem.message };
  }
  /** False while what is to be passed over has not ended. */
  #skip() {
    if (this.#skipTo === void 0) return true;
    const found = this.#text.indexOf(this.#skipTo);
    if (found < 0) {
      this.#drop(this.#text.endsWith("\n") ? this.#text.length - 1 : this.#text.length);
      return false;
    }
    this.#skipTo = void 0;
    this.#drop(found + 1);
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
  for (let at = text2.indexOf("\n", from); at >= 0 && at < to; at = text2.indexOf("\n", at + 1)) lines++;
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
  const discoveries = await Promise.all(sources.map((path2) => discoverPath(resolve4(terminal.directory, path2))));
  const resources = withoutRepeats(discoveries).flatMap((discovery) => readResources(discovery, say));
  const reviewer = new Reviewer({ resources, kubernetesVersion: version });
  for (const { primary, severity, message } of reviewer.diagnostics) {
    const line = primary?.file.positionAt(primary.range.start).line;
    say(`${primary === void 0 ? "" : `${primary.file.path}:${line}: `}${severity}: ${message}`);
  }
  if (reviewer.boundPolicies === 0) {
    say("no ValidatingAdmissionPolicy with a binding among the files");
    return EXIT.nothingChecked;
  }
  return answerAll(terminal, reviewer, flags.has("decisions"), say);
}
function discoverPath(path2) {
  const isFolder = statSync2(path2, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? discover({ directory: path2 }) : discover({ directory: dirname(path2), paths: [basename(path2)] });
}
function withoutRepeats(discoveries) {
  const seen = /* @__PURE__ */ new Set();
  return discoveries.map((discovery) => ({
    ...discovery,
    files: discovery.files.filter(({ file }) => {
      const path2 = resolve4(discovery.root, file.path);
      const isNew = !seen.has(path2);
      seen.add(path2);
      return isNew;
    })
  }));
}
function readResources(discovery, say) {
  const { resources, skipped } = readRepository({ ...discovery, configuration: defaultConfiguration() }, UNOBSERVED);
  for (const { path: path2, line, reason } of skipped) {
    if (reason === "empty-document") continue;
    say(`${path2}${line === void 0 ? "" : `:${line}`}: not read: ${reason}`);
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

// src/door/command-line.ts
var RUNNERS = /* @__PURE__ */ new Map([
  ["check", checkCommand],
  ["diff", diffCommand],
  ["merge", mergeCommand],
  ["baseline", baselineCommand],
  ["cel", celCommand],
  ["render", renderCommand],
  ["review", reviewCommand]
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
  input: () => process.stdin.setEncoding("utf8"),
  today: (/* @__PURE__ */ new Date()).toISOString().slice(0, 10),
  lines: () => createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
});
