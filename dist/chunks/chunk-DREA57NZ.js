import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  MERGE_OPTIONS,
  checkOutputs,
  exitCodeOf,
  isSameWriting,
  openComparedSources,
  parseArguments,
  readOutputs,
  showOptionsOf,
  usageError,
  writeOutput
} from "./chunk-VVMZWVFQ.js";
import {
  BASELINE_NAME,
  BlobContents,
  BuiltinResources,
  CONFIGURATION_NAMES,
  Classifier,
  DocumentReader,
  KUSTOMIZATION_NAMES,
  KustomizationGraph,
  MAXIMUM_FILES,
  MAXIMUM_TOTAL_BYTES,
  NOTHING_UNLISTED,
  OTHER_POLICIES,
  PolicySourceReader,
  RBAC_GROUP,
  REPORT_SCHEMA_VERSION,
  ReportBuilder,
  Resource,
  RootBuilder,
  RuleResources,
  RunBudget,
  SKIP_REASONS,
  SourceFile,
  TargetEvaluator,
  UNOBSERVED,
  UNUSED_ENTRY,
  Unknowns,
  WorkspaceError,
  WrittenManifest,
  addUnlisted,
  append,
  askedVersion,
  assembleReport,
  assumptions,
  baselineOf,
  belongsTo,
  blastRadiusHeadline,
  cacheIn,
  changedLinesAsOne,
  chooseFiles,
  clusterUnknowns,
  commitTree,
  compareFindings,
  comparePaths,
  compareText,
  contextGlobs,
  contradictionsIn,
  count,
  defaultConfiguration,
  definedKind,
  discover,
  editFile,
  editsBetween,
  emptyTarget,
  fetchMissingCharts,
  findingsOf,
  folderOf,
  formatFieldPath,
  formatVersion,
  isCustomResourceDefinition,
  isJsonArray,
  isJsonObject,
  isKustomization,
  isNamespace,
  isPolicyOf,
  isSameJson,
  joinPaths,
  languagesOf,
  lineFix,
  listEntry,
  loadConfiguration,
  looksLikeManifest,
  mergedAdditions,
  objectItems,
  objectOrEmpty,
  openEngine,
  overrideConfiguration,
  pinPlace,
  placeOf,
  plannedTargets,
  reaches,
  readConfigurationFile,
  readFiles,
  readManifests,
  readRepository,
  reportOptions,
  resourceLabel,
  resourceName,
  resourcesOf,
  sentencesOf,
  sourceAccess,
  spentBudget,
  spliced,
  spokenLanguages,
  startOf,
  stateClusters,
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
  valueAt,
  versionProblem,
  withSources,
  withoutDuplicatePolicies
} from "./chunk-HHDPM2AY.js";

// src/door/check-changes.ts
import { relative, resolve, sep } from "node:path";

