import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  BuiltinResources,
  COUNTED,
  Classifier,
  DocumentReader,
  FAIL_ON_LEVELS,
  KUSTOMIZATION_NAMES,
  KustomizationGraph,
  MAXIMUM_FILES,
  MAXIMUM_INPUT_BYTES,
  MAXIMUM_TOTAL_BYTES,
  NOTHING_UNLISTED,
  OTHER_POLICIES,
  POLICIES_FROM,
  REPORT_SCHEMA_VERSION,
  ReportBuilder,
  RootBuilder,
  SKIP_REASONS,
  SourceFile,
  TargetEvaluator,
  UNOBSERVED,
  UNUSED_ENTRY,
  Unknowns,
  WorkspaceError,
  addUnlisted,
  append,
  askedVersion,
  assembleReport,
  assumptions,
  baseName,
  baselineOf,
  blastRadiusHeadline,
  chooseFiles,
  compareFindings,
  comparePaths,
  contextGlobs,
  count,
  defaultConfiguration,
  discover,
  emptyTarget,
  findingsOf,
  folderOf,
  formatVersion,
  isJsonArray,
  isJsonObject,
  isKustomization,
  isSameJson,
  joinPaths,
  labelsOf,
  languagesOf,
  lazyEngine,
  listEntry,
  listedTree,
  loadConfiguration,
  looksLikeManifest,
  nearestName,
  objectOrEmpty,
  overrideConfiguration,
  placeOf,
  reaches,
  readConfigurationFile,
  readFiles,
  readLabelSelector,
  readRepository,
  reasonOf,
  reportOptions,
  reporters,
  resourceLabel,
  resourceName,
  resourcesOf,
  sanitizeLine,
  selectorMatches,
  sentencesOf,
  spokenLanguages,
  startOf,
  stringifyJson,
  sumKinds,
  targetOf,
  targetVersion,
  textField,
  typedConverter,
  unevaluatedPolicies,
  unmatchedGlobs,
  unrendered,
  unusable,
  versionProblem
} from "./chunk-GVPQBRRY.js";

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
function exitCodeOf({ verdict: { conclusion, failOn }, shard }) {
  if (shard !== void 0) return EXIT.allowed;
  if (conclusion === "denied") return EXIT.denied;
  return conclusion === "nothing-checked" && failOn !== "never" ? EXIT.nothingChecked : EXIT.allowed;
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
var BASELINE_CHECK_OPTIONS = /* @__PURE__ */ new Set(["baseline", "config", "policies", "kubernetes-version", "fail-on"]);
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
var DIFF_OPTIONS = [
  ...CHECK_OPTIONS.filter(({ name }) => name !== "shard"),
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
  }
];
var CEL_OPTIONS = [
  {
    name: "object",
    kind: "text",
    value: "<file>",
    help: "manifest to bind to `object`, as the API server would hold it",
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
    allowed: ["yaml"],
    help: "how to write it",
    default: "yaml",
    group: "output"
  }
];

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
    count(stage, what, number2) {
      const ofStage = counts.get(stage) ?? /* @__PURE__ */ new Map();
      counts.set(stage, ofStage.set(what, (ofStage.get(what) ?? 0) + number2));
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
        const numbers = [...counts.get(stage) ?? []].map(([what, number2]) => `, ${number2} ${what}`).join("");
        write(`${stage}: ${spent.toFixed(0)} ms${numbers}
`);
      }
    }
  };
}

// src/door/terminal.ts
function usageError(problems, terminal) {
  for (const problem of problems) terminal.err(`preadmit: ${sanitizeLine(problem)}
`);
  return EXIT.usage;
}

// src/door/check-changes.ts
import { relative, resolve, sep } from "node:path";

// src/engine/match-objects.ts
function matchObjects(base, head, identityOf2) {
  const groups = groupByIdentity(base, head, identityOf2);
  const matched = {
    created: [],
    updated: [],
    deleted: [],
    unchanged: [],
    repeated: [],
    unmatched: []
  };
  for (const group of groups) {
    const [first] = [...group.head, ...group.base];
    const isRepeated = group.isNamed && Math.max(group.base.length, group.head.length) > 1;
    if (isRepeated && first !== void 0) matched.repeated.push(first);
    const pairs = new Pairing(group);
    pairs.take((resource) => resource, matched.unchanged);
    pairs.takeEqual(matched.unchanged);
    if (group.isNamed) {
      pairs.takeChanged((resource) => resource.manifest.file.path, matched.updated);
      pairs.takeChanged(() => "", matched.updated);
      append(matched.deleted, pairs.base);
    } else append(matched.unmatched, pairs.base.slice(0, 1));
    append(matched.created, pairs.head);
  }
  return matched;
}
function groupByIdentity(base, head, identityOf2) {
  const groups = /* @__PURE__ */ new Map();
  const groupOf = (resource) => {
    const identity = identityOf2(resource);
    const { group: apiGroup, kind } = resource.gvk;
    const key = identity ?? ["", apiGroup, kind, resource.namespace, resource.generateName].join("\0");
    const group = groups.get(key) ?? { isNamed: identity !== void 0, base: [], head: [] };
    groups.set(key, group);
    return group;
  };
  for (const resource of head) groupOf(resource).head.push(resource);
  for (const resource of base) groupOf(resource).base.push(resource);
  return groups.values();
}
var Pairing = class {
  base;
  head;
  constructor({ base, head }) {
    this.base = base;
    this.head = head;
  }
  /** Texts may agree where values do not (`1` and `1.0`), so the values are compared too. */
  takeEqual(unchanged) {
    if (this.base.length === 0 || this.head.length === 0) return;
    const text2 = ({ value }) => stringifyJson(value, { sortKeys: true, escapeHtml: false });
    this.#pair(text2, (resource, old) => {
      if (!isSameJson(resource.value, old.value)) return false;
      unchanged.push(resource);
      return true;
    });
  }
  take(keyOf, unchanged) {
    this.#pair(keyOf, (resource) => unchanged.push(resource) > 0);
  }
  takeChanged(keyOf, updated) {
    this.#pair(keyOf, (resource, old) => updated.push({ resource, old }) > 0);
  }
  #pair(keyOf, accept) {
    if (this.base.length === 0 || this.head.length === 0) return;
    const byKey = /* @__PURE__ */ new Map();
    for (const old of this.base) {
      const key = keyOf(old);
      const same = byKey.get(key);
      if (same === void 0) byKey.set(key, [old]);
      else same.push(old);
    }
    for (const same of byKey.values()) same.reverse();
    const paired = /* @__PURE__ */ new Set();
    this.head = this.head.filter((resource) => {
      const same = byKey.get(keyOf(resource));
      const old = same?.at(-1);
      if (old === void 0 || !accept(resource, old)) return true;
      same?.pop();
      paired.add(old);
      return false;
    });
    this.base = this.base.filter((old) => !paired.has(old));
  }
};

// src/report/first-difference.ts
var MAX_DEPTH = 40;
function firstDifference(before, after) {
  const path = [];
  let [old, now] = [before, after];
  while (path.length < MAX_DEPTH) {
    const earlier = old;
    const different = childrenOf(now).find(([key2, value2]) => {
      const same = childOf(earlier, key2);
      return same === void 0 || !isSameJson(same, value2);
    });
    if (different === void 0) break;
    const [key, value] = different;
    path.push(key);
    [old, now] = [childOf(old, key), value];
    if (old === void 0) break;
  }
  return { path, part: isJsonArray(now) || isJsonObject(now) ? "key" : "value" };
}
function childrenOf(value) {
  if (isJsonArray(value)) return [...value.entries()];
  return isJsonObject(value) ? [...value] : [];
}
function childOf(value, key) {
  if (typeof key === "number") return isJsonArray(value) ? value[key] : void 0;
  return isJsonObject(value) ? value.get(key) : void 0;
}

