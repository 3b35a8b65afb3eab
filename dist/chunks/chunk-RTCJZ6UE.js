import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  CHECK_COMMAND_OPTIONS,
  EXIT,
  TOKENS_VARIABLE,
  accessWith,
  checkOutputs,
  createStageLog,
  exitCodeOf,
  parseArguments,
  parseSourceText,
  readOutputs,
  showOptionsOf,
  sourcesOf,
  usageError,
  writeOutput
} from "./chunk-VVMZWVFQ.js";
import {
  MAXIMUM_INPUT_BYTES,
  SourceFile,
  WorkspaceError,
  askedVersion,
  chartOptions,
  checkRepository,
  checkState,
  contextGlobs,
  discover,
  openSources,
  parseShard,
  settingsOf,
  shardProblem,
  sourceAccess,
  startOf
} from "./chunk-HHDPM2AY.js";

// src/door/check-command.ts
import { resolve as resolve2 } from "node:path";

// src/door/check-input.ts
import { statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
var INPUT_NAME = "<stdin>";
async function checkInput(options, input) {
  askedVersion(options.overrides.kubernetesVersion);
  const { stages, today } = options;
  const { directory, root, repository } = await startOf({ ...options, paths: [] });
  const { folders, policies } = policyPlaces(options, root);
  const overrides = { ...options.overrides, ...policies && { policies } };
  const settings = await settingsOf(root, { ...options, overrides });
  if ("unusable" in settings) return settings;
  const { baseline } = settings;
  const configuration = ofInput(settings.configuration);
  const file = new SourceFile(INPUT_NAME, await textOf(input));
  stages?.enter("discover");
  const context = contextGlobs(configuration);
  const discovery = await discover({
    directory,
    ...repository && { repository },
    include: [],
    exclude: configuration.exclude,
    context
  });
  stages?.count("discover", "files", discovery.files.length + 1);
  const sources = [...configuration.policySources, ...folders];
  const opened = await openSources(sources, { root, places: [] }, options.sourceAccess ?? sourceAccess());
  try {
    const report = checkState({
      ...discovery,
      files: [...discovery.files.map((found) => ({ ...found, selected: false })), { file, selected: true }],
      notRead: [],
      configuration,
      policySources: opened.contents,
      ...stages && { stages },
      ...today !== void 0 && { today },
      ...baseline && { baseline }
    });
    return { report, unusable: false };
  } finally {
    await opened.close();
  }
}
function ofInput(configuration) {
  return {
    ...configuration,
    globs: configuration.globs.filter(({ field }) => field === "policies" || /^targets\..*\.policies$/.test(field)),
    targets: configuration.targets.map((target) => ({ ...target, manifests: { include: ["**"], exclude: [] } }))
  };
}
function policyPlaces({ directory, overrides }, root) {
  if (overrides.policies === void 0) return { folders: [] };
  const folders = [];
  const policies = [];
  for (const given of overrides.policies) {
    const place = resolve(directory, given);
    const status = statSync(place, { throwIfNoEntry: false });
    const below = relative(root, place).split(sep).join("/");
    const isOutside = below === ".." || below.startsWith("../") || isAbsolute(below);
    if (status === void 0) policies.push(given);
    else if (!isOutside) policies.push(below === "" ? "." : escaped(below));
    else if (status.isDirectory()) folders.push(folderSource(place, folders));
    else {
      throw new WorkspaceError("path-outside-root", `\`${given}\` lies outside \`${root}\`, and is no folder`, {
        hint: "name the folder that holds it"
      });
    }
  }
  return { folders, policies };
}
function folderSource(folder, others) {
  const parsed = parseSourceText(folder);
  const name = "source" in parsed ? parsed.source.name : "policies";
  const isTaken = others.some((other) => other.name === name);
  return {
    kind: "folder",
    name: isTaken ? `${name}-${others.length + 1}` : name,
    folder,
    include: ["**/*.{yaml,yml,json}"]
  };
}
function escaped(path) {
  return path.replace(/[*?[\]{}()!+@\\]/g, "\\$&");
}
async function textOf(input) {
  const parts = [];
  let length = 0;
  for await (const part of input) {
    length += Buffer.byteLength(part, "utf8");
    if (length > MAXIMUM_INPUT_BYTES) {
      throw new WorkspaceError("unreadable", `standard input is longer than ${MAXIMUM_INPUT_BYTES / 1024 / 1024} MiB`, {
        hint: "write it to files, in a folder, and check that"
      });
    }
    parts.push(part);
  }
  return parts.join("");
}

// src/door/check-command.ts
async function checkCommand(args, terminal) {
  const parsed = parseArguments(args, CHECK_COMMAND_OPTIONS);
  if ("problems" in parsed) return usageError(parsed.problems, terminal);
  const outputs = readOutputs(parsed.arguments);
  if ("problems" in outputs) return usageError(outputs.problems, terminal);
  await checkOutputs(outputs.outputs);
  const { paths, texts } = parsed.arguments;
  const shardText = texts.get("shard");
  const isInput = paths.includes("-");
  if (isInput && (paths.length > 1 || shardText !== void 0)) {
    return usageError(["`-` reads standard input, without other paths and without `--shard`"], terminal);
  }
  const shard = shardText === void 0 ? void 0 : parseShard(shardText);
  if (shardText !== void 0 && shard === void 0) {
    return usageError([shardProblem(shardText)], terminal);
  }
  const started = terminal.now();
  const stages = createStageLog({
    debug: parsed.arguments.flags.has("debug"),
    interactive: terminal.interactive,
    write: terminal.err,
    now: terminal.now
  });
  const options = { ...checkOptions(parsed.arguments, terminal), stages, ...shard && { shard } };
  const checked = isInput ? checkInput(options, terminal.input()) : checkRepository(options);
  const { report, unusable } = await checked.finally(stages.end);
  const showOptions = showOptionsOf(parsed.arguments, terminal, started);
  for (const output of outputs.outputs) await writeOutput(output, report, showOptions, terminal);
  if (unusable) return EXIT.usage;
  return exitCodeOf(report, { mayCheckNothing: parsed.arguments.flags.has("allow-nothing") });
}
function checkOptions({ paths, texts, lists, flags }, terminal) {
  const config = texts.get("config");
  const baseline = texts.get("baseline");
  const failOn = texts.get("fail-on");
  const policiesFrom = texts.get("policies-from");
  const only = texts.get("only");
  const kubernetesVersion = texts.get("kubernetes-version");
  const chartCache = texts.get("chart-cache");
  const cache = texts.get("cache");
  const policies = lists.get("policies");
  const policySources = lists.get("policy-sources");
  const include = lists.get("include");
  const exclude = lists.get("exclude");
  return {
    directory: terminal.directory,
    paths,
    ...config !== void 0 && { config },
    ...baseline !== void 0 && { baseline },
    today: terminal.today,
    sourceAccess: accessWith(terminal.policySourceTokens, TOKENS_VARIABLE, terminal.fetch),
    ...flags.has("fetch-charts") && {
      charts: chartOptions(
        terminal.environment ?? {},
        chartCache && resolve2(terminal.directory, chartCache),
        terminal.now
      )
    },
    ...cache !== void 0 && { cache: resolve2(terminal.directory, cache) },
    explainsMutations: flags.has("explain-mutations"),
    suggests: flags.has("suggest"),
    overrides: {
      ...failOn !== void 0 && { failOn },
      ...policiesFrom !== void 0 && { policiesFrom },
      ...only !== void 0 && { only },
      ...kubernetesVersion !== void 0 && { kubernetesVersion },
      ...policies && { policies },
      ...policySources && { policySources: sourcesOf(policySources, terminal.directory) },
      ...include && { include },
      ...exclude && { exclude }
    }
  };
}

export {
  checkCommand,
  checkOptions
};