// src/source/masked-value.ts
function maskedValue({ value, madeUpFields }) {
  return (madeUpFields ?? []).reduce((masked, path) => withNull(masked, path), value);
}
function withNull(value, [step, ...rest]) {
  if (step === void 0) return null;
  if (isJsonArray(value)) {
    return value.map((item, index) => index === step ? withNull(item, rest) : item);
  }
  if (!isJsonObject(value)) return value;
  const below = value.get(String(step));
  return below === void 0 ? value : new Map([...value, [String(step), withNull(below, rest)]]);
}

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
  const groupOf2 = (resource) => {
    const identity = identityOf2(resource);
    const { group: apiGroup, kind } = resource.gvk;
    const key = identity ?? ["", apiGroup, kind, resource.namespace, resource.generateName].join("\0");
    const group = groups.get(key) ?? { isNamed: identity !== void 0, base: [], head: [] };
    groups.set(key, group);
    return group;
  };
  for (const resource of head) groupOf2(resource).head.push(resource);
  for (const resource of base) groupOf2(resource).base.push(resource);
  return groups.values();
}
function writtenValue({ value, manifest, rootPath }) {
  const isMadeUp = manifest.madeUpFields !== void 0 && manifest.madeUpFields.length > 0;
  return isMadeUp ? valueAt(maskedValue(manifest), rootPath) ?? null : value;
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
    const text2 = (resource) => stringifyJson(writtenValue(resource), { sortKeys: true, escapeHtml: false });
    this.#pair(text2, (resource, old) => {
      if (!isSameJson(writtenValue(resource), writtenValue(old))) return false;
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

// src/report/stored-fields.ts
var MAX_FIELDS = 20;
var MAX_VALUE = 60;
function storedFields(before, after) {
  const { resource } = after;
  if (before.changes.length + after.changes.length === 0) return { fields: [], policies: [] };
  const [old, now] = [before.writes(), after.writes()];
  const [from, to] = [old?.object ?? resource.value, now?.object ?? resource.value];
  const isSecret2 = resource.gvk.group === "" && resource.gvk.kind === "Secret";
  const shown = (value) => {
    if (value === void 0) return void 0;
    const text2 = isSecret2 ? "a value" : stringifyJson(value, { sortKeys: false, escapeHtml: false });
    return text2.length > MAX_VALUE ? `${text2.slice(0, MAX_VALUE)}…` : text2;
  };
  const edits = editsBetween(from, to);
  const fields2 = edits.slice(0, MAX_FIELDS).map((edit) => {
    const isItem = edit.kind === "insert";
    const [was, is] = [
      isItem ? void 0 : shown(valueAt(from, edit.path)),
      edit.kind === "remove" ? void 0 : shown(edit.value)
    ];
    const field = `${formatFieldPath(edit.path)}${isItem ? `[${edit.at}]` : ""}`;
    return { field, ...was !== void 0 && { before: was }, ...is !== void 0 && { after: is } };
  });
  const writes = [...old?.writes ?? [], ...now?.writes ?? []];
  const concerned = writes.filter((write) => edits.some((edit) => areNested(edit.path, write.edit.path)));
  const policies = [...new Set(concerned.flatMap(({ by }) => by.map(({ policy }) => policy.name)))].sort();
  return { fields: fields2, policies };
}
function areNested(one, other) {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

// src/report/blast-radius.ts
var RANK = { denied: 0, warned: 1, audited: 2, allowed: 3 };
var MAX_NAMED = 5;
var BlastRadiusBuilder = class {
  #causes = /* @__PURE__ */ new Map();
  #entries = [];
  /** Of each entry that is worse than before, the findings that make it so. */
  #reasons = /* @__PURE__ */ new Map();
  /** Of each entry that is stored otherwise, the names of the policies that change it. */
  #changers = /* @__PURE__ */ new Map();
  /** `old`: what base has instead. `at`: where the repository says so, if the rule is not written in it. */
  addCause(resource, change, old, at) {
    const told = { resource: resourceName(resource, resource.namespace), change, path: resource.manifest.file.path };
    const { path, part } = old === void 0 ? { path: ["metadata", "name"], part: "value" } : firstDifference(old.value, resource.value);
    const location = change === "deleted" ? void 0 : at ?? resource.locate(path, part);
    this.#causes.set(JSON.stringify(told), { told, location });
  }
  /** The same request under base's rules and under head's. `isKept`: findings of base that the change leaves as they are. */
  add(before, after, target, isKept = () => false) {
    const old = findingsOf(before, target).findings;
    const now = [...findingsOf(after, target).findings, ...old.filter(isKept)];
    const [outcomeBefore, outcomeAfter] = [outcomeOf(old), outcomeOf(now)];
    const { findings, fixed } = compareFindings(now, old);
    const added = findings.filter(({ status }) => status === "new");
    const stored = storedFields(before, after);
    const isSameAnswer = outcomeBefore === outcomeAfter && added.length + fixed.length === 0;
    if (isSameAnswer && stored.fields.length === 0) return;
    const { resource, request } = after;
    const entry = {
      target,
      resource: resourceName(resource, request.namespace),
      before: outcomeBefore,
      after: outcomeAfter,
      added: added.length,
      removed: fixed.length,
      policies: isSameAnswer ? stored.policies : policyNames(added.length + fixed.length > 0 ? [...added, ...fixed] : now),
      ...added[0] && { message: added[0].message },
      ...stored.fields.length > 0 && { fields: stored.fields },
      primary: added[0]?.primary ?? placeOf(resource.locate(["kind"], "value"))
    };
    this.#entries.push(entry);
    if (stored.fields.length > 0) this.#changers.set(entry, stored.policies);
    if (isWorse(entry)) this.#reasons.set(entry, added.length > 0 ? added : now);
  }
  /** Undefined if no rule changed. */
  build() {
    if (this.#causes.size === 0) return void 0;
    const stored = this.#entries.filter(({ fields: fields2 }) => fields2 !== void 0).length;
    const isOther = ({ before, after }) => before !== after;
    const count2 = (matches) => this.#entries.filter(matches).length;
    return {
      causes: [...this.#causes.values()].map(({ told }) => told).sort((a, b) => compareText2(a.path, b.path)),
      denied: count2((entry) => isOther(entry) && entry.after === "denied"),
      allowed: count2((entry) => isOther(entry) && entry.before === "denied" && entry.after !== "warned"),
      warned: count2((entry) => isOther(entry) && entry.after === "warned"),
      stricter: count2((entry) => !isOther(entry) && entry.added > 0),
      worse: this.#reasons.size,
      ...stored > 0 && { stored },
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
      const changers = this.#changers.get(entry) ?? [];
      const named = causes.filter(
        ({ told: { resource } }) => changers.includes(resource.name) || reasons.some((finding) => isNamedBy(resource, finding))
      );
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
  return RANK[a.after] - RANK[b.after] || compareText2(a.primary.path, b.primary.path) || a.primary.startLine - b.primary.startLine || compareText2(a.resource.name, b.resource.name) || compareText2(a.target, b.target);
}
function compareText2(a, b) {
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

// src/pipeline/changed-roots.ts
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
  return before.every(({ manifests, failure, destination, entry }, index) => {
    const other = after[index];
    if (other === void 0 || failure?.message !== other.failure?.message) return false;
    if (destination !== other.destination || entry !== other.entry) return false;
    if (manifests.length !== other.manifests.length) return false;
    return manifests.every(({ text: text2 }, number2) => text2 === other.manifests[number2]?.text);
  });
}

// src/pipeline/compared-clusters.ts
function comparedClusters(base, head) {
  const names = new Map([...base.all, ...head.all].map((cluster) => [cluster.name, cluster]));
  const differ = names.size > 1 && (base.all.length !== names.size || head.all.length !== names.size);
  return {
    head,
    differ,
    targets: (configuration) => {
      const [whole] = configuration.targets;
      if (configuration.hasWrittenTargets || names.size < 2 || whole === void 0) {
        return plannedTargets(configuration, head).map((planned) => ({ planned }));
      }
      const languages = languagesOf(whole);
      const gone = base.all.filter(({ name }) => !head.has(name));
      return [...names.values()].sort((one, other) => one.name < other.name ? -1 : 1).map(({ name, from }) => {
        const inBase = belongsTo(name, base, languages);
        const inHead = belongsTo(name, head, languages);
        const planned = { configured: { ...whole, name }, derivedFrom: from, belongs: inHead };
        if (base.has(name)) return { planned, belongs: { base: inBase, head: inHead } };
        const ofGone = gone.map((cluster) => belongsTo(cluster.name, base, languages));
        const isShared = (found) => inBase(found) || base.all.length === 0;
        return {
          planned,
          // What base has in the folders of the cluster was there before, though nothing said that they are a cluster's.
          belongs: { base: (found) => isShared(found) && inHead(found), head: inHead },
          rulesOfBase: (found) => isShared(found) || ofGone.some((belongs) => belongs(found))
        };
      });
    }
  };
}

// src/pipeline/compared-rules.ts
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

// src/pipeline/comparison-input.ts
function selectedPaths({ files }) {
  return new Set(files.flatMap(({ file, selected }) => selected ? [file.path] : []));
}

// src/kubernetes/required-fields.ts
var hasContainers = (spec) => {
  const containers = objectItems(spec.get("containers"));
  return containers.length > 0 && containers.every((item) => textField(item, "name") !== "" && textField(item, "image") !== "");
};
var hasTemplate = (spec) => hasContainers(objectOrEmpty(objectOrEmpty(spec.get("template")).get("spec")));
var hasSelector = (spec) => isJsonObject(spec.get("selector"));
var isWorkload = (spec) => hasSelector(spec) && hasTemplate(spec);
var CHECKS = /* @__PURE__ */ new Map([
  ["/Pod", hasContainers],
  ["/ReplicationController", hasTemplate],
  ["apps/Deployment", isWorkload],
  ["apps/StatefulSet", isWorkload],
  ["apps/DaemonSet", isWorkload],
  ["apps/ReplicaSet", isWorkload],
  ["batch/Job", hasTemplate],
  [
    "batch/CronJob",
    (spec) => textField(spec, "schedule") !== "" && hasTemplate(objectOrEmpty(objectOrEmpty(spec.get("jobTemplate")).get("spec")))
  ],
  [
    "/Service",
    (spec) => textField(spec, "type") === "ExternalName" || textField(spec, "clusterIP") === "None" || objectItems(spec.get("ports")).length > 0
  ],
  ["/PersistentVolumeClaim", (spec) => isJsonArray(spec.get("accessModes")) && isJsonObject(spec.get("resources"))],
  ["networking.k8s.io/Ingress", (spec) => isJsonArray(spec.get("rules")) || isJsonObject(spec.get("defaultBackend"))],
  [
    "autoscaling/HorizontalPodAutoscaler",
    (spec) => spec.has("maxReplicas") && isJsonObject(spec.get("scaleTargetRef"))
  ]
]);
function lacksRequiredFields({ group, kind }, object) {
  return CHECKS.get(`${group}/${kind}`)?.(objectOrEmpty(object.get("spec"))) === false;
}

// src/pipeline/patch-proof.ts
function isOnlyPatch(resource, roots) {
  const { gvk, value } = resource;
  if (value.has("$patch")) return isDirective(value);
  const comparison = new Comparison(lacksRequiredFields(gvk, value));
  return roots.some(
    ({ manifests }) => manifests.some(({ value: object }) => isSameKind(object, value) && comparison.isPart(value, object))
  );
}
var IDENTITY = /* @__PURE__ */ new Set(["name", "namespace"]);
var DIRECTIVE_FIELDS = /* @__PURE__ */ new Set(["apiVersion", "kind", "metadata", "$patch"]);
var MAXIMUM_STEPS = 1e6;
function isSameKind(object, patch) {
  if (!isJsonObject(object) || textField(object, "kind") !== textField(patch, "kind")) return false;
  return groupOf(object) === groupOf(patch);
}
function groupOf(object) {
  const apiVersion = textField(object, "apiVersion");
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf("/")));
}
function isDirective(value) {
  const metadata = value.get("metadata");
  return value.get("$patch") === "delete" && [...value.keys()].every((key) => DIRECTIVE_FIELDS.has(key)) && isJsonObject(metadata) && [...metadata.keys()].every((key) => IDENTITY.has(key));
}
var Comparison = class {
  #onlyFields;
  #steps = 0;
  constructor(onlyFields) {
    this.#onlyFields = onlyFields;
  }
  isPart(patch, object) {
    return [...patch].every(([key, value]) => {
      if (key === "apiVersion" || key === "kind") return true;
      if (key !== "metadata" || !isJsonObject(value)) return this.#isIn(value, object.get(key));
      const metadata = new Map([...value].filter(([name]) => !IDENTITY.has(name)));
      return metadata.size === 0 || this.#isIn(metadata, object.get(key));
    });
  }
  #isIn(part, whole) {
    this.#steps++;
    if (this.#steps > MAXIMUM_STEPS) return false;
    if (isRemoval(part)) return true;
    if (part === null) return whole === void 0 || whole === null;
    if (whole === void 0) return false;
    if (isJsonObject(part)) return isJsonObject(whole) && this.#isObjectIn(part, whole);
    if (isJsonArray(part)) return isJsonArray(whole) && this.#isListIn(part, whole);
    return this.#onlyFields ? !isJsonObject(whole) && !isJsonArray(whole) : part === whole;
  }
  #isObjectIn(part, whole) {
    return [...part].every(([key, value]) => key.startsWith("$") || this.#isIn(value, whole.get(key)));
  }
  /** Lists may have been merged by their keys: the order says nothing. */
  #isListIn(part, whole) {
    const scalars = new Set(whole);
    return part.every((item) => {
      if (!isJsonObject(item) && !isJsonArray(item) && scalars.has(item)) return true;
      return isRemoval(item) || whole.some((other) => this.#isIn(item, other));
    });
  }
};
function isRemoval(part) {
  return isJsonObject(part) && part.get("$patch") === "delete" && part.size <= 2;
}

// src/pipeline/no-longer-evaluated.ts
function noLongerEvaluated(base, head) {
  return new Comparison2(base, head).diagnostics();
}
var BUILT_FROM = /* @__PURE__ */ new Set([
  "kustomize-patch",
  "kustomize-input",
  "helm-template",
  "helm-values",
  "helm-chart-file"
]);
var MANIFEST_NAME = /\.(?:ya?ml|json)$/i;
var Comparison2 = class {
  #base;
  #head;
  #before;
  #after;
  #known;
  /** Where base has fixtures. */
  #fixtureFolders;
  #readers;
  constructor(base, head) {
    this.#base = base;
    this.#head = head;
    this.#before = new Judged(base.content);
    this.#after = new Judged(head.content);
    this.#known = knownReasons(base.content, head.state.paths);
    this.#fixtureFolders = fixtureFolders(base);
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
    const { path } = document.file;
    const isNewFile = !this.#base.state.paths.has(path);
    if (isNewFile && document.reason === "test-fixture" && this.#fixtureFolders.has(folderOf(path))) return true;
    return this.#known.has(knownKey(document, identity)) || isNewFile && this.#known.has(`${document.reason}\0${identity}`);
  }
  /** Judged at base, somewhere, and nowhere now; one that is still written as a manifest somewhere is looked at there. */
  #vanished(identity) {
    return this.#before.has(identity) && !this.#after.has(identity) && !this.#after.isWritten(identity);
  }
  #isProven(path, reason, resource, wasJudged) {
    if (!wasJudged && reason === "kustomize-input" && isPlugin(resource)) return true;
    if (this.#head.content.inputs.get(path) !== true) return false;
    if (!wasJudged && reason === "kustomize-patch" && isOnlyPatch(resource, this.#rootsReading(path))) return true;
    return this.#isEmitted(path, resource);
  }
  /** True if a root that could be built applies an object that this document is the text of. */
  #isEmitted(path, { gvk }) {
    return this.#rootsReading(path).some(
      ({ manifests }) => manifests.some(
        (manifest) => kindOf(manifest.value) === gvk.kind && manifest.place(["kind"], "key").file.path === path
      )
    );
  }
  /** Those that could be built. */
  #rootsReading(path) {
    this.#readers ??= readersOf(this.#head.content.roots);
    return this.#readers.get(path) ?? [];
  }
};
function readersOf(roots) {
  const readers = /* @__PURE__ */ new Map();
  for (const root of roots) {
    if (root.failure !== void 0) continue;
    for (const path of root.inputs) {
      const known = readers.get(path);
      if (known === void 0) readers.set(path, [root]);
      else known.push(root);
    }
  }
  return readers;
}
function isPlugin({ gvk }) {
  return gvk.group === "" && gvk.version === "builtin";
}
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
function fixtureFolders({ content, state, fixtures }) {
  const left = content.left.flatMap(({ file, reason }) => reason === "test-fixture" ? [file.path] : []);
  return new Set([...left, ...fixtures].filter((path) => state.paths.has(path)).map(folderOf));
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
var REFERRING_WORDS = ["kustomize.config.k8s.io", "chainsaw.kyverno.io", "cli.kyverno.io"];
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
    const given = /* @__PURE__ */ new Set([...options.given?.head ?? [], ...options.given?.base ?? []]);
    this.#rules = new RuleResources(options.languages, [...this.#resourcesOf(this.#policyFiles), ...given]);
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
    const forBoth = this.#classifier(this.#options.head, referring);
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
    const { given = { base: [], head: [] } } = this.#options;
    const rulesOf = ({ files }, fromSources) => {
      const written = this.#resourcesOf(files.map(({ file }) => file).filter((file) => changed.has(file)));
      return [...written, ...fromSources].filter((resource) => rules.isRule(resource));
    };
    const [before, now] = [rulesOf(base, given.base), rulesOf(head, given.head)];
    const { created, updated, deleted } = matchObjects(
      before,
      now,
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

// src/pipeline/suggestions.ts
var MAX_OBJECTS = 200;
var MAX_SUGGESTIONS = 100;
var MAX_DOCUMENT = 2e5;
var MAX_FILE = 1e6;
var SuggestedEdits = class {
  #candidates = /* @__PURE__ */ new Map();
  #paths;
  /** `paths`: files that the change is about. */
  constructor(paths) {
    this.#paths = paths;
  }
  /** `change` as it was asked of `evaluator`. An object may come once for each target. */
  add(change, evaluated, evaluator) {
    const { resource } = change;
    const known = this.#candidates.get(resource);
    if (known === void 0 && this.#candidates.size === MAX_OBJECTS) return;
    if (!(resource.manifest instanceof WrittenManifest) || !this.#paths.has(resource.manifest.file.path)) return;
    if (change.operation === "DELETE") return;
    const { documentRange, file } = resource.manifest;
    if (documentRange.end - documentRange.start > MAX_DOCUMENT || file.text.length > MAX_FILE) return;
    const writes = evaluated.changes.length === 0 ? void 0 : evaluated.writes()?.writes;
    if (writes === void 0 || writes.length === 0) return;
    this.#candidates.set(resource, [...known ?? [], { change, evaluated, evaluator, writes }]);
  }
  /** Asks the policies once more, about what would be written. By path and line. */
  list() {
    const all = [...this.#candidates.values()].flatMap(suggestionsFor);
    const sorted = all.sort((a, b) => compareText(a.fix.path, b.fix.path) || a.fix.line - b.fix.line);
    const apart = sorted.filter(({ fix }, index) => {
      const before = sorted[index - 1]?.fix;
      return before?.path !== fix.path || before.line + before.before.length <= fix.line;
    });
    return apart.slice(0, MAX_SUGGESTIONS);
  }
};
function suggestionsFor(candidates) {
  const [first, ...others] = candidates;
  if (first === void 0 || others.some((other) => !isSameWriting(first, other))) return [];
  const { resource } = first.change;
  const manifest = resource.manifest;
  const { file } = manifest;
  const edited = editsTogether(resource, first.writes);
  const written = withEdits(resource, edited.splices);
  if (written === void 0 || candidates.some((candidate) => !isSettled(candidate, written, edited.left))) return [];
  const writable = first.writes.filter((write) => !edited.left.has(write));
  return groupedByLines(resource, writable).flatMap((writes) => {
    const { splices, left } = editsTogether(resource, writes);
    const fix = left.size > 0 ? void 0 : lineFix({ file, splices });
    if (fix === void 0) return [];
    const fields2 = writes.flatMap((write) => write.fields().map(({ path }) => formatFieldPath(path)));
    const by = writes.flatMap((write) => write.by.map(({ policy }) => policy));
    const policies = new Map(by.map(({ kind, name }) => [`${name}\0${kind}`, { kind, name }]));
    return [
      {
        resource: resourceName(resource, first.evaluated.request.namespace),
        fields: [...new Set(fields2)].sort(compareText),
        policies: [...policies.values()].sort((a, b) => compareText(a.name, b.name)),
        fix
      }
    ];
  });
}
function editsTogether({ manifest, rootPath }, writes) {
  const written = manifest;
  const edits = writes.map(({ edit }) => edit);
  const { splices, left } = editFile(written.file, [{ manifest: written, rootPath, edits }]);
  return { splices, left: new Set(writes.filter(({ edit }) => left.has(edit))) };
}
function withEdits({ manifest, rootPath, gvk }, splices) {
  const { file, documentRange } = manifest;
  const offset = documentRange.start;
  const own = splices.map(({ start, end, text: text3 }) => ({ start: start - offset, end: end - offset, text: text3 }));
  const before = file.text.slice(offset, documentRange.end);
  const text2 = spliced(before, own);
  if (text2 === void 0 || text2 === before) return void 0;
  const [written] = readManifests(new SourceFile(file.path, text2)).manifests;
  const value = written && valueAt(written.value, rootPath);
  return written === void 0 || !isJsonObject(value) ? void 0 : new Resource(written, rootPath, gvk, value);
}
function isSettled({ change, evaluator }, resource, left) {
  const { evaluated } = evaluator.evaluate({ ...change, resource });
  return evaluated !== void 0 && (evaluated.writes()?.writes.length ?? 0) <= left.size;
}
function groupedByLines(resource, writes) {
  const { file } = resource.manifest;
  const placed = writes.flatMap((write) => {
    const { splices, left } = editsTogether(resource, [write]);
    const change = left.size > 0 ? void 0 : changedLinesAsOne(file, splices);
    if (change === void 0) return [];
    const { from, before } = change;
    return [{ write, from: before.length === 0 ? from - 1 : from, to: from + Math.max(before.length - 1, 0) }];
  });
  const groups = [];
  for (const { write, from, to } of placed.sort((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    if (last !== void 0 && from <= last.to + 1) {
      last.to = Math.max(last.to, to);
      last.writes.push(write);
    } else groups.push({ to, writes: [write] });
  }
  return groups.map((group) => writes.filter((write) => group.writes.includes(write)));
}

// src/pipeline/touched-objects.ts
var TouchedObjects = class {
  #namespaces;
  #kinds;
  #languages;
  constructor(objects, { defaultNamespace }, languages) {
    const judged = objects.filter((resource) => !isPolicyOf(languages, resource));
    this.#languages = languages;
    this.#namespaces = new Set(
      judged.map(({ namespace, manifest }) => namespace || manifest.defaultNamespace || defaultNamespace)
    );
    this.#kinds = new Set(judged.map(({ gvk }) => `${gvk.group}/${gvk.kind}`));
  }
  /** Of policies all versions are asked. */
  dependOn(rule) {
    if (isPolicyOf(this.#languages, rule)) return false;
    if (isNamespace(rule)) return this.#namespaces.has(rule.name);
    return isCustomResourceDefinition(rule) ? this.#kinds.has(definedKind(rule)) : this.#kinds.size > 0;
  }
};

// src/pipeline/compare-states.ts
function compareStates(input) {
  return comparisonOf(input).report();
}
function chartsMissingInChange(input) {
  return comparisonOf(input).missingCharts;
}
function comparisonOf(input) {
  const { base, head, configuration, only, stages = UNOBSERVED } = input;
  const reader = new DocumentReader();
  stages.enter("read");
  const versions = new Set(configuration.targets.map((target) => targetVersion(target).minor));
  const builtin = [...versions].map((minor) => new BuiltinResources(minor));
  const sourceReader = new PolicySourceReader(configuration, input.engine, stages);
  const given = {
    base: sourceReader.read(base.policySources ?? []),
    head: sourceReader.read(head.policySources ?? [])
  };
  const options = {
    base,
    head,
    given: {
      base: given.base.resources.map(({ resource }) => resource),
      head: given.head.resources.map(({ resource }) => resource)
    },
    configuration,
    languages: spokenLanguages(configuration.targets),
    reader,
    everything: only === "all",
    ...input.touched && { touched: input.touched },
    isBuiltin: (gvk) => builtin.every((resources) => resources.resourceForKind(gvk) !== void 0)
  };
  const scope = readingScope(options);
  const run = new ComparisonRun(input, { scope, given, reader }, stages);
  if (!run.changesClusters || scope.extent !== "changes") return run;
  const whole = readingScope({ ...options, everything: true });
  return new ComparisonRun(input, { scope: whole, given, reader }, stages);
}
var ComparisonRun = class {
  #input;
  #scope;
  #stages;
  #base;
  #head;
  #clusters;
  #report;
  #work;
  #blastRadius = new BlastRadiusBuilder();
  #suggested;
  #taken = /* @__PURE__ */ new Set();
  /** Names of roots that apply something else than before. */
  #changedRoots;
  #rootOf;
  #changedBy;
  #notices;
  #policiesFrom;
  #objects = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  #diagnostics;
  constructor(input, { scope, given, reader }, stages) {
    const { base, head, configuration, notices = [], diagnostics = [], baseline, today = "" } = input;
    this.#input = input;
    this.#work = RunBudget.of(configuration.workLimit, [...base.files, ...head.files]);
    this.#scope = scope;
    this.#suggested = input.suggests === true ? new SuggestedEdits(scope.changed) : void 0;
    this.#stages = stages;
    this.#notices = [...notices];
    this.#policiesFrom = input.policiesFrom;
    const builder = input.builder ?? new RootBuilder();
    const contentOf = (state) => {
      const { tree } = input[state];
      const isPart = scope.extent === "changes";
      const wanted = new Set(scope[state].map(({ file }) => file.path));
      for (const path of [...scope.changed, ...input.touched ?? []]) wanted.add(path);
      const rendering = tree && input.engine && {
        tree,
        engine: input.engine,
        builder,
        ...input.charts && { charts: input.charts },
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
    const withSources2 = (state) => {
      const content = contentOf(state);
      return { ...content, written: content.written, resources: [...content.resources, ...given[state].resources] };
    };
    this.#base = withSources2("base");
    this.#head = withSources2("head");
    this.#clusters = comparedClusters(
      stateClusters(configuration, this.#base),
      stateClusters(configuration, this.#head)
    );
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
      base: [...this.#base.diagnostics.filter(isExamined), ...given.base.diagnostics],
      head: [...diagnostics, ...this.#head.diagnostics.filter(isExamined), ...given.head.diagnostics]
    };
    this.#addUnmatchedGlobs(input);
    append(this.#diagnostics.head, this.#hidden(reader));
    const notReadBefore = new Set(base.notRead.map(({ path, reason }) => `${reason}\0${path}`));
    const inHead = new Set(head.files.map(({ file }) => file.path));
    const concerns = ({ path, reason }) => scope.examined.has(path) || !inHead.has(path) && !notReadBefore.has(`${reason}\0${path}`);
    for (const entry of this.#head.skipped) {
      if (scope.extent === "repository" || concerns(entry)) this.#report.addSkipped(entry);
    }
    if (scope.extent === "repository") for (const entry of given.head.skipped) this.#report.addSkipped(entry);
  }
  get missingCharts() {
    return [...this.#base.missingCharts, ...this.#head.missingCharts];
  }
  #hidden(reader) {
    const { base, head } = this.#input;
    const swallowed = new Set(
      [...this.#head.inputs].flatMap(([path, built]) => this.#base.inputs.get(path) === built ? [] : [path])
    );
    const judged = (state, content) => ({
      state: this.#input[state],
      content: this.#withUnread(state, content, swallowed, reader),
      fixtures: this.#scope.classifiers?.[state].fixtures ?? /* @__PURE__ */ new Set()
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
      roots: content.roots,
      missingCharts: content.missingCharts
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
  /** True if one of the states tells of other clusters than the other. */
  get changesClusters() {
    return this.#clusters.differ;
  }
  report() {
    for (const compared of this.#clusters.targets(this.#input.configuration)) this.#addTarget(compared);
    return this.#finish();
  }
  #addTarget({ planned, belongs, rulesOfBase }) {
    const { configured, derivedFrom } = planned;
    const common = { work: this.#work, explainsMutations: this.#input.explainsMutations === true };
    const all = () => true;
    const base = { ...targetOf(configured, this.#base.resources, /* @__PURE__ */ new Set(), all, belongs?.base), ...common };
    const ofHead = this.#ofHead(configured);
    const head = { ...targetOf(ofHead, this.#head.resources, this.#taken, all, belongs?.head), ...common };
    const languages = languagesOf(configured, this.#input.today);
    const ruling = rulesOfBase === void 0 ? base : { ...targetOf(configured, this.#base.resources, /* @__PURE__ */ new Set(), all, rulesOfBase), ...common };
    if (this.#scope.extent === "repository") {
      append(this.#diagnostics.base, emptyTarget(configured, base, languages));
      append(this.#diagnostics.head, emptyTarget(configured, head, languages));
    }
    const rules = this.#rulesOf(ruling, head, languages, rulesOfBase !== void 0);
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
      append(this.#diagnostics.base, withoutDuplicatePolicies(ofBase.policyDiagnostics));
      append(this.#diagnostics.head, withoutDuplicatePolicies(rules.head.policyDiagnostics));
    }
    const identityOf2 = (resource) => before.identityOf(resource);
    const twice = contradictionsIn(planned, head, this.#head, identityOf2);
    append(
      this.#diagnostics.head,
      twice.found.map(({ diagnostic }) => diagnostic)
    );
    const known = contradictionsIn(planned, base, this.#base, identityOf2).found;
    const touched = new TouchedObjects(
      [...objects.created, ...objects.updated.map(({ resource }) => resource)],
      head,
      languages
    );
    append(
      this.#diagnostics.base,
      known.flatMap(({ resource, diagnostic }) => touched.dependOn(resource) ? [] : [diagnostic])
    );
    if (ruling !== base) {
      const { found } = contradictionsIn(planned, ruling, this.#base, identityOf2);
      append(
        this.#diagnostics.head,
        found.map(({ diagnostic }) => diagnostic)
      );
    }
    const unknowns = new Unknowns();
    for (const sentence of unevaluatedPolicies(head.facts, languages)) unknowns.add(sentence);
    const replaced = new Set(objects.updated.map(({ old }) => old));
    for (const evaluator of evaluators) unknowns.addAll(evaluator.unknowns, (resource) => !replaced.has(resource));
    this.#report.addTarget({
      name: head.name,
      ...derivedFrom !== void 0 && { derivedFrom },
      kubernetesVersion: formatVersion(head.kubernetesVersion),
      user: head.userInfo.username,
      policies: [...verdict.policies, ...also?.policies ?? []],
      unknowns: [
        ...unknowns.sentences(),
        ...unrendered(this.#examined(head), this.#changedBy),
        ...assumptions(this.#head.roots.filter(({ name }) => this.#changedRoots.has(name))),
        ...matchingUnknowns(objects),
        ...twice.unknowns,
        ...clusterUnknowns(this.#clusters.head, planned, verdict.policies.length > 0)
      ],
      unknownKinds: unknowns.kinds()
    });
  }
  /** Head calls the sources of a target by head's names. */
  #ofHead({ policySources, ...configured }) {
    const { next } = this.#input;
    const named = next === void 0 ? policySources : next.targets.find(({ name }) => name === configured.name)?.policySources;
    return { ...configured, ...named && { policySources: named } };
  }
  #finish() {
    const scope = this.#scope;
    for (const found of this.#head.resources) {
      if (found.selected && !this.#taken.has(found) && this.#isExamined(found.resource)) {
        this.#report.addUnevaluated(found.resource, "no-target", "");
      }
    }
    this.#report.addDiagnostics(spentBudget(this.#work));
    this.#stages.count("evaluate", "steps", this.#work.spent);
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
    const { only, base, head } = this.#input;
    const deciding = this.#policiesFrom === "head" ? head : base;
    const report = this.#report.buildComparison(files.length, {
      only,
      comparison,
      blastRadius,
      suggestions: this.#suggested?.list()
    });
    return withSources(report, deciding.policySources ?? []);
  }
  #examined({ manifests }) {
    return manifests.filter((resource) => this.#isExamined(resource));
  }
  #isExamined(resource) {
    const root = this.#rootOf.get(resource);
    if (root !== void 0 && this.#scope.extent === "changes") return this.#changedRoots.has(root.name);
    return root !== void 0 || this.#scope.examined.has(resource.manifest.file.path);
  }
  /** `isNew`: of a cluster that base does not have; its own rules count at once. */
  #rulesOf(base, head, languages, isNew) {
    const known = new RuleResources(languages, [...base.policies, ...head.policies]);
    const hasChanged = this.#addCauses(base, head, known);
    const evaluatorOf = (target) => new TargetEvaluator(target, languages, typedConverter(target), this.#stages);
    const before = evaluatorOf({ ...head, policies: base.policies, facts: verdictFacts(base, head) });
    const now = hasChanged ? evaluatorOf(head) : before;
    const evaluators = hasChanged ? [before, now] : [before];
    const isFirst = hasChanged && !base.policies.some((resource) => known.isPolicy(resource));
    if (isNew) {
      this.#notices.push(
        `the cluster ${head.name} is new: it is held to the rules that base has for every cluster, and to its own`
      );
    } else if (isFirst && this.#input.policiesFrom !== "head") {
      this.#notices.push(
        "base has no policies, so the verdict is by those of head: from the next change on, base has them"
      );
    }
    if (isFirst && !isNew) this.#policiesFrom = "head";
    const from = isFirst ? "head" : this.#input.policiesFrom;
    return {
      base: before,
      // What the first policies say of objects that were there before them is not the change's doing.
      before: isFirst ? now : before,
      head: now,
      verdict: from === "head" ? now : before,
      also: (from === "both" || isNew) && hasChanged && from !== "head" ? now : void 0,
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
    const sources = this.#input.head.policySources ?? [];
    for (const { resource, change, old } of changed) {
      this.#blastRadius.addCause(resource, change, old, pinPlace(resource, sources));
    }
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
    this.#suggested?.add(change, result.evaluated, rules.verdict);
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
  const touched = (await repository.changedFiles(head, base)).map(({ path }) => path);
  const settings = /* @__PURE__ */ new Set([...CONFIGURATION_NAMES, BASELINE_NAME, options.config, options.baseline]);
  const mends = touched.length > 0 && touched.every((path) => settings.has(path));
  const ofBaseOr = async (given) => read(base, true).catch((error) => {
    if (mends && error instanceof WorkspaceError && error.code === "unreadable") return given;
    throw error;
  });
  const ofHeadFile = await read(head, options.config === void 0);
  const chosen = chooseConfiguration(await ofBaseOr(ofHeadFile), ofHeadFile, mends);
  if (chosen.configuration === void 0) return unusable(chosen.path, chosen.diagnostics);
  const configuration = overrideConfiguration(chosen.configuration, options.overrides);
  const known = await baselineOf(root, options, { repository, id: base });
  const isBaselineMended = known !== void 0 && known.baseline === void 0 && mends;
  if (known !== void 0 && known.baseline === void 0 && !isBaselineMended) {
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
  const [baseTree, headTree] = [await treeOf(base, ofBase.files), await treeOf(head, ofHead.files)];
  const next = chosen.next && overrideConfiguration(chosen.next, options.overrides);
  const engine = openEngine(cacheIn(options.cache, root));
  const sources = await openComparedSources(
    {
      base: configuration.policySources,
      head: (next ?? configuration).policySources,
      mayChoose: configuration.policiesFrom !== "base"
    },
    { root, places: [ofBase, ofHead] },
    options.sourceAccess ?? sourceAccess()
  );
  try {
    const input = {
      base: { ...ofBase, tree: baseTree, policySources: sources.base },
      head: { ...ofHead, tree: headTree, policySources: sources.head },
      engine,
      builder: new RootBuilder(),
      touched,
      names: { base, head },
      configuration,
      policiesFrom: configuration.policiesFrom,
      only: configuration.only,
      notices: [...chosen.notices, ...isBaselineMended ? [mendedNotice(known.path)] : [], ...sources.notices],
      ...chosen.next && { next: chosen.next },
      diagnostics: chosen.diagnostics,
      ...known?.baseline && { baseline: known.baseline },
      ...options.today !== void 0 && { today: options.today },
      suggests: options.suggests === true,
      explainsMutations: options.explainsMutations === true
    };
    if (options.charts !== void 0) stages?.enter("fetch");
    const charts = options.charts && await fetchMissingCharts(
      options.charts,
      engine,
      (fetched) => chartsMissingInChange({ ...input, charts: fetched })
    );
    const report = compareStates({ ...input, ...charts && { charts }, ...stages && { stages } });
    return { report, unusable: false };
  } finally {
    await sources.close();
  }
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
function chooseConfiguration(base, head, mends) {
  const load = (file) => file === void 0 ? { configuration: defaultConfiguration(), diagnostics: [] } : loadConfiguration(file, { versionProblem });
  const now = load(head);
  const path = (base ?? head)?.path ?? "";
  if (base?.text === head?.text) return { ...now, path, notices: [] };
  const before = load(base);
  if (before.configuration === void 0) {
    if (mends && now.configuration !== void 0) return { ...now, path, notices: [mendedNotice(path)] };
    return { ...before, diagnostics: before.diagnostics.map(mendedAlone), path, notices: [] };
  }
  const { configuration } = before;
  const notices = [
    base === void 0 ? `${path} is new: it counts from the next change on, this verdict follows the defaults` : `${path} is changed too: this verdict still follows base's`
  ];
  const next = now.configuration;
  return { path, configuration, ...next && { next }, notices, diagnostics: now.diagnostics };
}
function mendedNotice(path) {
  return `${path} of base cannot be used, and this change mends it: there is nothing else in it to judge`;
}
function mendedAlone(diagnostic) {
  const help = "this is what base has: mend it in a change of its own, with nothing else in it";
  return { ...diagnostic, help: diagnostic.help === void 0 ? help : `${diagnostic.help}; ${help}` };
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
  const reports = parts.map(({ report: report2 }) => report2);
  const meanings = new Map(
    reports.flatMap((report2) => report2.coverage.notEvaluated.map(({ reason, meaning }) => [reason, meaning]))
  );
  const report = assembleReport({
    preadmit,
    failOn: verdict.failOn,
    files: coverage.files,
    evaluated: sum(reports.map((report2) => report2.coverage.evaluated)),
    skipped: reports.flatMap((report2) => report2.coverage.skipped),
    meaningOf: (reason) => meanings.get(reason) ?? reason,
    targets: mergedTargets(parts),
    findings: reports.flatMap((report2) => report2.findings),
    unlisted: reports.reduce((sum2, { unlisted }) => unlisted ? addUnlisted(sum2, unlisted) : sum2, NOTHING_UNLISTED),
    diagnostics: mergedDiagnostics(reports)
  });
  const [sources] = reports.flatMap(({ policySources }) => policySources === void 0 ? [] : [policySources]);
  return sources === void 0 ? report : { ...report, policySources: sources };
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
      unknownKinds: sumKinds(same.flatMap(({ unknownKinds }) => unknownKinds)),
      ...mergedMutations(same)
    };
  });
}
function mergedMutations(same) {
  const additions = mergedAdditions(same.map((target) => target.additions));
  const mutatedAway = same.flatMap((target) => target.mutatedAway ?? []);
  return { ...additions.length > 0 && { additions }, ...mutatedAway.length > 0 && { mutatedAway } };
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
  const read = value;
  return wrong === void 0 ? { report: read } : { problem: `is wrong at \`${wrong}\`` };
}
var text = (value) => typeof value === "string" ? void 0 : "";
var flag = (value) => typeof value === "boolean" ? void 0 : "";
var share = (value) => typeof value === "number" && value >= 0 && value <= 1 ? void 0 : "";
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
var RELATED = list(fields({ message: text, place: PLACE }, { role: oneOf("rule", "binding", "param") }));
var RESOURCE = fields({ apiVersion: text, kind: text, name: text }, { namespace: text });
var POLICY_COUNTS = { bindings: number, matched: number, denied: number, warned: number, audited: number };
var EXCUSE = fields(
  { by: oneOf("baseline", "annotation", "exception"), reason: text, place: PLACE },
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
    targets: list(text),
    roots: list(text),
    defaulted: flag,
    excuse: EXCUSE
  }
);
var LINE_FIX = fields(
  { path: text, line: number, before: list(text), after: list(text) },
  { above: text, below: text }
);
var FACTS = fields(
  { actions: list(text), matches: list(text) },
  { paramKind: text, since: text, typeWarnings: number, budgetShare: share }
);
var SUGGESTION = fields({
  resource: RESOURCE,
  fields: list(text),
  policies: list(fields({ kind: text, name: text })),
  fix: LINE_FIX
});
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
var POLICY_NAME = fields({ kind: text, name: text });
var ADDITION = fields({ policy: POLICY_NAME, field: text, objects: number, examples: list(RESOURCE) });
var MUTATED_AWAY = fields(
  { policy: POLICY_NAME, field: text, message: text, resource: RESOURCE, by: list(text) },
  { binding: text }
);
var OUTCOME = oneOf("allowed", "audited", "warned", "denied");
var BLAST_RADIUS = fields(
  {
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
        { message: text, fields: list(fields({ field: text }, { before: text, after: text })) }
      )
    )
  },
  { stored: number }
);
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
      fields(
        {
          name: text,
          kubernetesVersion: text,
          user: text,
          evaluated: number,
          policies: list(fields({ kind: text, name: text, path: text, ...POLICY_COUNTS }, { facts: FACTS })),
          unknowns: list(text),
          unknownKinds: list(fields({ apiVersion: text, kind: text, count: number }))
        },
        { derivedFrom: text, additions: list(ADDITION), mutatedAway: list(MUTATED_AWAY) }
      )
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
          cause: text,
          count: number,
          fix: LINE_FIX,
          excuse: EXCUSE
        }
      )
    )
  },
  {
    unlisted: fields({ error: number, warning: number, notice: number }),
    unusable: text,
    notCompared: text,
    suggestions: list(SUGGESTION),
    policySources: list(fields({ name: text, version: text })),
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
  maskedValue,
  matchObjects,
  compareStates,
  checkChanges,
  mergeCommand,
  mergeFiles
};