// src/report/blast-radius.ts
var RANK = { denied: 0, warned: 1, audited: 2, allowed: 3 };
var MAX_NAMED = 5;
var BlastRadiusBuilder = class {
  #causes = /* @__PURE__ */ new Map();
  #entries = [];
  /** Of each entry that is worse than before, the findings that make it so. */
  #reasons = /* @__PURE__ */ new Map();
  /** `old`: what base has instead. */
  addCause(resource, change, old) {
    const told = { resource: resourceName(resource, resource.namespace), change, path: resource.manifest.file.path };
    const { path, part } = old === void 0 ? { path: ["metadata", "name"], part: "value" } : firstDifference(old.value, resource.value);
    const location = change === "deleted" ? void 0 : resource.locate(path, part);
    this.#causes.set(JSON.stringify(told), { told, location });
  }
  /** The same request under base's rules and under head's. `isKept`: findings of base that the change leaves as they are. */
  add(before, after, target, isKept = () => false) {
    const old = findingsOf(before, target).findings;
    const now = [...findingsOf(after, target).findings, ...old.filter(isKept)];
    const [outcomeBefore, outcomeAfter] = [outcomeOf(old), outcomeOf(now)];
    const { findings, fixed } = compareFindings(now, old);
    const added = findings.filter(({ status }) => status === "new");
    if (outcomeBefore === outcomeAfter && added.length + fixed.length === 0) return;
    const { resource, request } = after;
    const entry = {
      target,
      resource: resourceName(resource, request.namespace),
      before: outcomeBefore,
      after: outcomeAfter,
      added: added.length,
      removed: fixed.length,
      policies: policyNames(added.length + fixed.length > 0 ? [...added, ...fixed] : now),
      ...added[0] && { message: added[0].message },
      primary: added[0]?.primary ?? placeOf(resource.locate(["kind"], "value"))
    };
    this.#entries.push(entry);
    if (isWorse(entry)) this.#reasons.set(entry, added.length > 0 ? added : now);
  }
  /** Undefined if no rule changed. */
  build() {
    if (this.#causes.size === 0) return void 0;
    const isOther = ({ before, after }) => before !== after;
    const count2 = (matches) => this.#entries.filter(matches).length;
    return {
      causes: [...this.#causes.values()].map(({ told }) => told).sort((a, b) => compareText(a.path, b.path)),
      denied: count2((entry) => isOther(entry) && entry.after === "denied"),
      allowed: count2((entry) => isOther(entry) && entry.before === "denied" && entry.after !== "warned"),
      warned: count2((entry) => isOther(entry) && entry.after === "warned"),
      stricter: count2((entry) => !isOther(entry) && entry.added > 0),
      worse: this.#reasons.size,
      entries: this.#entries.sort(compareEntries)
    };
  }
  /** After `build`: a warning on each changed rule that means worse for some objects. */
  stricterRules() {
    const causes = [...this.#causes.values()];
    const entriesOf = new Map(causes.map((cause) => [cause, []]));
    for (const entry of this.#entries) {
      const reasons = this.#reasons.get(entry);
      if (reasons === void 0) continue;
      const named = causes.filter(({ told }) => reasons.some((finding) => isNamedBy(told.resource, finding)));
      for (const cause of named.length > 0 ? named : causes) entriesOf.get(cause)?.push(entry);
    }
    return [...entriesOf].flatMap(([{ told, location }, entries]) => {
      if (entries.length === 0) return [];
      const words = blastRadiusHeadline({
        denied: entries.filter(({ before, after }) => before !== after && after === "denied").length,
        warned: entries.filter(({ before, after }) => before !== after && after === "warned").length,
        allowed: 0,
        stricter: entries.filter(({ before, after }) => before === after).length
      });
      const subject = `${told.change} ${told.resource.kind} \`${told.resource.name}\``;
      const diagnostic = {
        code: "stricter-rule",
        severity: "warning",
        message: `once the ${subject} is merged, ${words}`,
        ...location && { primary: location },
        related: [],
        help: "mend these objects first, or let the binding warn until they are"
      };
      return [{ diagnostic, objects: entries.slice(0, MAX_NAMED).map(asRelated) }];
    });
  }
};
function asRelated({ resource, before, after, primary }) {
  return { message: `${resourceLabel(resource)}: ${before} → ${after}`, place: primary };
}
function isWorse({ before, after, added }) {
  return RANK[after] < RANK[before] || before === after && added > 0;
}
function isNamedBy({ kind, namespace, name }, { policy, binding, param, resource }) {
  if (kind === policy.kind) return name === policy.name;
  if (kind === "Namespace") return name === resource.namespace;
  if (param !== void 0 && kind === param.kind && name === param.name && namespace === param.namespace) return true;
  return kind.endsWith("Binding") && name === binding;
}
function policyNames(findings) {
  return [...new Set(findings.map(({ policy }) => policy.name))].sort();
}
function outcomeOf(findings) {
  const decided = findings.filter(({ result }) => result !== "unknown");
  const has = (action) => decided.some(({ actions }) => actions.includes(action));
  if (has("Deny")) return "denied";
  if (has("Warn")) return "warned";
  return has("Audit") ? "audited" : "allowed";
}
function compareEntries(a, b) {
  return RANK[a.after] - RANK[b.after] || compareText(a.primary.path, b.primary.path) || a.primary.startLine - b.primary.startLine || compareText(a.resource.name, b.resource.name) || compareText(a.target, b.target);
}
function compareText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// src/report/matching-unknowns.ts
function matchingUnknowns({ repeated, unmatched }) {
  const unknowns = [];
  if (repeated.length > 0) {
    const verb = repeated.length === 1 ? "is" : "are";
    const after = `${verb} written more than once; each copy counts as an object of its own, and one that goes is a deletion`;
    unknowns.push({ before: `${listOfObjects(repeated)} ${after}`, after: "" });
  }
  if (unmatched.length > 0) {
    const after = "the server completes the name, so one that is changed counts as created, and none as deleted";
    unknowns.push({ before: `${listOfObjects(unmatched)}: ${after}`, after: "" });
  }
  return unknowns;
}
var MAX_LISTED_OBJECTS = 5;
function listOfObjects(resources) {
  const labels = resources.map((resource) => resourceLabel(resourceName(resource, resource.namespace)));
  const rest = labels.length - MAX_LISTED_OBJECTS;
  return rest > 0 ? `${labels.slice(0, MAX_LISTED_OBJECTS).join(", ")} and ${count(rest, "more object")}` : labels.join(", ");
}

// src/pipeline/no-longer-evaluated.ts
function noLongerEvaluated(base, head) {
  return new Comparison(base, head).diagnostics();
}
var BUILT_FROM = /* @__PURE__ */ new Set([
  "kustomize-patch",
  "kustomize-input",
  "helm-template",
  "helm-values",
  "helm-chart-file"
]);
var MANIFEST_NAME = /\.(?:ya?ml|json)$/i;
var Comparison = class {
  #base;
  #head;
  #before;
  #after;
  #known;
  constructor(base, head) {
    this.#base = base;
    this.#head = head;
    this.#before = new Judged(base.content);
    this.#after = new Judged(head.content);
    this.#known = knownReasons(base.content, head.state.paths);
  }
  diagnostics() {
    const { left, written } = this.#head.content;
    const found = left.flatMap((document) => this.#ofLeft(document));
    for (const { resource, selected } of written) {
      if (selected) append(found, this.#ofBuilt(resource));
    }
    for (const root of this.#head.content.roots) append(found, this.#ofRoot(root));
    append(found, this.#ofFiles());
    return found;
  }
  /** A document that is no manifest, as far as its words, its place and other files say. */
  #ofLeft(document) {
    const { file, reason, manifest } = document;
    if (reason === "configured-skip" || reason === "empty-document" || reason === "kustomization") return [];
    if (manifest === void 0) return this.#ofUnreadable(document);
    const meaning = SKIP_REASONS[reason].meaning;
    return objectsIn(document).flatMap((resource) => {
      const identity = identityOf(resource);
      const wasJudgedHere = this.#before.judges(file.path, identity);
      if (!wasJudgedHere && this.#isKnown(document, identity)) return [];
      const wasJudged = wasJudgedHere || this.#vanished(identity);
      if (!wasJudged && (!SKIP_REASONS[reason].mayHideManifest || !isShaped(resource.value))) return [];
      if (this.#isProven(file.path, reason, resource, wasJudged)) return [];
      const isEncryption = reason === "sops-encrypted" && !wasJudged && isSecret(resource);
      return [diagnosticOf(resource, wasJudged, meaning, isEncryption ? "notice" : "error")];
    });
  }
  /** What a controller would refuse too, or fill in first; only what looks like an object is missed. */
  #ofUnreadable({ file, reason, range }) {
    const { path } = file;
    const gone = this.#before.at(path).filter((identity) => !this.#after.hasAt(path, identity));
    if (reason === "does-not-parse" && looksLikeManifest(file.text)) return [];
    const isObject2 = looksLikeManifest(file.text.replaceAll("\0", ""));
    if (gone.length === 0 && (!isObject2 || this.#isKnown({ file, reason }, ""))) return [];
    if (gone.length === 0 && BUILT_FROM.has(reason) && this.#head.content.inputs.get(path) === true) return [];
    if (reason === "helm-template" && this.#head.content.inputs.get(path) === true) return [];
    const what = gone.length === 0 ? "what looks like an object" : nameOf(gone[0]);
    return [
      {
        code: "no-longer-evaluated",
        severity: "error",
        message: messageOf(what, gone.length > 0, SKIP_REASONS[reason].meaning),
        primary: { file, range: range ?? { start: 0, end: 0 } },
        related: [],
        help: HELP
      }
    ];
  }
  /** A manifest that something is built of: the root has to make an object of it. */
  #ofBuilt(resource) {
    const { path } = resource.manifest.file;
    const isBuilt = this.#head.content.inputs.get(path);
    if (isBuilt === void 0) return [];
    const identity = identityOf(resource);
    const wasBuilt = this.#base.content.inputs.get(path);
    const wasWritten = this.#before.isWrittenAt(path, identity);
    if (wasWritten && wasBuilt === isBuilt) return [];
    const wasJudged = this.#before.judges(path, identity) || this.#vanished(identity);
    if (isBuilt && this.#isEmitted(path, resource)) return [];
    const reason = isBuilt ? "what reads the file makes no object of it" : SKIP_REASONS["not-rendered"].meaning;
    return [diagnosticOf(resource, wasJudged, reason, "error")];
  }
  /** A root that applied something and of which nothing is known any more. */
  #ofRoot({ name, failure, location }) {
    if (failure === void 0) return [];
    const before = this.#base.content.roots.filter((root) => root.name === name);
    const lost = before.flatMap((root) => root.failure === void 0 ? root.manifests : []);
    if (lost.length === 0) return [];
    return [
      {
        code: "no-longer-evaluated",
        severity: "error",
        message: `what ${name} applies is not evaluated any more, ${lost.length} documents before the change: it cannot be rendered`,
        primary: location,
        related: [],
        help: HELP
      }
    ];
  }
  /** Files of which nothing is known but the name. */
  #ofFiles() {
    const before = new Set(
      [...this.#base.state.notRead, ...unparsed(this.#base.content)].map(({ path, reason }) => `${reason}\0${path}`)
    );
    const entries = [...this.#head.state.notRead, ...unparsed(this.#head.content)];
    return entries.flatMap(({ path, reason }) => {
      if (reason === "excluded" || reason === "untracked" || before.has(`${reason}\0${path}`)) return [];
      const gone = this.#before.at(path);
      if (gone.length === 0 && (!MANIFEST_NAME.test(path) || this.#leadsToRead(path, reason))) return [];
      if (gone.length === 0 && this.#head.content.inputs.get(path) === true) return [];
      const what = gone.length === 0 ? "a file named like a manifest" : nameOf(gone[0]);
      return [
        {
          code: "no-longer-evaluated",
          severity: "error",
          message: messageOf(what, gone.length > 0, SKIP_REASONS[reason].meaning),
          primary: { file: new SourceFile(path, ""), range: { start: 0, end: 0 } },
          related: [],
          help: HELP
        }
      ];
    });
  }
  #leadsToRead(path, reason) {
    const target = reason === "symbolic-link" ? this.#head.state.tree?.target(path) : void 0;
    if (target === void 0 || target.startsWith("/")) return false;
    const file = joinPaths(folderOf(path), target);
    return this.#head.state.files.some((found) => found.selected && found.file.path === file);
  }
  #isKnown(document, identity) {
    const isNewFile = !this.#base.state.paths.has(document.file.path);
    return this.#known.has(knownKey(document, identity)) || isNewFile && this.#known.has(`${document.reason}\0${identity}`);
  }
  /** Judged at base, somewhere, and nowhere now; one that is still written as a manifest somewhere is looked at there. */
  #vanished(identity) {
    return this.#before.has(identity) && !this.#after.has(identity) && !this.#after.isWritten(identity);
  }
  #isProven(path, reason, resource, wasJudged) {
    if (this.#head.content.inputs.get(path) !== true) return false;
    if (!wasJudged && BUILT_FROM.has(reason)) return true;
    return this.#isEmitted(path, resource);
  }
  /** True if a root that could be built applies an object that this document is the text of. */
  #isEmitted(path, { gvk }) {
    return this.#head.content.roots.some(
      ({ inputs, failure, manifests }) => failure === void 0 && inputs.has(path) && manifests.some(
        (manifest) => kindOf(manifest.value) === gvk.kind && manifest.place(["kind"], "key").file.path === path
      )
    );
  }
};
var Judged = class {
  #identities = /* @__PURE__ */ new Set();
  #atPath = /* @__PURE__ */ new Map();
  #written = /* @__PURE__ */ new Set();
  #writtenAnywhere = /* @__PURE__ */ new Set();
  constructor({ resources, written, inputs }) {
    for (const { resource, selected } of resources) if (selected) this.#identities.add(identityOf(resource));
    for (const { resource, selected } of written) {
      const { path } = resource.manifest.file;
      const identity = identityOf(resource);
      if (!selected) continue;
      this.#writtenAnywhere.add(identity);
      this.#written.add(`${path}\0${identity}`);
      if (inputs.get(path) === false) continue;
      const known = this.#atPath.get(path);
      if (known === void 0) this.#atPath.set(path, /* @__PURE__ */ new Set([identity]));
      else known.add(identity);
    }
  }
  has(identity) {
    return this.#identities.has(identity);
  }
  judges(path, identity) {
    return this.#atPath.get(path)?.has(identity) === true;
  }
  hasAt(path, identity) {
    return this.judges(path, identity) || this.has(identity);
  }
  at(path) {
    return [...this.#atPath.get(path) ?? []];
  }
  isWritten(identity) {
    return this.#writtenAnywhere.has(identity);
  }
  isWrittenAt(path, identity) {
    return this.#written.has(`${path}\0${identity}`);
  }
};
var HELP = "undo what hides it, or have `skip` of the configuration say why it is never applied, in a change of its own before this one";
function diagnosticOf(resource, wasJudged, meaning, severity) {
  return {
    code: "no-longer-evaluated",
    severity,
    message: messageOf("this object", wasJudged, meaning),
    primary: resource.locate(["kind"], "value"),
    related: [],
    help: HELP,
    resource,
    namespace: resource.namespace
  };
}
function messageOf(what, wasJudged, meaning) {
  return wasJudged ? `${what} is not evaluated any more: ${meaning}` : `${what} is new and not evaluated: ${meaning}`;
}
function knownReasons({ left }, headPaths) {
  const known = /* @__PURE__ */ new Set();
  for (const document of left) {
    const identities = document.manifest === void 0 ? [""] : objectsIn(document).map(identityOf);
    for (const identity of identities) {
      known.add(knownKey(document, identity));
      if (!headPaths.has(document.file.path)) known.add(`${document.reason}\0${identity}`);
    }
  }
  return known;
}
function knownKey({ file, reason }, identity) {
  return `${reason}\0${file.path}\0${identity}`;
}
function unparsed({ skipped }) {
  return skipped.flatMap(({ path, reason }) => reason === "too-many-documents" ? [{ path, reason }] : []);
}
function objectsIn({ manifest }) {
  if (manifest === void 0) return [];
  return resourcesOf(manifest).flatMap((result) => "resource" in result ? [result.resource] : []);
}
function isShaped(value) {
  return isJsonObject(value) && isJsonObject(value.get("metadata")) && !isJsonArray(value.get("items"));
}
function isSecret({ gvk }) {
  return gvk.group === "" && gvk.kind === "Secret";
}
function kindOf(value) {
  return isJsonObject(value) ? textField(value, "kind") : "";
}
function identityOf({ gvk, namespace, name, generateName }) {
  return [gvk.group, gvk.kind, namespace, name === "" ? `${generateName}*` : name].join("\0");
}
function nameOf(identity) {
  const [, kind = "", namespace = "", name = ""] = identity.split("\0");
  return `\`${kind} ${namespace === "" ? "" : `${namespace}/`}${name}\``;
}

// src/pipeline/scope/plain-values.ts
var PLAIN_TEXT = /^[\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff]*$/;
var ENTRY = /^( *)((?:- +)*)(?:("?)([\w./-]+)\3:(?: +|$))?(.*)$/;
var QUOTED = /^(?:"([^"\\]*)"|'([^']*)')$/;
var UNQUOTED = /^(?:[\w./~+(]|-(?! |$))(?:[^:]|:(?! |$))*$/;
var BLOCK_HEADERS = ["|", ">", "|+", ">+"];
var STRIPPED_BLOCK_HEADERS = ["|-", ">-"];
var EMPTY_COLLECTIONS = ["[]", "{}"];
function plainValues(text2, ignoredKey) {
  if (!PLAIN_TEXT.test(text2)) return void 0;
  const values = [];
  let valueIndent = Number.POSITIVE_INFINITY;
  let isInBlock = false;
  for (const line of text2.split("\n")) {
    if (line === "---") {
      valueIndent = Number.POSITIVE_INFINITY;
      isInBlock = false;
      continue;
    }
    const [, spaces = "", dashes = "", , key, rest = ""] = ENTRY.exec(line) ?? [];
    const isEntry = dashes !== "" || key !== void 0;
    if (!isEntry && (rest === "" || rest.startsWith("#"))) continue;
    if (spaces.length > valueIndent) {
      if (isInBlock) continue;
      return void 0;
    }
    if (!isEntry) return void 0;
    const written = withoutComment(rest);
    isInBlock = BLOCK_HEADERS.includes(written) || key === ignoredKey && STRIPPED_BLOCK_HEADERS.includes(written);
    const indent = spaces.length + (key === void 0 ? dashes.trimEnd().length - 1 : dashes.length);
    valueIndent = written === "" ? Number.POSITIVE_INFINITY : indent;
    if (isInBlock || written === "" || EMPTY_COLLECTIONS.includes(written)) continue;
    const value = UNQUOTED.test(written) ? written : unquoted(written);
    if (value === void 0) return void 0;
    values.push(value);
  }
  return values;
}
function withoutComment(rest) {
  const comment = rest.startsWith("#") ? 0 : rest.indexOf(" #");
  return (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
}
function unquoted(written) {
  const [, double, single] = QUOTED.exec(written) ?? [];
  return double ?? single;
}

// src/pipeline/scope/relevant-references.ts
function relevantReferences(referring, read, examined, mayMention) {
  const references = new References(referring, mayMention);
  const relevant = /* @__PURE__ */ new Set();
  for (const { path } of read) for (const file of references.to(path)) relevant.add(file);
  const builtOn = /* @__PURE__ */ new Set();
  const pending = [...examined].map(({ path }) => path);
  for (let target = pending.pop(); target !== void 0; target = pending.pop()) {
    if (builtOn.has(target)) continue;
    builtOn.add(target);
    for (const file of references.to(target)) {
      relevant.add(file);
      pending.push(folderOf(file.path));
    }
  }
  return referring.filter((file) => relevant.has(file) || builtOn.has(folderOf(file.path)));
}
var ORDINARY_NAME = /^[\w.~@-]+$/;
var INLINE_PATCH = "patch";
var References = class {
  #mayMention;
  #files;
  /** By the last name in them; those that end in a step up or in none are under the empty name. */
  #byName = /* @__PURE__ */ new Map();
  /** Files that have to be parsed to know what they refer to. */
  #opaque = [];
  constructor(files, mayMention) {
    this.#files = files;
    this.#mayMention = mayMention;
    for (const file of files) {
      const values = plainValues(file.text, INLINE_PATCH);
      if (values === void 0) this.#opaque.push(file);
      else for (const text2 of values) this.#add({ file, text: text2 });
    }
  }
  /** Files with a reference that may lead to the path, that of a file or a folder; but not from the folder itself. */
  *to(target) {
    if (target.includes("\n")) yield* this.#files;
    const name = baseName(target);
    for (const { file, text: text2 } of [...this.#byName.get(name) ?? [], ...this.#byName.get("") ?? []]) {
      const folder = folderOf(file.path);
      if (folder !== target && joinPaths(folder, text2).replace(/\/$/, "") === target) yield file;
    }
    for (const file of this.#opaque) {
      const folder = folderOf(file.path);
      const word = target === "." || folder.startsWith(`${target}/`) ? ".." : name;
      if (folder !== target && (!ORDINARY_NAME.test(word) || this.#mayMention(file, word))) yield file;
    }
  }
  /** As kustomizations write references: a path, or `key=path`. */
  #add({ file, text: text2 }) {
    this.#addPath({ file, text: text2 });
    const equals = text2.indexOf("=");
    if (equals >= 0) this.#addPath({ file, text: text2.slice(equals + 1) });
  }
  #addPath(reference) {
    const last = baseName(reference.text);
    const name = last === "." || last === ".." ? "" : last;
    const others = this.#byName.get(name);
    if (others === void 0) this.#byName.set(name, [reference]);
    else others.push(reference);
  }
};

// src/pipeline/scope/rule-resources.ts
var RBAC_GROUP = "rbac.authorization.k8s.io";
var CRD_GROUP = "apiextensions.k8s.io";
var RuleResources = class {
  #languages;
  references;
  hasPolicies;
  asksAuthorizer;
  constructor(languages, resources) {
    const all = [...resources];
    const accepted = languages.map((language) => ({ language, own: all.filter(language.accepts) }));
    this.#languages = languages;
    this.hasPolicies = accepted.some(({ own }) => own.length > 0);
    this.references = accepted.map(({ language, own }) => language.references(own));
    this.asksAuthorizer = this.references.some(({ asksAuthorizer }) => asksAuthorizer);
  }
  isPolicy(resource) {
    return this.#languages.some((language) => language.accepts(resource));
  }
  isRule(resource) {
    const { group } = resource.gvk;
    if (this.isPolicy(resource) || isNamespace(resource) || isCustomResourceDefinition(resource)) return true;
    if (this.asksAuthorizer && group === RBAC_GROUP) return true;
    return this.references.some((references) => isReferredTo(resource, references));
  }
};
function isReferredTo({ gvk, name, value }, { kinds, objects }) {
  if (!kinds.some(({ group, kind }) => group === gvk.group && kind === gvk.kind)) return false;
  return objects.some((reference) => {
    if (reference.selector === void 0) return reference.name === name;
    const selector = readLabelSelector(reference.selector);
    return "error" in selector || selectorMatches(selector, labelsOf(value));
  });
}
function isNamespace({ gvk }) {
  return gvk.group === "" && gvk.kind === "Namespace";
}
function isCustomResourceDefinition({ gvk }) {
  return gvk.group === CRD_GROUP && gvk.kind === "CustomResourceDefinition";
}

// src/pipeline/scope/text-words.ts
var DISGUISE = /\\(?:x|u00|U000000)(?:2[d-fD-F]|3[0-9aA]|[4-7][0-9a-fA-F])|![^\s%]{0,64}(?:binary|%)|%TAG/;
var CONTINUATION = /\\(?:\r\n?|[\n\u0085\u2028\u2029])[ \t]*/g;
var CONTINUING_BREAKS = ["\\\r", "\\\n", "\\", "\\\u2028", "\\\u2029"];
var DOCUMENT_START = /[\r\n]---/;
var START_OF_VALUE = `(?:^|[\\r\\n\\u0085\\u2028\\u2029:,[{?-])[ \\t]*(?:[&!]\\S{0,100}[ \\t]+){0,2}["']?`;
var END_OF_VALUE = `["']?[ \\t]*(?:[#,}\\]\\r\\n\\u0085\\u2028\\u2029]|$)`;
var LISTS = "(?:List){0,8}";
var TextWords = class {
  #searchable = /* @__PURE__ */ new Map();
  #patterns = /* @__PURE__ */ new Map();
  /** False only if no value or key of the text contains the word. */
  mayMention(file, word) {
    return this.#search(file, (text2) => text2.includes(word));
  }
  /** False only if the text has no object of the kind, nor a List of them. */
  mayHaveKind(file, kind) {
    const pattern = this.#pattern(kind, LISTS);
    return this.#search(file, (text2) => text2.includes(kind) && pattern.test(text2));
  }
  /** False only if no document of the text has an object of the kind, or a List of them, and the value; the empty one is in all. */
  mayHaveObject(file, kind, value) {
    const [ofKind, ofValue] = [this.#pattern(kind, LISTS), this.#pattern(value, "")];
    return this.#search(file, (text2) => {
      if (!text2.includes(kind) || !text2.includes(value) || !ofKind.test(text2)) return false;
      if (value === "") return true;
      return text2.split(DOCUMENT_START).some((part) => ofKind.test(part) && ofValue.test(part));
    });
  }
  #search(file, isIn) {
    const { text: text2, joined, hides } = this.#searchableOf(file);
    return hides || isIn(text2) || joined !== void 0 && isIn(joined);
  }
  #searchableOf(file) {
    let searchable = this.#searchable.get(file);
    if (searchable === void 0) {
      const { text: text2 } = file;
      const hasBackslash = text2.includes("\\");
      const isContinued = hasBackslash && CONTINUING_BREAKS.some((mark) => text2.includes(mark));
      const joined = isContinued ? text2.replace(CONTINUATION, "") : text2;
      const hides = (hasBackslash || text2.includes("!") || text2.includes("%TAG")) && DISGUISE.test(text2);
      searchable = { text: text2, joined: joined === text2 ? void 0 : joined, hides };
      this.#searchable.set(file, searchable);
    }
    return searchable;
  }
  #pattern(word, suffix) {
    const key = word + suffix;
    let pattern = this.#patterns.get(key);
    if (pattern === void 0) {
      const literal = word.replace(/[^A-Za-z0-9]/g, "\\$&");
      pattern = new RegExp(`${literal}(?<=${START_OF_VALUE}${literal})${suffix}${END_OF_VALUE}`);
      this.#patterns.set(key, pattern);
    }
    return pattern;
  }
};

// src/pipeline/scope/reading-scope.ts
function readingScope(options) {
  return new ScopeFinder(options).find();
}
var REFERRING_WORDS = ["kustomize.config.k8s.io", "chainsaw.kyverno.io"];
var DECLARING_GROUPS = ["toolkit.fluxcd.io", "argoproj.io"];
var VALUE_FIELDS = ["substituteFrom", "valuesFrom"];
var ScopeFinder = class {
  #options;
  #words = new TextWords();
  #all;
  #read = /* @__PURE__ */ new Set();
  #examined = /* @__PURE__ */ new Set();
  #policyFiles;
  #rules;
  #made;
  constructor(options) {
    this.#options = options;
    this.#all = new Set([...options.head.files, ...options.base.files].map(({ file }) => file));
    this.#policyFiles = [...this.#all].filter((file) => this.#mayHavePolicy(file));
    this.#rules = new RuleResources(options.languages, this.#resourcesOf(this.#policyFiles));
  }
  find() {
    const { base, head, everything } = this.#options;
    const referring = [...this.#all].filter((file) => this.#isReferring(file));
    const changed = this.#changedFiles(referring);
    const changedPaths2 = new Set([...changed].map(({ path }) => path));
    for (const file of changed) this.#examined.add(file);
    if (everything || !this.#examineWhatRulesConcern(changed)) {
      const examined = new Set([...this.#all].map(({ path }) => path));
      return {
        extent: "repository",
        changed: changedPaths2,
        examined,
        base: base.files,
        head: head.files,
        classifiers: void 0,
        kustomizationsOf: (state) => this.#kustomizationsOf(state)
      };
    }
    for (const file of [...this.#policyFiles, ...this.#examined]) this.#read.add(file);
    this.#readFacts();
    this.#readDeclarations();
    return {
      extent: "changes",
      changed: changedPaths2,
      examined: new Set([...this.#examined].map(({ path }) => path)),
      base: base.files.filter(({ file }) => this.#read.has(file)),
      head: head.files.filter(({ file }) => this.#read.has(file)),
      classifiers: this.#classifiers(referring),
      kustomizationsOf: (state) => this.#kustomizationsOf(state)
    };
  }
  #mayHavePolicy(file) {
    const words = this.#words;
    const isOf = ({ kinds, word }) => (word === void 0 || words.mayMention(file, word)) && kinds.some((kind) => words.mayHaveKind(file, kind));
    const isOther = ({ group, kinds }) => words.mayMention(file, group) && (kinds === void 0 || kinds.some((kind) => words.mayHaveKind(file, kind)));
    return this.#options.languages.some(isOf) || OTHER_POLICIES.some(isOther);
  }
  #isReferring(file) {
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    if (KUSTOMIZATION_NAMES.has(name)) return true;
    return REFERRING_WORDS.some((word) => this.#words.mayMention(file, word));
  }
  /** Unchanged files count too if another file makes something else of them now. */
  #changedFiles(referring) {
    const { base, head } = this.#options;
    const inBase = new Set(base.files.map(({ file }) => file));
    const inHead = new Set(head.files.map(({ file }) => file));
    const changed = new Set([...this.#all].filter((file) => !inBase.has(file) || !inHead.has(file)));
    const samePaths = base.paths === head.paths || base.paths.size === head.paths.size && [...head.paths].every((path) => base.paths.has(path));
    if (samePaths && !referring.some((file) => changed.has(file))) return changed;
    const classifiers = { base: this.#classifier(base, referring), head: this.#classifier(head, referring) };
    this.#made = classifiers;
    for (const file of inHead) {
      const { path } = file;
      if (inBase.has(file) && classifiers.base.placeReason(path) !== classifiers.head.placeReason(path)) {
        changed.add(file);
      }
    }
    return changed;
  }
  /** One for both states if no file that says what others are changed, and no path came or went. */
  #classifiers(referring) {
    if (this.#made !== void 0) return this.#made;
    const relevant = relevantReferences(
      referring,
      this.#read,
      this.#examined,
      (file, word) => this.#words.mayMention(file, word)
    );
    const forBoth = this.#classifier(this.#options.head, relevant);
    return { base: forBoth, head: forBoth };
  }
  #classifier({ files, paths }, referring) {
    const inState = new Set(files.map(({ file }) => file));
    const documents = referring.filter((file) => inState.has(file)).map((file) => this.#options.reader.documentsOf(file));
    return new Classifier(paths, documents, this.#options.configuration);
  }
  /** False if a changed rule may concern any object, so that everything has to be read. */
  #examineWhatRulesConcern(changed) {
    const rules = this.#rules;
    if (!rules.hasPolicies) return true;
    const changedRules = this.#changedRules(rules, changed);
    for (const rule of changedRules) {
      const word = wordOfConcern(rule);
      if (word === void 0) return false;
      for (const file of this.#all) if (this.#words.mayMention(file, word)) this.#examined.add(file);
    }
    return true;
  }
  /** A Namespace that is new says nothing about objects that were there before. */
  #changedRules(rules, changed) {
    const { base, head } = this.#options;
    const rulesOf = ({ files }) => this.#resourcesOf(files.map(({ file }) => file).filter((file) => changed.has(file))).filter(
      (resource) => rules.isRule(resource)
    );
    const { created, updated, deleted } = matchObjects(
      rulesOf(base),
      rulesOf(head),
      ({ gvk, namespace, name }) => name === "" ? void 0 : [gvk.group, gvk.kind, namespace, name].join("\0")
    );
    return [
      ...created.filter((resource) => !isNamespace(resource)),
      ...updated.flatMap(({ resource, old }) => [resource, old]),
      ...deleted
    ];
  }
  /** What policies may want to know when they are asked about the examined objects. */
  #readFacts() {
    const rules = this.#rules;
    if (!rules.hasPolicies) return;
    const paramGroups = rules.references.flatMap(({ kinds }) => kinds.map(({ group }) => group));
    const groups = new Set(paramGroups.filter((group) => group !== ""));
    const namespaces = /* @__PURE__ */ new Set();
    let hasPods = false;
    const built = this.#builtWithExamined();
    for (const { gvk, namespace } of this.#resourcesOf(/* @__PURE__ */ new Set([...this.#examined, ...built]))) {
      if (!this.#options.isBuiltin(gvk)) groups.add(gvk.group);
      namespaces.add(namespace === "" ? "default" : namespace);
      hasPods ||= gvk.group === "" && gvk.kind === "Pod";
    }
    this.#readKind("Namespace", built.size > 0 ? [""] : namespaces);
    this.#readKind("CustomResourceDefinition", groups);
    this.#readKind("APIService", groups);
    for (const { kinds, objects } of rules.references) {
      for (const { kind } of kinds) for (const reference of objects) this.#readKind(kind, [requiredValue(reference)]);
    }
    if (hasPods) {
      this.#readKind("ServiceAccount", namespaces);
      this.#readKind("PriorityClass", [""]);
    }
    if (!rules.asksAuthorizer) return;
    for (const file of this.#all) if (this.#words.mayMention(file, RBAC_GROUP)) this.#read.add(file);
  }
  /** Files of roots that a change reaches: what is built of them is examined, so its kinds matter. */
  #builtWithExamined() {
    const built = /* @__PURE__ */ new Set();
    if (this.#options.head.tree === void 0) return built;
    const paths = [.../* @__PURE__ */ new Set([...[...this.#examined].map(({ path }) => path), ...this.#options.touched ?? []])];
    for (const state of ["base", "head"]) {
      const graph = new KustomizationGraph(this.#kustomizationsOf(state));
      for (const folder of graph.roots()) {
        const reach = graph.reachOf(folder);
        if (!paths.some((path) => reaches(reach, path))) continue;
        for (const { file } of this.#options[state].files) if (reaches(reach, file.path)) built.add(file);
      }
    }
    return built;
  }
  /** Files with objects of a kind and at least one of the values; the empty one stands for any. */
  #readKind(kind, values) {
    const candidates = [...this.#all].filter((file) => this.#words.mayHaveKind(file, kind));
    for (const value of values) {
      for (const file of candidates) if (this.#words.mayHaveObject(file, kind, value)) this.#read.add(file);
    }
  }
  /** What controllers are told, and what that refers to: it says which files are applied, and how. */
  #readDeclarations() {
    if (this.#options.head.tree === void 0) return;
    let refersToValues = false;
    for (const file of this.#all) {
      if (!DECLARING_GROUPS.some((group) => this.#words.mayMention(file, group))) continue;
      this.#read.add(file);
      refersToValues ||= VALUE_FIELDS.some((field) => this.#words.mayMention(file, field));
    }
    if (refersToValues) for (const kind of ["ConfigMap", "Secret"]) this.#readKind(kind, [""]);
  }
  #kustomizationsOf(state) {
    return this.#options[state].files.filter(({ file }) => this.#isReferring(file)).flatMap(
      ({ file }) => this.#options.reader.documentsOf(file).documents.flatMap(
        ({ value }) => isKustomization(file.path, value) ? [{ path: file.path, content: value }] : []
      )
    );
  }
  /** Before anything is classified, so a template or a patch may be among them. */
  #resourcesOf(files) {
    const { reader } = this.#options;
    return [...files].flatMap(
      (file) => reader.documentsOf(file).documents.flatMap(({ manifest }) => manifest === void 0 ? [] : reader.resourcesOf(manifest)).flatMap((result) => "resource" in result ? [result.resource] : [])
    );
  }
};
function requiredValue({ name, selector }) {
  if (selector === void 0) return name;
  const [first] = objectOrEmpty(selector.get("matchLabels")).values();
  return typeof first === "string" ? first : "";
}
function wordOfConcern(rule) {
  if (isNamespace(rule)) return rule.name === "default" ? void 0 : rule.name;
  if (!isCustomResourceDefinition(rule)) return void 0;
  const group = textField(objectOrEmpty(rule.value.get("spec")), "group");
  return group === "" ? void 0 : group;
}

// src/pipeline/compare-states.ts
function compareStates(input) {
  const { base, head, configuration, only, stages = UNOBSERVED } = input;
  const reader = new DocumentReader();
  stages.enter("read");
  const versions = new Set(configuration.targets.map((target) => targetVersion(target).minor));
  const builtin = [...versions].map((minor) => new BuiltinResources(minor));
  const scope = readingScope({
    base,
    head,
    configuration,
    languages: spokenLanguages(configuration.targets),
    reader,
    everything: only === "all",
    ...input.touched && { touched: input.touched },
    isBuiltin: (gvk) => builtin.every((resources) => resources.resourceForKind(gvk) !== void 0)
  });
  const run = new ComparisonRun(input, scope, reader, stages);
  for (const configured of configuration.targets) run.addTarget(configured);
  return run.finish();
}
var ComparisonRun = class {
  #input;
  #scope;
  #stages;
  #base;
  #head;
  #report;
  #blastRadius = new BlastRadiusBuilder();
  #taken = /* @__PURE__ */ new Set();
  /** Names of roots that apply something else than before. */
  #changedRoots;
  #rootOf;
  #changedBy;
  #notices;
  #policiesFrom;
  #objects = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  #diagnostics;
  constructor(input, scope, reader, stages) {
    const { base, head, configuration, notices = [], diagnostics = [], baseline, today = "" } = input;
    this.#input = input;
    this.#scope = scope;
    this.#stages = stages;
    this.#notices = [...notices];
    this.#policiesFrom = input.policiesFrom;
    const builder = new RootBuilder();
    const contentOf = (state) => {
      const { tree } = input[state];
      const isPart = scope.extent === "changes";
      const wanted = new Set(scope[state].map(({ file }) => file.path));
      for (const path of [...scope.changed, ...input.touched ?? []]) wanted.add(path);
      const rendering = tree && input.engine && {
        tree,
        engine: input.engine,
        builder,
        selected: selectedPaths(input[state]),
        ...isPart && { wanted, kustomizations: scope.kustomizationsOf(state) }
      };
      const classifier = scope.classifiers?.[state];
      const files = scope[state];
      return readRepository(
        {
          ...input[state],
          files,
          configuration,
          ...classifier && { classifier },
          ...rendering && { rendering }
        },
        stages,
        reader
      );
    };
    this.#base = contentOf("base");
    this.#head = contentOf("head");
    this.#changedRoots = changedRoots(this.#base.roots, this.#head.roots);
    this.#rootOf = new Map(
      [...this.#base.resources, ...this.#head.resources].flatMap(
        ({ resource, root }) => root === void 0 ? [] : [[resource, root]]
      )
    );
    this.#changedBy = new Map(this.#head.resources.map((found) => [found.resource, found.changedBy]));
    this.#report = new ReportBuilder(reportOptions(configuration, { today, ...baseline && { baseline } }));
    const rootFiles = new Set(
      [...this.#base.roots, ...this.#head.roots].filter(({ name }) => this.#changedRoots.has(name)).map(({ location }) => location.file.path)
    );
    const isExamined = ({ primary }) => primary === void 0 || scope.examined.has(primary.file.path) || rootFiles.has(primary.file.path);
    this.#diagnostics = {
      base: this.#base.diagnostics.filter(isExamined),
      head: [...diagnostics, ...this.#head.diagnostics.filter(isExamined)]
    };
    this.#addUnmatchedGlobs(input);
    append(this.#diagnostics.head, this.#hidden(reader));
    const notReadBefore = new Set(base.notRead.map(({ path, reason }) => `${reason}\0${path}`));
    const inHead = new Set(head.files.map(({ file }) => file.path));
    const concerns = ({ path, reason }) => scope.examined.has(path) || !inHead.has(path) && !notReadBefore.has(`${reason}\0${path}`);
    for (const entry of this.#head.skipped) {
      if (scope.extent === "repository" || concerns(entry)) this.#report.addSkipped(entry);
    }
  }
  #hidden(reader) {
    const { base, head } = this.#input;
    const swallowed = new Set(
      [...this.#head.inputs].flatMap(([path, built]) => this.#base.inputs.get(path) === built ? [] : [path])
    );
    const judged = (state, content) => ({
      state: this.#input[state],
      content: this.#withUnread(state, content, swallowed, reader)
    });
    if (base.files === head.files) return [];
    return noLongerEvaluated(judged("base", this.#base), judged("head", this.#head));
  }
  /** Unchanged files that a root reads now, or cannot any more, were not worth reading before that was known. */
  #withUnread(state, content, paths, reader) {
    const read = new Set(this.#scope[state].map(({ file }) => file));
    const files = this.#input[state].files.filter(({ file }) => paths.has(file.path) && !read.has(file));
    if (files.length === 0) return content;
    const classifier = this.#scope.classifiers?.[state];
    const { configuration } = this.#input;
    const more = readRepository(
      { ...this.#input[state], notRead: [], files, configuration, ...classifier && { classifier } },
      UNOBSERVED,
      reader
    );
    return {
      ...content,
      inputs: content.inputs,
      resources: [
        ...content.resources,
        ...more.resources.filter(({ resource }) => !content.inputs.has(resource.manifest.file.path))
      ],
      written: [...content.written, ...more.written],
      left: [...content.left, ...more.left],
      skipped: content.skipped,
      diagnostics: content.diagnostics,
      roots: content.roots
    };
  }
  /** What is asked for now is wrong now; what is written is compared, and so is what head would write instead. */
  #addUnmatchedGlobs({ base, head, configuration, next }) {
    const given = configuration.globs.filter(({ location }) => location === void 0);
    const written = configuration.globs.filter(({ location }) => location !== void 0);
    const everywhere = /* @__PURE__ */ new Set([...base.paths, ...head.paths]);
    this.#report.addDiagnostics(unmatchedGlobs(given, everywhere));
    append(this.#diagnostics.base, unmatchedGlobs(written, base.paths));
    const last = next === void 0 ? written : next.globs;
    append(this.#diagnostics.head, unmatchedGlobs(last, head.paths));
  }
  addTarget(configured) {
    const base = targetOf(configured, this.#base.resources, /* @__PURE__ */ new Set(), () => true);
    const head = targetOf(configured, this.#head.resources, this.#taken, () => true);
    const languages = languagesOf(configured);
    if (this.#scope.extent === "repository") {
      append(this.#diagnostics.base, emptyTarget(configured, base, languages));
      append(this.#diagnostics.head, emptyTarget(configured, head, languages));
    }
    const rules = this.#rulesOf(base, head, languages);
    const { verdict, base: ofBase, before, also, evaluators } = rules;
    const objects = matchObjects(this.#examined(base), this.#examined(head), (resource) => before.identityOf(resource));
    this.#objects.created += objects.created.length;
    this.#objects.updated += objects.updated.length;
    this.#objects.deleted += objects.deleted.length;
    this.#objects.unchanged += objects.unchanged.length;
    for (const resource of objects.created) this.#evaluate(rules, head.name, { operation: "CREATE", resource });
    for (const { resource, old } of objects.updated) {
      this.#evaluate(
        rules,
        head.name,
        { operation: "UPDATE", resource, old },
        { operation: "UPDATE", resource: old, old }
      );
    }
    for (const resource of objects.deleted) {
      this.#evaluate(rules, head.name, { operation: "DELETE", resource });
      const last = before.evaluate({ operation: "CREATE", resource });
      append(this.#diagnostics.base, last.diagnostics);
      if (last.evaluated !== void 0) this.#report.addFixed(last.evaluated, head.name);
    }
    for (const resource of objects.unchanged) {
      const asItStands = { operation: "CREATE", resource };
      this.#evaluate(rules, head.name, asItStands, asItStands);
    }
    if (this.#scope.extent === "repository") {
      append(this.#diagnostics.base, ofBase.policyDiagnostics);
      append(this.#diagnostics.head, rules.head.policyDiagnostics);
    }
    const unknowns = new Unknowns();
    for (const sentence of unevaluatedPolicies(head.facts, languages)) unknowns.add(sentence);
    const replaced = new Set(objects.updated.map(({ old }) => old));
    for (const evaluator of evaluators) unknowns.addAll(evaluator.unknowns, (resource) => !replaced.has(resource));
    this.#report.addTarget({
      name: head.name,
      kubernetesVersion: formatVersion(head.kubernetesVersion),
      user: head.userInfo.username,
      policies: [...verdict.policies, ...also?.policies ?? []],
      unknowns: [
        ...unknowns.sentences(),
        ...unrendered(this.#examined(head), this.#changedBy),
        ...assumptions(this.#head.roots.filter(({ name }) => this.#changedRoots.has(name))),
        ...matchingUnknowns(objects)
      ],
      unknownKinds: unknowns.kinds()
    });
  }
  finish() {
    const scope = this.#scope;
    for (const found of this.#head.resources) {
      if (found.selected && !this.#taken.has(found) && this.#isExamined(found.resource)) {
        this.#report.addUnevaluated(found.resource, "no-target", "");
      }
    }
    this.#report.addComparedDiagnostics(this.#diagnostics.head, this.#diagnostics.base);
    const files = scope.head.filter(({ file, selected }) => selected && scope.examined.has(file.path));
    const comparison = {
      ...this.#input.names,
      policiesFrom: this.#policiesFrom,
      scope: scope.extent,
      changedFiles: [...scope.changed].sort(),
      objects: this.#objects,
      notices: this.#notices
    };
    const blastRadius = this.#blastRadius.build();
    this.#report.addStricterRules(this.#blastRadius.stricterRules());
    return this.#report.buildComparison(files.length, { only: this.#input.only, comparison, blastRadius });
  }
  #examined({ manifests }) {
    return manifests.filter((resource) => this.#isExamined(resource));
  }
  #isExamined(resource) {
    const root = this.#rootOf.get(resource);
    if (root !== void 0 && this.#scope.extent === "changes") return this.#changedRoots.has(root.name);
    return root !== void 0 || this.#scope.examined.has(resource.manifest.file.path);
  }
  #rulesOf(base, head, languages) {
    const known = new RuleResources(languages, [...base.policies, ...head.policies]);
    const hasChanged = this.#addCauses(base, head, known);
    const evaluatorOf = (target) => new TargetEvaluator(target, languages, typedConverter(target), this.#stages);
    const before = evaluatorOf({ ...head, policies: base.policies, facts: verdictFacts(base, head) });
    const now = hasChanged ? evaluatorOf(head) : before;
    const evaluators = hasChanged ? [before, now] : [before];
    const isFirst = hasChanged && !base.policies.some((resource) => known.isPolicy(resource));
    if (isFirst && this.#input.policiesFrom !== "head") {
      this.#notices.push(
        "base has no policies, so the verdict is by those of head: from the next change on, base has them"
      );
    }
    if (isFirst) this.#policiesFrom = "head";
    const from = isFirst ? "head" : this.#input.policiesFrom;
    return {
      base: before,
      // What the first policies say of objects that were there before them is not the change's doing.
      before: isFirst ? now : before,
      head: now,
      verdict: from === "head" ? now : before,
      also: from === "both" && hasChanged ? now : void 0,
      evaluators
    };
  }
  /** True if there are any: if what decides about objects is not what it was. */
  #addCauses(base, head, rules) {
    const rulesOf = ({ policies, facts }) => [.../* @__PURE__ */ new Set([...policies, ...facts])].filter((resource) => rules.isRule(resource));
    const { created, updated, deleted } = matchObjects(
      rulesOf(base),
      rulesOf(head),
      ({ gvk, namespace, name }) => name === "" ? void 0 : [gvk.group, gvk.kind, namespace, name].join("\0")
    );
    const changed = [
      ...created.filter((resource) => !isNamespace(resource)).map((resource) => ({ resource, change: "created", old: void 0 })),
      ...updated.map(({ resource, old }) => ({ resource, change: "updated", old })),
      ...deleted.map((resource) => ({ resource, change: "deleted", old: void 0 }))
    ];
    if (!rules.hasPolicies) return false;
    for (const { resource, change, old } of changed) this.#blastRadius.addCause(resource, change, old);
    return changed.length > 0;
  }
  /** `earlier`: what to ask of base's rules, to know what is not new. */
  #evaluate(rules, target, change, earlier) {
    const ask = new Answers(change);
    const result = ask.of(rules.verdict);
    const isInHead = change.operation !== "DELETE";
    if (isInHead) {
      const was = earlier && { before: earlier.resource };
      for (const diagnostic of result.diagnostics) this.#diagnostics.head.push({ ...diagnostic, ...was });
    }
    const old = earlier && (earlier === change ? ask.of(rules.before) : rules.before.evaluate(earlier));
    if (old !== void 0) append(this.#diagnostics.base, old.diagnostics);
    if (result.evaluated === void 0) {
      const { resource, reason, detail } = result.unevaluated;
      if (isInHead) this.#report.addUnevaluated(resource, reason, detail);
      return;
    }
    const also = rules.also && ask.of(rules.also).evaluated;
    this.#addResult(result.evaluated, { also, before: old?.evaluated }, target);
    if (rules.head === rules.base || !isInHead) return;
    const [underBase, underHead] = [ask.of(rules.base).evaluated, ask.of(rules.head).evaluated];
    if (underBase === void 0 || underHead === void 0) return;
    const isKept = ({ policy }) => rules.head.refuses(policy);
    this.#blastRadius.add(underBase, underHead, target, isKept);
  }
  #addResult(evaluated, { also, before }, target) {
    const compared = { evaluated, ...also && { also }, ...before && { before } };
    this.#report.addCompared(compared, target, this.#changedBy.get(evaluated.resource));
  }
};
var Answers = class {
  #change;
  #answers = /* @__PURE__ */ new Map();
  constructor(change) {
    this.#change = change;
  }
  of(rules) {
    const answer = this.#answers.get(rules) ?? rules.evaluate(this.#change);
    this.#answers.set(rules, answer);
    return answer;
  }
};
function verdictFacts(base, head) {
  const isNewKind = (resource) => isNamespace(resource) || isCustomResourceDefinition(resource);
  const identity = ({ gvk, name }) => `${gvk.kind}\0${name}`;
  const known = new Set(base.facts.filter(isNewKind).map(identity));
  return [...base.facts, ...head.facts.filter((resource) => isNewKind(resource) && !known.has(identity(resource)))];
}
function selectedPaths({ files }) {
  return new Set(files.flatMap(({ file, selected }) => selected ? [file.path] : []));
}
function changedRoots(base, head) {
  const before = rootsByName(base);
  const after = rootsByName(head);
  const names = /* @__PURE__ */ new Set([...before.keys(), ...after.keys()]);
  return new Set([...names].filter((name) => !appliesTheSame(before.get(name), after.get(name))));
}
function rootsByName(roots) {
  const byName = /* @__PURE__ */ new Map();
  for (const root of roots) byName.set(root.name, [...byName.get(root.name) ?? [], root]);
  return byName;
}
function appliesTheSame(before, after) {
  if (before === void 0 || after === void 0 || before.length !== after.length) return false;
  return before.every(({ manifests, failure }, index) => {
    const other = after[index];
    if (other === void 0 || failure?.message !== other.failure?.message) return false;
    if (manifests.length !== other.manifests.length) return false;
    return manifests.every(({ text: text2 }, number2) => text2 === other.manifests[number2]?.text);
  });
}

// src/workspace/discover-from.ts
async function discoverFrom(known, options) {
  const { sweep, repository } = known;
  if (sweep === void 0 || repository === void 0 || !sweep.isWhole) return discover({ ...options, known });
  const changes = await repository.changedFiles(sweep.commit, options.commit);
  const changed = new Set(changes.map(({ path }) => path));
  const tree = await repository.listTreeFrom(sweep.commit, options.commit);
  const listed = tree.filter(({ path }) => changed.has(path)).map(listEntry);
  const { wanted, notRead } = chooseFiles(listed, sweep.selection);
  const bytes = wanted.reduce((sum2, { listed: { blob } }) => sum2 + (blob?.size ?? 0), sweep.bytes);
  const needsAll = known.files.length + wanted.length >= MAXIMUM_FILES || bytes >= MAXIMUM_TOTAL_BYTES || changes.some(({ nameIsUtf8 }) => !nameIsUtf8);
  if (needsAll) return discover({ ...options, known });
  const { files, failed } = await readFiles(known.root, repository, wanted);
  return {
    root: known.root,
    repository,
    files: [...known.files.filter(({ file }) => !changed.has(file.path)), ...files].sort(
      (a, b) => comparePaths(a.file.path, b.file.path)
    ),
    notRead: [...known.notRead.filter(({ path }) => !changed.has(path)), ...notRead, ...failed].sort(
      (a, b) => comparePaths(a.path, b.path)
    ),
    paths: changedPaths(known.paths, changes)
  };
}
function changedPaths(paths, changes) {
  if (changes.every(({ from, to }) => from !== void 0 && to !== void 0)) return paths;
  const changed = new Set(paths);
  for (const { path, to } of changes) {
    if (to === void 0) changed.delete(path);
    else changed.add(path);
  }
  return changed;
}

// src/workspace/render/commit-tree.ts
var LINK_MODE = "120000";
var BlobContents = class {
  #texts = /* @__PURE__ */ new WeakMap();
  #blobs = /* @__PURE__ */ new Map();
  #repository;
  constructor(repository) {
    this.#repository = repository;
  }
  ofText(file) {
    let bytes = this.#texts.get(file);
    if (bytes === void 0) {
      bytes = new TextEncoder().encode(file.text);
      this.#texts.set(file, bytes);
    }
    return bytes;
  }
  /** Undefined for what is too large, or cannot be read. */
  ofBlob({ id, size }) {
    if (this.#blobs.has(id)) return this.#blobs.get(id);
    const bytes = (size ?? 0) > MAXIMUM_INPUT_BYTES ? void 0 : this.#repository.readBlobNow(id);
    this.#blobs.set(id, bytes);
    return bytes;
  }
};
function commitTree(entries, files, contents) {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const texts = new Map(files.map(({ file }) => [file.path, file]));
  const kind = (path) => {
    const mode = byPath.get(path)?.mode;
    if (mode === void 0) return void 0;
    if (mode === LINK_MODE) return "link";
    return mode.startsWith("100") ? "file" : void 0;
  };
  const read = (path) => {
    const text2 = texts.get(path);
    if (text2 !== void 0) return contents.ofText(text2);
    const entry = byPath.get(path);
    return entry === void 0 ? void 0 : contents.ofBlob(entry);
  };
  const tree = {
    kind,
    read,
    target: (path) => {
      const entry = byPath.get(path);
      const bytes = entry?.mode === LINK_MODE ? contents.ofBlob(entry) : void 0;
      return bytes && new TextDecoder().decode(bytes);
    },
    list: () => []
  };
  return listedTree(tree, new Set(byPath.keys()));
}

// src/door/check-changes.ts
async function checkChanges(options, change, start) {
  askedVersion(options.overrides.kubernetesVersion);
  const { stages } = options;
  stages?.enter("discover");
  const { directory, paths, root, repository } = start ?? await startOf(options);
  if (repository === void 0) throw new WorkspaceError("bad-revision", `\`${root}\` is not in a Git checkout`);
  const { base, head } = change;
  const source = { root, ...options.config !== void 0 && { path: options.config } };
  const read = (id, mayMiss) => readConfigurationFile({ ...source, commit: { repository, id } }).catch((error) => {
    if (mayMiss && error instanceof WorkspaceError && error.code === "path-not-found") return void 0;
    throw error;
  });
  await repository.listTreeFrom(head, base);
  const chosen = chooseConfiguration(await read(base, true), await read(head, options.config === void 0));
  if (chosen.configuration === void 0) return unusable(chosen.path, chosen.diagnostics);
  const configuration = overrideConfiguration(chosen.configuration, options.overrides);
  const known = await baselineOf(root, options, { repository, id: base });
  if (known !== void 0 && known.baseline === void 0) {
    return unusable(known.path, known.diagnostics);
  }
  const { include, exclude } = configuration;
  const common = { directory, repository, paths, include, exclude, context: contextGlobs(configuration) };
  const ofHead = await discover({ ...common, commit: head });
  const ofBase = await discoverFrom(ofHead, { ...common, commit: base });
  requirePaths(
    paths.map((path) => ({ path, fromRoot: relative(root, resolve(directory, path)) })),
    [ofBase, ofHead]
  );
  stages?.count("discover", "files", ofHead.files.length);
  const contents = new BlobContents(repository);
  const treeOf = async (commit, files) => commitTree(await repository.listTree(commit), files, contents);
  const report = compareStates({
    base: { ...ofBase, tree: await treeOf(base, ofBase.files) },
    head: { ...ofHead, tree: await treeOf(head, ofHead.files) },
    engine: lazyEngine(),
    touched: (await repository.changedFiles(head, base)).map(({ path }) => path),
    names: { base, head },
    configuration,
    policiesFrom: configuration.policiesFrom,
    only: configuration.only,
    notices: chosen.notices,
    ...chosen.next && { next: chosen.next },
    diagnostics: chosen.diagnostics,
    ...known?.baseline && { baseline: known.baseline },
    ...options.today !== void 0 && { today: options.today },
    ...stages && { stages }
  });
  return { report, unusable: false };
}
function requirePaths(named, states) {
  for (const { path, fromRoot } of named) {
    const below = fromRoot === "" ? "" : `${fromRoot.split(sep).join("/")}/`;
    const isThere = states.some(({ paths }) => paths.has(below.slice(0, -1)) || holdsPrefix(paths, below));
    if (isThere) continue;
    throw new WorkspaceError("path-not-found", `there is no file or folder \`${path}\` in either commit`, {
      hint: "paths are relative to the working directory"
    });
  }
}
function holdsPrefix(paths, prefix) {
  for (const path of paths) if (path.startsWith(prefix)) return true;
  return false;
}
function chooseConfiguration(base, head) {
  const load = (file) => file === void 0 ? { configuration: defaultConfiguration(), diagnostics: [] } : loadConfiguration(file, { versionProblem });
  const now = load(head);
  const path = (base ?? head)?.path ?? "";
  if (base?.text === head?.text) return { ...now, path, notices: [] };
  const before = load(base);
  if (before.configuration === void 0) return { ...before, path, notices: [] };
  const { configuration } = before;
  const notices = [
    base === void 0 ? `${path} is new: it counts from the next change on, this verdict follows the defaults` : `${path} is changed too: this verdict still follows base's`
  ];
  const next = now.configuration;
  return { path, configuration, ...next && { next }, notices, diagnostics: now.diagnostics };
}

// src/door/merge-command.ts
import { readdir, readFile } from "node:fs/promises";
import { join, resolve as resolve2 } from "node:path";

// src/report/merge.ts
function mergeReports(given) {
  const parts = [];
  const problems = [];
  for (const { name, report } of given) {
    if (report.shard === void 0) problems.push(`\`${name}\` is the report of a whole run, not of a shard`);
    else parts.push({ name, report, shard: report.shard });
  }
  for (const { name, report } of parts) {
    if (report.comparison !== void 0) problems.push(`\`${name}\` compares two states, which is not done in shards`);
  }
  parts.sort((left, right) => left.shard.index - right.shard.index);
  const [first, ...rest] = parts;
  if (first === void 0) return { problems: problems.length > 0 ? problems : ["there is no report to merge"] };
  for (const part of rest) {
    const difference = differenceBetween(first, part);
    if (difference !== void 0) problems.push(`\`${part.name}\` does not belong to \`${first.name}\`: ${difference}`);
  }
  if (problems.length === 0) append(problems, gapsIn(parts, first.shard.count));
  return problems.length > 0 ? { problems } : { report: merged(first, parts) };
}
function differenceBetween({ report: one, shard }, { report: other, shard: otherShard }) {
  if (one.preadmit !== other.preadmit) return `made by preadmit ${other.preadmit}, not ${one.preadmit}`;
  if (shard.count !== otherShard.count) return `one of ${otherShard.count} shards, not of ${shard.count}`;
  if (shard.contents !== otherShard.contents) return "made with other files or another configuration";
  const outline = ({ verdict, coverage, targets, shard: part }) => JSON.stringify([
    verdict.failOn,
    coverage.files,
    part?.unknowns.length,
    targets.map(({ name, kubernetesVersion, user, policies }) => [
      name,
      kubernetesVersion,
      user,
      policies.map((policy) => [policy.kind, policy.name, policy.path, policy.bindings])
    ])
  ]);
  return outline(one) === outline(other) ? void 0 : "made with other targets or policies";
}
function gapsIn(parts, count2) {
  const problems = [];
  const seen = /* @__PURE__ */ new Map();
  for (const { name, shard } of parts) {
    const earlier = seen.get(shard.index);
    if (earlier !== void 0) problems.push(`\`${earlier}\` and \`${name}\` are both shard ${shard.index}/${count2}`);
    else if (shard.index < 1 || shard.index > count2) problems.push(`\`${name}\` is shard ${shard.index}/${count2}`);
    seen.set(shard.index, name);
  }
  const found = [...seen.keys()].filter((index) => index >= 1 && index <= count2).length;
  if (found < count2) problems.push(`${count2 - found} of ${count2} shards are missing${firstGap(seen, count2)}`);
  return problems;
}
function firstGap(seen, count2) {
  for (let index = 1; index <= Math.min(count2, seen.size + 1); index++) {
    if (!seen.has(index)) return `, the first is ${index}/${count2}`;
  }
  return "";
}
function merged({ report: { preadmit, verdict, coverage } }, parts) {
  const reports = parts.map(({ report }) => report);
  const meanings = new Map(
    reports.flatMap((report) => report.coverage.notEvaluated.map(({ reason, meaning }) => [reason, meaning]))
  );
  return assembleReport({
    preadmit,
    failOn: verdict.failOn,
    files: coverage.files,
    evaluated: sum(reports.map((report) => report.coverage.evaluated)),
    skipped: reports.flatMap((report) => report.coverage.skipped),
    meaningOf: (reason) => meanings.get(reason) ?? reason,
    targets: mergedTargets(parts),
    findings: reports.flatMap((report) => report.findings),
    unlisted: reports.reduce((sum2, { unlisted }) => unlisted ? addUnlisted(sum2, unlisted) : sum2, NOTHING_UNLISTED),
    diagnostics: mergedDiagnostics(reports)
  });
}
function mergedDiagnostics(reports) {
  const all = reports.flatMap((report) => report.diagnostics);
  const unused = /* @__PURE__ */ new Map();
  const keyOf = ({ message, primary }) => JSON.stringify([message, primary?.path, primary?.startLine, primary?.startColumn]);
  for (const diagnostic of all) {
    if (diagnostic.code !== UNUSED_ENTRY) continue;
    unused.set(keyOf(diagnostic), (unused.get(keyOf(diagnostic)) ?? 0) + 1);
  }
  return all.filter(
    (diagnostic) => diagnostic.code !== UNUSED_ENTRY || unused.get(keyOf(diagnostic)) === reports.length
  );
}
function mergedTargets(parts) {
  const first = parts[0]?.report.targets ?? [];
  return first.map((target, index) => {
    const same = parts.flatMap(({ report }) => report.targets[index] ?? []);
    return {
      ...target,
      evaluated: sum(same.map(({ evaluated }) => evaluated)),
      policies: target.policies.map(
        (policy, place) => mergedPolicy(
          policy,
          same.flatMap(({ policies }) => policies[place] ?? [])
        )
      ),
      unknowns: sentencesOf(parts.flatMap(({ shard }) => shard.unknowns[index] ?? [])),
      unknownKinds: sumKinds(same.flatMap(({ unknownKinds }) => unknownKinds))
    };
  });
}
function mergedPolicy(policy, same) {
  const total = (count2) => sum(same.map((each) => each[count2]));
  return {
    ...policy,
    matched: total("matched"),
    denied: total("denied"),
    warned: total("warned"),
    audited: total("audited")
  };
}
function sum(numbers) {
  return numbers.reduce((total, number2) => total + number2, 0);
}

// src/report/read-report.ts
function readReport(text2) {
  let value;
  try {
    value = JSON.parse(text2);
  } catch {
    return { problem: "is not JSON" };
  }
  if (!isObject(value) || !("schemaVersion" in value)) return { problem: "is no report of preadmit" };
  if (value["schemaVersion"] !== REPORT_SCHEMA_VERSION) {
    return { problem: "has a schemaVersion that this version of preadmit does not know" };
  }
  const wrong = REPORT(value);
  return wrong === void 0 ? { report: value } : { problem: `is wrong at \`${wrong}\`` };
}
var text = (value) => typeof value === "string" ? void 0 : "";
var flag = (value) => typeof value === "boolean" ? void 0 : "";
var number = (value) => Number.isSafeInteger(value) && value >= 0 ? void 0 : "";
function oneOf(...values) {
  return (value) => values.includes(value) ? void 0 : "";
}
function list(item) {
  return (value) => {
    if (!Array.isArray(value)) return "";
    for (const [index, entry] of value.entries()) {
      const wrong = item(entry);
      if (wrong !== void 0) return `[${index}]${wrong}`;
    }
    return void 0;
  };
}
function fields(required, optional = {}) {
  return (value) => {
    if (!isObject(value)) return "";
    for (const [name, check] of Object.entries({ ...required, ...optional })) {
      if (!Object.hasOwn(value, name) && !Object.hasOwn(required, name)) continue;
      const wrong = check(value[name]);
      if (wrong !== void 0) return `.${name}${wrong}`;
    }
    return void 0;
  };
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
var SEVERITY = oneOf("error", "warning", "notice");
var PLACE = fields(
  { path: text, startLine: number, startColumn: number, endLine: number, endColumn: number },
  { excerpt: fields({ firstLine: number, lines: list(text) }), lineHash: text }
);
var RELATED = list(fields({ message: text, place: PLACE }));
var RESOURCE = fields({ apiVersion: text, kind: text, name: text }, { namespace: text });
var POLICY_COUNTS = { bindings: number, matched: number, denied: number, warned: number, audited: number };
var EXCUSE = fields(
  { by: oneOf("baseline", "annotation"), reason: text, place: PLACE },
  { owner: text, expires: text }
);
var FINDING = fields(
  {
    code: text,
    fingerprint: text,
    target: text,
    severity: SEVERITY,
    result: oneOf("fail", "error", "unknown"),
    actions: list(oneOf("Deny", "Warn", "Audit")),
    policy: fields({ kind: text, name: text }),
    rule: fields({ field: text }, { expression: text }),
    message: text,
    serverMessage: text,
    reason: text,
    operation: text,
    resource: RESOURCE,
    fieldPath: text,
    primary: PLACE,
    related: RELATED
  },
  {
    status: oneOf("new", "existing", "fixed"),
    binding: text,
    param: RESOURCE,
    httpStatus: number,
    serverTells: oneOf("yes", "perhaps", "no"),
    changedBy: text,
    mayBeChangedBy: list(text),
    roots: list(text),
    defaulted: flag,
    excuse: EXCUSE
  }
);
var COMPARISON = fields({
  base: text,
  head: text,
  policiesFrom: oneOf("base", "head", "both"),
  scope: oneOf("changes", "repository"),
  changedFiles: list(text),
  objects: fields({ created: number, updated: number, deleted: number, unchanged: number }),
  fixed: list(FINDING),
  notices: list(text)
});
var OUTCOME = oneOf("allowed", "audited", "warned", "denied");
var BLAST_RADIUS = fields({
  causes: list(fields({ resource: RESOURCE, change: oneOf("created", "updated", "deleted"), path: text })),
  denied: number,
  allowed: number,
  warned: number,
  stricter: number,
  worse: number,
  entries: list(
    fields(
      {
        target: text,
        resource: RESOURCE,
        before: OUTCOME,
        after: OUTCOME,
        added: number,
        removed: number,
        policies: list(text),
        primary: PLACE
      },
      { message: text }
    )
  )
});
var REPORT = fields(
  {
    preadmit: text,
    verdict: fields(
      {
        conclusion: oneOf("allowed", "denied", "nothing-checked"),
        failOn: oneOf("deny", "warn", "audit", "error", "never"),
        denied: number,
        warned: number,
        audited: number,
        errors: number
      },
      { only: oneOf("new", "all") }
    ),
    coverage: fields({
      files: number,
      found: number,
      evaluated: number,
      notEvaluated: list(fields({ reason: text, meaning: text, count: number })),
      skipped: list(fields({ path: text, reason: text }, { line: number, detail: text }))
    }),
    targets: list(
      fields({
        name: text,
        kubernetesVersion: text,
        user: text,
        evaluated: number,
        policies: list(fields({ kind: text, name: text, path: text, ...POLICY_COUNTS })),
        unknowns: list(text),
        unknownKinds: list(fields({ apiVersion: text, kind: text, count: number }))
      })
    ),
    findings: list(FINDING),
    diagnostics: list(
      fields(
        { code: text, severity: SEVERITY, message: text, related: RELATED },
        {
          status: oneOf("new", "existing"),
          resource: RESOURCE,
          fieldPath: text,
          primary: PLACE,
          help: text,
          concerns: number,
          excuse: EXCUSE
        }
      )
    )
  },
  {
    unlisted: fields({ error: number, warning: number, notice: number }),
    unusable: text,
    notCompared: text,
    comparison: COMPARISON,
    blastRadius: BLAST_RADIUS,
    shard: fields({
      index: number,
      count: number,
      contents: text,
      unknowns: list(list(fields({ before: text, after: text }, { count: number })))
    })
  }
);

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
      const list2 = entry.allowed.map((allowed) => `\`${allowed}\``).join(", ");
      this.#problems.push(`\`${value}\` is no value of \`--${name}\`: expected one of ${list2}`);
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

// src/door/report-output.ts
import { constants } from "node:fs";
import { access, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
function readOutputs({
  lists,
  texts
}) {
  const outputs = (lists.get("format") ?? ["text"]).map((entry) => {
    const equals = entry.indexOf("=");
    return equals < 0 ? { format: entry, file: void 0 } : { format: entry.slice(0, equals), file: entry.slice(equals + 1) };
  });
  const unknown = outputs.filter(({ format }) => !reporters.has(format));
  const known = [...reporters.keys()].map((name) => `\`${name}\``).join(", ");
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
function showOptionsOf({ flags }, { color, width }) {
  return { color, width, showSkipped: flags.has("show-skipped"), quiet: flags.has("quiet") };
}
async function writeOutput({ format, file }, report, options, terminal) {
  const rendered = render(format, report, file === void 0 ? options : { ...options, color: false });
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

// src/door/merge-command.ts
async function mergeCommand(args, terminal) {
  const parsed = parseArguments(args, MERGE_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ("problems" in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs);
  const { paths } = parsed.arguments;
  if (paths.length === 0) {
    return usageError(["expected the JSON reports of all shards: `preadmit merge shard-*.json`"], terminal);
  }
  const merged2 = await mergeFiles(paths, terminal.directory);
  if ("problems" in merged2) return usageError(merged2.problems, terminal);
  const showOptions = showOptionsOf(parsed.arguments, terminal);
  for (const output of outputs.outputs) await writeOutput(output, merged2.report, showOptions, terminal);
  return exitCodeOf(merged2.report);
}
async function mergeFiles(paths, directory) {
  const reports = [];
  const problems = [];
  for (const name of await jsonFiles(paths, directory)) {
    const text2 = await readFile(resolve2(directory, name), "utf8").catch(() => void 0);
    const read = text2 === void 0 ? { problem: "cannot be read" } : readReport(text2);
    if ("problem" in read) problems.push(`\`${name}\` ${read.problem}`);
    else reports.push({ name, report: read.report });
  }
  return problems.length > 0 ? { problems } : mergeReports(reports);
}
async function jsonFiles(paths, directory) {
  const files = [];
  for (const path of paths) {
    const entries = await readdir(resolve2(directory, path), { recursive: true }).catch(() => void 0);
    if (entries === void 0) files.push(path);
    else
      append(
        files,
        entries.filter((entry) => entry.endsWith(".json")).map((entry) => join(path, entry))
      );
  }
  return files.sort();
}

export {
  EXIT,
  exitCodeOf,
  CHECK_OPTIONS,
  MERGE_OPTIONS,
  BASELINE_OPTIONS,
  DIFF_OPTIONS,
  CEL_OPTIONS,
  REVIEW_OPTIONS,
  RENDER_OPTIONS,
  parseArguments,
  readOutputs,
  checkOutputs,
  showOptionsOf,
  writeOutput,
  createStageLog,
  usageError,
  checkChanges,
  mergeCommand,
  mergeFiles
};
