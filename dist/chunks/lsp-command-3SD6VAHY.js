import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  checkOptions
} from "./chunk-RTCJZ6UE.js";
import {
  EXIT,
  LSP_OPTIONS,
  parseArguments,
  rewriteState,
  usageError
} from "./chunk-VVMZWVFQ.js";
import {
  AdmissionEnvironments,
  BuiltinResources,
  DEFAULT_VERSION,
  DYN,
  DeclaredTypes,
  DocumentReader,
  INT,
  KnownKinds,
  LEXER_ERROR,
  Lexer,
  MAX_UINT64,
  RepositoryCluster,
  RootBuilder,
  SUPPRESSION_ANNOTATION,
  SourceFile,
  Token,
  UNOBSERVED,
  VARIABLES_TYPE,
  VERSION,
  WorkspaceError,
  WrittenManifest,
  askRepository,
  checkState,
  costModel,
  editFile,
  editsBetween,
  estimateCost,
  formatApiVersion,
  formatArguments,
  formatType,
  isAdmissionKind,
  isCustomResourceDefinition,
  isJsonArray,
  matchedKinds,
  objectField,
  objectOrEmpty,
  parseApiVersion,
  readPolicyFields,
  ruleName,
  sanitizeLine,
  stateContent,
  targetVersion,
  textField,
  valueAt
} from "./chunk-HHDPM2AY.js";

// src/door/lsp/message-stream.ts
var MAXIMUM_BODY_BYTES = 32 * 1024 * 1024;
var MAXIMUM_HEADER_BYTES = 8 * 1024;
var HEADER_END = "\r\n\r\n";
var MessageStream = class {
  #header = Buffer.alloc(0);
  #parts = [];
  /** Bytes that the body still lacks; undefined while a header is read. */
  #missing;
  /** Said once of a header without end. */
  #isLost = false;
  /** The body is passed over. */
  #isTooLong = false;
  push(chunk) {
    const messages = [];
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (rest.length > 0) {
      rest = this.#missing === void 0 ? this.#readHeader(rest, messages) : this.#readBody(rest, this.#missing, messages);
    }
    return messages;
  }
  /** Returns what follows the header. */
  #readHeader(bytes, messages) {
    const known = this.#header.length;
    const joined = Buffer.concat([this.#header, bytes.subarray(0, MAXIMUM_HEADER_BYTES)]);
    const end = joined.indexOf(HEADER_END, Math.max(0, known - HEADER_END.length));
    if (end < 0) {
      const isTooLong = joined.length > MAXIMUM_HEADER_BYTES;
      if (isTooLong && !this.#isLost)
        messages.push({ problem: `a header is longer than ${MAXIMUM_HEADER_BYTES} bytes` });
      this.#isLost ||= isTooLong;
      this.#header = isTooLong ? joined.subarray(-HEADER_END.length + 1) : joined;
      return bytes.subarray(joined.length - known);
    }
    this.#header = Buffer.alloc(0);
    this.#isLost = false;
    const rest = bytes.subarray(end + HEADER_END.length - known);
    const length = contentLength(joined.toString("latin1", 0, end));
    if (length === void 0) {
      messages.push({ problem: "a header without a Content-Length" });
      return rest;
    }
    this.#isTooLong = length > MAXIMUM_BODY_BYTES;
    if (this.#isTooLong) messages.push({ problem: `a message is longer than ${MAXIMUM_BODY_BYTES} bytes` });
    if (length === 0) messages.push({ body: "" });
    else this.#missing = length;
    return rest;
  }
  #readBody(bytes, missing, messages) {
    const part = bytes.subarray(0, missing);
    if (!this.#isTooLong) this.#parts.push(Buffer.from(part));
    this.#missing = missing - part.length;
    if (this.#missing > 0) return bytes.subarray(part.length);
    if (!this.#isTooLong) messages.push({ body: Buffer.concat(this.#parts).toString("utf8") });
    this.#parts = [];
    this.#missing = void 0;
    return bytes.subarray(part.length);
  }
};
function contentLength(header) {
  for (const line of header.split("\r\n")) {
    const [, digits] = /^content-length:[ \t]*([0-9]{1,15})[ \t]*$/i.exec(line) ?? [];
    if (digits !== void 0) return Number(digits);
  }
  return void 0;
}
function framed(message) {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body, "utf8")}${HEADER_END}${body}`;
}

// src/door/lsp/json-rpc.ts
var RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notInitialized: -32002,
  cancelled: -32800
};
var RpcError = class extends Error {
  code;
  constructor(code, message) {
    super(message);
    this.code = code;
  }
};
var RpcPeer = class {
  #write;
  #handlers;
  #queue = [];
  #cancelled = /* @__PURE__ */ new Set();
  #pending = /* @__PURE__ */ new Set();
  #running;
  constructor(write, handlers) {
    this.#write = write;
    this.#handlers = handlers;
  }
  notify(method, params) {
    this.#send({ method, params });
  }
  /** Takes in what came; answers follow when everything before it is done. */
  receive(streamed) {
    if ("problem" in streamed) {
      this.#refuse(null, RPC_ERROR.parse, streamed.problem);
      return;
    }
    const message = parsed(streamed.body);
    if (message === void 0) {
      this.#refuse(null, RPC_ERROR.parse, "the message is no JSON");
      return;
    }
    const { id, method, params } = message;
    const isRequest = typeof id === "string" || typeof id === "number";
    if (typeof method !== "string") {
      if (!("result" in message || "error" in message)) {
        this.#refuse(isRequest ? id : null, RPC_ERROR.invalidRequest, "the message has no method");
      }
      return;
    }
    if (method === "$/cancelRequest") {
      this.#cancel(params);
      return;
    }
    if (isRequest) this.#pending.add(id);
    this.#queue.push({ id: isRequest ? id : void 0, method, params });
    this.#running ??= this.#run();
  }
  /** When everything that came is done. */
  async settled() {
    while (this.#running !== void 0) await this.#running;
  }
  async #run() {
    for (; ; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#queue.shift();
      if (next === void 0) break;
      await this.#handle(next);
    }
    this.#running = void 0;
  }
  async #handle({ id, method, params }) {
    try {
      if (id === void 0) await this.#handlers.notify(method, params);
      else if (this.#cancelled.has(id)) this.#refuse(id, RPC_ERROR.cancelled, "cancelled");
      else this.#send({ id, result: await this.#handlers.request(method, params) ?? null });
    } catch (error) {
      const told = error instanceof Error ? error.message : String(error);
      if (!(error instanceof RpcError))
        this.#handlers.complain(`${method}: ${error instanceof Error ? error.stack : told}`);
      if (id !== void 0) this.#refuse(id, error instanceof RpcError ? error.code : RPC_ERROR.internal, told);
    } finally {
      if (id !== void 0) {
        this.#pending.delete(id);
        this.#cancelled.delete(id);
      }
    }
  }
  /** What has an answer already, or never was, cannot be cancelled. */
  #cancel(params) {
    const id = params?.id;
    if (this.#pending.has(id)) this.#cancelled.add(id);
  }
  #refuse(id, code, message) {
    if (id === null) this.#handlers.complain(message);
    this.#send({ id, error: { code, message } });
  }
  #send(message) {
    this.#write(framed({ jsonrpc: "2.0", ...message }));
  }
};
function parsed(body) {
  try {
    const value = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : void 0;
  } catch {
    return void 0;
  }
}

// src/door/lsp/language-server.ts
import { fileURLToPath as fileURLToPath2 } from "node:url";

// src/door/lsp/capabilities.ts
var COLOURS = [
  "variable",
  "property",
  "function",
  "keyword",
  "string",
  "number",
  "operator"
];
var CAPABILITIES = {
  positionEncoding: "utf-16",
  textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
  completionProvider: { triggerCharacters: ["."] },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ["(", ","] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  semanticTokensProvider: { legend: { tokenTypes: COLOURS, tokenModifiers: [] }, full: true },
  codeActionProvider: { codeActionKinds: ["quickfix"] }
};

// src/pipeline/editing/accept-finding.ts
function acceptFinding({ written }, path, offset, rule) {
  const resource = written.map((found) => found.resource).find((one) => isAt(one, path, offset));
  const manifest = resource?.manifest;
  if (resource === void 0 || !(manifest instanceof WrittenManifest)) return void 0;
  const after = withAnnotation(resource.value, rule);
  if (after === void 0) return void 0;
  const edits = editsBetween(resource.value, after);
  const edited = editFile(manifest.file, [{ manifest, rootPath: resource.rootPath, edits }]);
  return edited.left.size > 0 || edited.splices.length === 0 ? void 0 : edited.splices;
}
function isAt({ manifest, rootPath }, path, offset) {
  if (manifest.file.path !== path) return false;
  const { range } = manifest.place(rootPath, "value");
  return range.start <= offset && offset <= range.end;
}
function withAnnotation(value, rule) {
  const metadata = objectOrEmpty(value.get("metadata"));
  const annotations = objectField(metadata, "annotations") ?? /* @__PURE__ */ new Map();
  const lines = textField(annotations, SUPPRESSION_ANNOTATION).split("\n").filter((line) => line.trim() !== "");
  if (lines.some((line) => line.slice(0, line.indexOf(":")).trim() === rule)) return void 0;
  const text = [...lines, `${rule}: `].join("\n");
  return new Map(value).set(
    "metadata",
    new Map(metadata).set("annotations", new Map(annotations).set(SUPPRESSION_ANNOTATION, text))
  );
}

// src/door/lsp/document-position.ts
function offsetAt(file, { line, character }) {
  const starts = file.lineStarts;
  const start = starts[line];
  if (start === void 0) return file.text.length;
  return Math.min(start + character, start + file.lineText(line + 1).length);
}
function positionOf(file, offset) {
  const { line } = file.positionAt(offset);
  const start = file.lineStarts[line - 1] ?? 0;
  return { line: line - 1, character: Math.min(Math.max(offset, 0), file.text.length) - start };
}
function protocolRange(file, { start, end }) {
  return { start: positionOf(file, start), end: positionOf(file, end) };
}
function rangeOfPlace(file, place) {
  return {
    start: position(file, place.startLine, place.startColumn),
    end: position(file, place.endLine, place.endColumn)
  };
}
function position(file, line, column) {
  const text = file.lineText(line);
  let character = 0;
  for (let count = 1; count < column && character < text.length; count++) {
    character += text.codePointAt(character) > 65535 ? 2 : 1;
  }
  return { line: line - 1, character };
}

// src/door/lsp/request-params.ts
function paramsOf(value) {
  if (!isObject(value)) throw new RpcError(RPC_ERROR.invalidParams, "params are missing");
  return value;
}
function optionalObject(params, name) {
  const value = params[name];
  return isObject(value) ? value : {};
}
function optionalText(params, name) {
  const value = params[name];
  return typeof value === "string" ? value : void 0;
}
function textParam(params, name) {
  const value = params[name];
  if (typeof value !== "string") throw new RpcError(RPC_ERROR.invalidParams, `\`${name}\` is no text`);
  return value;
}
function documentUri(params) {
  return textParam(optionalObject(params, "textDocument"), "uri");
}
function documentVersion(params) {
  const { version } = optionalObject(params, "textDocument");
  return typeof version === "number" ? version : 0;
}
function positionParam(params) {
  const position2 = readPosition(params["position"]);
  if (position2 === void 0) throw new RpcError(RPC_ERROR.invalidParams, "`position` is no position");
  return position2;
}
function rangeParam(params) {
  const range = readRange(params["range"]);
  if (range === void 0) throw new RpcError(RPC_ERROR.invalidParams, "`range` is no range");
  return range;
}
function changesParam(params) {
  const changes = params["contentChanges"];
  if (!Array.isArray(changes)) throw new RpcError(RPC_ERROR.invalidParams, "`contentChanges` is no list");
  return changes.map((change) => {
    const written = paramsOf(change);
    const range = readRange(written["range"]);
    if (written["range"] !== void 0 && range === void 0) {
      throw new RpcError(RPC_ERROR.invalidParams, "`range` is no range");
    }
    return { text: textParam(written, "text"), ...range && { range } };
  });
}
function readRange(value) {
  if (!isObject(value)) return void 0;
  const start = readPosition(value["start"]);
  const end = readPosition(value["end"]);
  return start && end && { start, end };
}
function readPosition(value) {
  if (!isObject(value)) return void 0;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : void 0;
}
function isCount(value) {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// src/door/lsp/code-actions.ts
var MAX_DIAGNOSTICS = 50;
function codeActions(params, repository) {
  const uri = documentUri(params);
  const path = repository.pathOf(uri);
  const file = path === void 0 ? void 0 : repository.file(path);
  if (path === void 0 || file === void 0) return null;
  const range = rangeParam(params);
  const { diagnostics } = optionalObject(params, "context");
  const given = Array.isArray(diagnostics) ? diagnostics.slice(0, MAX_DIAGNOSTICS) : [];
  const actions = given.flatMap((one) => {
    const diagnostic = own(one);
    if (diagnostic === void 0) return [];
    return [...replacements(diagnostic, uri), ...acceptances(diagnostic, { uri, path, file, repository })];
  });
  return [...actions, ...mutations(uri, path, file, offsetAt(file, range.start), repository)];
}
function own(value) {
  if (typeof value !== "object" || value === null) return void 0;
  const { source, data } = value;
  if (source !== "preadmit" || typeof data !== "object" || data === null) return void 0;
  try {
    rangeParam(value);
  } catch {
    return void 0;
  }
  return value;
}
function replacements(diagnostic, uri) {
  const { help } = diagnostic.data;
  const [, meant] = /^did you mean `([^`\n]{1,200})`\?$/.exec(typeof help === "string" ? help : "") ?? [];
  const { code, range } = diagnostic;
  if (meant === void 0 || code !== "invalid-expression" || range.start.line !== range.end.line) return [];
  return [quickFix(`Replace with \`${meant}\``, uri, [{ range, newText: meant }], diagnostic, true)];
}
function acceptances(diagnostic, { uri, path, file, repository }) {
  const { accepts } = diagnostic.data;
  const content = repository.state?.content();
  if (typeof accepts !== "string" || content === void 0 || diagnostic.severity === 4) return [];
  const splices = acceptFinding(content, path, offsetAt(file, diagnostic.range.start), accepts);
  if (splices === void 0) return [];
  const edits = splices.map(({ start, end, text }) => ({ range: protocolRange(file, { start, end }), newText: text }));
  return [quickFix(`Accept \`${accepts}\` here, with a reason`, uri, edits, diagnostic, false)];
}
function mutations(uri, path, file, offset, repository) {
  const rewritten = repository.mutationsOf(path);
  if (rewritten === void 0 || rewritten.splices.length === 0) return [];
  if (!rewritten.objects.some(({ start, end }) => start <= offset && offset <= end)) return [];
  const edits = rewritten.splices.map(({ start, end, text }) => ({
    range: protocolRange(file, { start, end }),
    newText: text
  }));
  return [quickFix("Write what mutating policies add to this file", uri, edits, void 0, false)];
}
function quickFix(title, uri, edits, diagnostic, isPreferred) {
  return {
    title,
    kind: "quickfix",
    edit: { changes: { [uri]: [...edits] } },
    ...diagnostic && { diagnostics: [diagnostic] },
    ...isPreferred && { isPreferred }
  };
}

// src/door/lsp/answers.ts
var KINDS = {
  variable: 6,
  field: 5,
  function: 3,
  method: 2,
  macro: 15,
  keyword: 14
};
var ANSWERS = /* @__PURE__ */ new Map([
  ["textDocument/completion", completion],
  ["textDocument/hover", hover],
  ["textDocument/signatureHelp", signatureHelp],
  ["textDocument/definition", definition],
  ["textDocument/references", references],
  ["textDocument/prepareRename", prepareRename],
  ["textDocument/rename", rename],
  ["textDocument/semanticTokens/full", semanticTokens],
  ["textDocument/codeAction", codeActions]
]);
function answersFor(method) {
  return ANSWERS.get(method);
}
function placeOf(params, repository) {
  const path = repository.pathOf(documentUri(params));
  const file = path === void 0 ? void 0 : repository.file(path);
  const position2 = positionParam(params);
  return path === void 0 || file === void 0 ? void 0 : { path, file, offset: offsetAt(file, position2) };
}
function completion(params, repository) {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.completions(place.path, place.offset);
  if (place === void 0 || found === void 0) return null;
  const range = protocolRange(place.file, found.range);
  return found.names.map(
    ({ name, kind, detail }) => ({
      label: name,
      kind: KINDS[kind],
      ...detail !== "" && { detail },
      textEdit: { range, newText: name },
      // What belongs to the object comes before what goes with any.
      sortText: `${SORTED.indexOf(kind)} ${name}`
    })
  );
}
var SORTED = ["field", "variable", "macro", "method", "function", "keyword"];
function hover(params, repository) {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.hover(place.path, place.offset);
  if (place === void 0 || found === void 0) return null;
  const value = [`\`\`\`cel
${found.code.join("\n")}
\`\`\``, ...found.notes].join("\n\n");
  return { contents: { kind: "markdown", value }, range: protocolRange(place.file, found.range) };
}
function signatureHelp(params, repository) {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.signatures(place.path, place.offset);
  if (found === void 0) return null;
  const signatures = found.signatures.map((label) => ({ label, parameters: parametersOf(label) }));
  const active = signatures.findIndex(({ parameters }) => parameters.length > found.argument);
  return { signatures, activeSignature: Math.max(active, 0), activeParameter: found.argument };
}
function parametersOf(label) {
  const end = label.lastIndexOf(")", label.indexOf(" -> ") < 0 ? label.length : label.indexOf(" -> "));
  let depth = 0;
  let from = end;
  const starts = [];
  for (let at = end; at >= 0; at--) {
    const character = label[at];
    if (character === ")") depth += 1;
    else if (character === "(") depth -= 1;
    else if (character === "," && depth === 1) starts.unshift(at + 2);
    if (depth === 0) {
      from = at + 1;
      break;
    }
  }
  if (from >= end) return [];
  const begins = [from, ...starts];
  return begins.map((start, index) => ({ label: [start, (begins[index + 1] ?? end + 2) - 2] }));
}
function definition(params, repository) {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.definitions(place.path, place.offset);
  return found?.map((location) => locationOf(location, repository)) ?? null;
}
function references(params, repository) {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.references(place.path, place.offset);
  return found?.map((location) => locationOf(location, repository)) ?? null;
}
function prepareRename(params, repository) {
  const place = placeOf(params, repository);
  const found = place && repository.policies?.renaming(place.path, place.offset);
  if (place === void 0 || found === void 0) return null;
  return { range: protocolRange(place.file, found.range), placeholder: found.name };
}
function rename(params, repository) {
  const place = placeOf(params, repository);
  const name = textParam(params, "newName");
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new RpcError(RPC_ERROR.invalidParams, `\`${name}\` is no name of a variable`);
  }
  const found = place && repository.policies?.renaming(place.path, place.offset);
  if (found === void 0) return null;
  const changes = {};
  for (const { file, range } of found.places) {
    const uri = repository.uriOf(file.path);
    changes[uri] ??= [];
    changes[uri].push({ range: protocolRange(file, range), newText: name });
  }
  return { changes };
}
function semanticTokens(params, repository) {
  const path = repository.pathOf(documentUri(params));
  const file = path === void 0 ? void 0 : repository.file(path);
  if (path === void 0 || file === void 0) return null;
  const data = [];
  let line = 0;
  let character = 0;
  for (const token of repository.policies?.colours(path) ?? []) {
    const { start, end } = protocolRange(file, token);
    if (start.line !== end.line || end.character <= start.character) continue;
    const isSameLine = start.line === line;
    const column = isSameLine ? start.character - character : start.character;
    if (column < 0 || start.line < line) continue;
    data.push(start.line - line, column, end.character - start.character, COLOURS.indexOf(token.class), 0);
    line = start.line;
    character = start.character;
  }
  return { data };
}
function locationOf({ file, range }, repository) {
  return { uri: repository.uriOf(file.path), range: protocolRange(file, range) };
}

// src/door/lsp/edited-repository.ts
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// src/pipeline/edited-state.ts
var MAX_REMEMBERED = 200;
var EditedState = class {
  #input;
  #onDisk;
  #edited = /* @__PURE__ */ new Map();
  #reader = new DocumentReader();
  #builder = new RootBuilder();
  #asked = 0;
  #state;
  #content;
  constructor(input) {
    this.#input = input;
    this.#onDisk = new Map(input.files.map((found) => [found.file.path, found]));
  }
  /** `text`: what an editor holds instead of the file; undefined: it is as it was read. */
  edit(path, text) {
    if (text === (this.#edited.get(path) ?? this.#onDisk.get(path)?.file)?.text) return;
    const onDisk = this.#onDisk.get(path)?.file;
    if (text === void 0 || text === onDisk?.text) this.#edited.delete(path);
    else this.#edited.set(path, new SourceFile(path, text));
    this.#state = void 0;
    this.#content = void 0;
  }
  /** The text as it is now; undefined for what was not read. */
  file(path) {
    return this.#edited.get(path) ?? this.#onDisk.get(path)?.file;
  }
  /** `only`: paths of the files whose objects are judged; absent: all are. */
  check(only) {
    return checkState({ ...this.input(), ...only && { only } });
  }
  /** As everything is written: nothing is rendered. */
  content() {
    if (this.#content === void 0) {
      const { rendering: _, ...written } = this.input();
      this.#content = stateContent(written, UNOBSERVED);
    }
    return this.#content;
  }
  input() {
    this.#state ??= this.#stateNow();
    return this.#state;
  }
  #stateNow() {
    const { files, paths, notRead, rendering } = this.#input;
    const added = [...this.#edited.keys()].filter((path) => !this.#onDisk.has(path));
    const now = files.map((found) => {
      const file = this.#edited.get(found.file.path);
      return file === void 0 ? found : { ...found, file };
    });
    for (const path of added) now.push({ file: this.#edited.get(path), selected: true });
    if (added.length > 0) now.sort((one, other) => one.file.path < other.file.path ? -1 : 1);
    const isNew = new Set(added);
    return {
      ...this.#input,
      files: now,
      paths: added.length === 0 ? paths : /* @__PURE__ */ new Set([...paths, ...added]),
      notRead: added.length === 0 ? notRead : notRead.filter(({ path }) => !isNew.has(path)),
      reader: this.#reader,
      ...rendering && { rendering: this.#rendering(rendering) }
    };
  }
  #rendering(rendering) {
    this.#asked += 1;
    if (this.#asked % MAX_REMEMBERED === 0) this.#builder = new RootBuilder();
    return { ...rendering, tree: this.#tree(rendering.tree), builder: this.#builder };
  }
  #tree(tree) {
    const edited = new Map([...this.#edited].map(([path, { text }]) => [path, new TextEncoder().encode(text)]));
    return { ...tree, read: (path) => edited.get(path) ?? tree.read(path) };
  }
};

// src/cel/editing/written-tokens.ts
function writtenTokens(text) {
  const lexer = new Lexer(text);
  const tokens = [];
  for (let type = lexer.next(); type !== Token.EOF; type = lexer.next()) {
    if (type === LEXER_ERROR && lexer.end === lexer.start) break;
    if (type === LEXER_ERROR || type === Token.WHITESPACE || type === Token.COMMENT) continue;
    tokens.push({ type, start: lexer.start, end: lexer.end });
  }
  return tokens;
}
function openCalls(text, tokens, index) {
  const open = [];
  for (const [at, { type }] of tokens.slice(0, index).entries()) {
    if (OPENING.has(type)) open.push({ at, commas: 0 });
    else if (CLOSING.has(type)) open.pop();
    else if (type === Token.COMMA) {
      const last = open.at(-1);
      if (last !== void 0) last.commas += 1;
    }
  }
  return open.flatMap(({ at, commas }) => {
    const name = tokens[at - 1];
    if (tokens[at]?.type !== Token.LPAREN || name?.type !== Token.IDENTIFIER) return [];
    const isMethod = tokens[at - 2]?.type === Token.DOT;
    const receiver = isMethod ? operandEnding(tokens, at - 3) : void 0;
    return [
      { name: text.slice(name.start, name.end), receiver, argument: commas, names: namesAfter(text, tokens, at) }
    ];
  });
}
function namesAfter(text, tokens, open) {
  const names = [];
  for (let at = open + 1; tokens[at]?.type === Token.IDENTIFIER && tokens[at + 1]?.type === Token.COMMA; at += 2) {
    const { start, end } = tokens[at];
    names.push(text.slice(start, end));
  }
  return names;
}
function operandEnding(tokens, last) {
  const end = tokens[last]?.end;
  const first = operandStart(tokens, last);
  const start = first === void 0 ? void 0 : tokens[first]?.start;
  return start === void 0 || end === void 0 ? void 0 : { start, end };
}
function operandStart(tokens, last) {
  let at = last;
  for (; ; ) {
    const type = tokens[at]?.type;
    if (type === void 0) return void 0;
    if (CLOSING.has(type)) {
      const open = matching(tokens, at);
      if (open === void 0) return void 0;
      const before = tokens[open - 1]?.type;
      const isName2 = before === Token.IDENTIFIER;
      const isIndexed = type === Token.RBRACKET && before !== void 0 && (OPERAND_ENDS.has(before) || CLOSING.has(before));
      if (!(isIndexed || isName2 && type !== Token.RBRACKET)) return open;
      at = open - 1;
      continue;
    }
    if (!OPERAND_ENDS.has(type)) return void 0;
    const isOptional = tokens[at - 1]?.type === Token.QUESTION && tokens[at - 2]?.type === Token.DOT;
    const dot = isOptional ? at - 2 : at - 1;
    if (tokens[dot]?.type !== Token.DOT) return at;
    at = dot - 1;
  }
}
function matching(tokens, close) {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const { type } = tokens[at];
    if (CLOSING.has(type)) depth += 1;
    else if (OPENING.has(type)) depth -= 1;
    if (depth === 0) return at;
  }
  return void 0;
}
var OPENING = /* @__PURE__ */ new Set([Token.LPAREN, Token.LBRACKET, Token.LBRACE]);
var CLOSING = /* @__PURE__ */ new Set([Token.RPAREN, Token.RBRACKET, Token.RBRACE]);
var OPERAND_ENDS = /* @__PURE__ */ new Set([
  Token.IDENTIFIER,
  Token.ESCAPED_IDENTIFIER,
  Token.STRING,
  Token.BYTES,
  Token.INT,
  Token.UINT,
  Token.FLOAT,
  Token.TRUE,
  Token.FALSE,
  Token.NULL
]);

// src/cel/editing/expression-cursor.ts
var MAX_LENGTH = 2e4;
function cursorAt(text, offset) {
  const tokens = writtenTokens(text);
  const touching = tokens.findIndex(
    ({ start, end, type }) => isName(type) ? start <= offset && offset <= end : start < offset && offset < end
  );
  const next = tokens.findIndex(({ start }) => start >= offset);
  const index = touching >= 0 ? touching : next < 0 ? tokens.length : next;
  const token = touching < 0 ? void 0 : tokens[touching];
  const isNamed = token !== void 0 && isName(token.type);
  const before = tokens[index - 1]?.type === Token.QUESTION && tokens[index - 2]?.type === Token.DOT ? index - 2 : index - 1;
  const isAfterDot = tokens[before]?.type === Token.DOT && (tokens[before]?.end ?? 0) <= offset;
  return {
    text,
    tokens,
    index,
    name: isNamed ? token : { start: offset, end: offset },
    operand: isAfterDot ? operandEnding(tokens, before - 1) : void 0,
    isAfterDot,
    isInLiteral: token !== void 0 && !isNamed,
    calls: openCalls(text, tokens, index)
  };
}
function isName(type) {
  return type === Token.IDENTIFIER || type === Token.IN || type === Token.TRUE || type === Token.FALSE || type === Token.NULL;
}
function environmentAt({ text, calls }, environment) {
  let inner = environment;
  for (const { name, receiver, argument, names } of calls) {
    if (receiver === void 0 || argument === 0 || !COMPREHENSIONS.has(name)) continue;
    const of = typeOfText(text.slice(receiver.start, receiver.end), inner);
    const types = of === void 0 ? [] : elementTypes(of);
    const [first, second] = names.slice(0, argument);
    if (first === void 0) continue;
    const isPair = second !== void 0 && argument > 1 && PAIRS.has(name);
    const [key, value] = types;
    const own2 = of?.kind === "map" ? key : value;
    const variables = isPair ? [variable(first, key), variable(second, value)] : [variable(first, own2)];
    inner = inner.extend({ variables });
  }
  return inner;
}
function variable(name, type) {
  return { name, type: type ?? DYN };
}
function elementTypes(type) {
  const [first, second] = type.parameters;
  if (type.kind === "list" && first !== void 0) return [INT, first];
  if (type.kind === "map" && first !== void 0 && second !== void 0) return [first, second];
  return [];
}
function typeOfText(text, environment) {
  return text.length > MAX_LENGTH ? void 0 : environment.compile(text).ast?.outputType;
}
var COMPREHENSIONS = /* @__PURE__ */ new Set([
  "all",
  "exists",
  "exists_one",
  "existsOne",
  "map",
  "filter",
  "sortBy",
  "transformList",
  "transformMap",
  "transformMapEntry"
]);
var PAIRS = /* @__PURE__ */ new Set([
  "all",
  "exists",
  "exists_one",
  "existsOne",
  "transformList",
  "transformMap",
  "transformMapEntry"
]);

// src/cel/editing/known-names.ts
function memberNames(type, environment) {
  const names = [];
  const object = valueType(type);
  if (object.kind === "struct") {
    for (const name of environment.types.fieldNames(object) ?? []) {
      const field = environment.types.findField(object, name);
      if (field !== void 0) names.push({ name, kind: "field", detail: formatType(field) });
    }
  }
  for (const name of environment.callNames()) {
    if (name.includes(".")) continue;
    const declared = environment.declaredFunction(name);
    const fitting = declared?.overloads.filter((overload) => isMethodOf(overload, type)) ?? [];
    if (fitting.length > 0) names.push({ name, kind: "method", detail: signaturesOf(name, fitting) });
    else if (declared === void 0 && isElementMacro(name) && (type.kind === "list" || type.kind === "map")) {
      names.push({ name, kind: "macro", detail: MACRO_SHAPES.get(name) ?? `${name}(x, …)` });
    }
  }
  return names;
}
function globalNames(environment) {
  const variables = environment.variableNames().filter((name) => !name.includes("."));
  const names = variables.map((name) => ({
    name,
    kind: "variable",
    detail: formatType(environment.findVariable(name))
  }));
  for (const name of environment.callNames()) {
    const declared = environment.declaredFunction(name);
    const global = declared?.overloads.filter(({ receiverStyle }) => !receiverStyle) ?? [];
    if (global.length > 0) names.push({ name, kind: "function", detail: signaturesOf(name, global) });
    else if (name === "has") names.push({ name, kind: "macro", detail: "has(object.field) -> bool" });
  }
  for (const name of ["true", "false", "null"]) names.push({ name, kind: "keyword", detail: "" });
  return names;
}
function signatureLines(name, environment, receiver) {
  const declared = environment.declaredFunction(name);
  const macro = MACRO_SHAPES.get(name);
  if (declared === void 0) return macro === void 0 || !environment.callNames().includes(name) ? [] : [macro];
  const fitting = declared.overloads.filter(
    (overload) => receiver === void 0 ? !overload.receiverStyle : isMethodOf(overload, receiver)
  );
  const shown = fitting.length > 0 ? fitting : declared.overloads;
  return shown.map((overload) => signature(name, overload));
}
function signaturesOf(name, overloads) {
  const [first] = overloads;
  if (first === void 0) return "";
  const more = overloads.length - 1;
  return `${signature(name, first)}${more === 0 ? "" : ` (+${more})`}`;
}
function signature(name, { args, receiverStyle, result }) {
  const written = receiverStyle ? `${formatType(args[0])}.${name}${formatArguments(args.slice(1), false)}` : `${name}${formatArguments(args, false)}`;
  return `${written} -> ${formatType(result)}`;
}
function isMethodOf({ receiverStyle, args }, type) {
  const [receiver] = args;
  if (!receiverStyle || receiver === void 0) return false;
  if (receiver.kind === "param" || receiver.kind === "dyn") return true;
  return receiver.kind === type.kind && receiver.name === type.name;
}
function valueType(type) {
  const [held] = type.parameters;
  return type.name === "optional_type" && held !== void 0 ? held : type;
}
function isElementMacro(name) {
  return name !== "has" && MACRO_SHAPES.has(name);
}
var MACRO_SHAPES = /* @__PURE__ */ new Map([
  ["has", "has(object.field) -> bool"],
  ["all", "list.all(x, condition) -> bool"],
  ["exists", "list.exists(x, condition) -> bool"],
  ["exists_one", "list.exists_one(x, condition) -> bool"],
  ["existsOne", "list.existsOne(i, x, condition) -> bool"],
  ["map", "list.map(x, value) -> list"],
  ["filter", "list.filter(x, condition) -> list"],
  ["sortBy", "list.sortBy(x, key) -> list"],
  ["transformList", "list.transformList(i, x, value) -> list"],
  ["transformMap", "map.transformMap(k, v, value) -> map"],
  ["transformMapEntry", "map.transformMapEntry(k, v, entry) -> map"]
]);

// src/policy/admission/editing/expression-site.ts
var VALIDATING = "ValidatingAdmissionPolicy";
var MUTATING = "MutatingAdmissionPolicy";
function isExpressionPolicy(resource) {
  return isAdmissionKind(resource, VALIDATING) || isAdmissionKind(resource, MUTATING);
}
function siteAt(resource, path) {
  if (!isExpressionPolicy(resource)) return void 0;
  const [spec, list, index, ...last] = path;
  const field = last.join(".");
  if (spec !== "spec" || typeof index !== "number" || !FIELDS.has(`${list}.${field}`)) return void 0;
  const policy = readPolicyFields(resource);
  const expression = valueAt(resource.value, path);
  const all = policy.variables.length;
  return {
    resource,
    policy,
    path,
    // A field that is about to be written is null.
    expression: typeof expression === "string" ? expression : "",
    visibleVariables: list === "matchConditions" || all === 0 ? void 0 : list === "variables" ? index : all,
    hasAuthorizer: field !== "messageExpression",
    isMutation: list === "mutations"
  };
}
function sitesOf(resource) {
  if (!isExpressionPolicy(resource)) return [];
  return [...FIELDS].flatMap((field) => {
    const [list = "", ...last] = field.split(".");
    const items = valueAt(resource.value, ["spec", list]);
    if (!isJsonArray(items)) return [];
    return [...items.keys()].flatMap((index) => {
      const site = siteAt(resource, ["spec", list, index, ...last]);
      return site === void 0 || site.expression === "" ? [] : [site];
    });
  });
}
var FIELDS = /* @__PURE__ */ new Set([
  "matchConditions.expression",
  "variables.expression",
  "validations.expression",
  "validations.messageExpression",
  "auditAnnotations.valueExpression",
  "mutations.applyConfiguration.expression",
  "mutations.jsonPatch.expression"
]);

// src/policy/admission/editing/expression-answers.ts
function completionsAt(site, offset, scopes) {
  const cursor = cursorAt(site.expression, offset);
  if (cursor.isInLiteral) return { range: cursor.name, names: [] };
  const names = /* @__PURE__ */ new Map();
  for (const scope of scopes.scopesOf(site)) {
    for (const name of namesAt(cursor, scope)) {
      const key = `${name.kind} ${name.name}`;
      if (!names.has(key)) names.set(key, name);
    }
  }
  return { range: { start: cursor.name.start, end: Math.max(cursor.name.end, offset) }, names: [...names.values()] };
}
function namesAt(cursor, { environment }) {
  const inner = environmentAt(cursor, environment);
  if (!cursor.isAfterDot) return globalNames(inner);
  if (cursor.operand === void 0) return [];
  const text = cursor.text.slice(cursor.operand.start, cursor.operand.end);
  const type = typeOfText(text, inner);
  if (type !== void 0) return memberNames(type, inner);
  const prefix = `${text}.`;
  return globalNames(inner).flatMap(
    (known) => known.name.startsWith(prefix) ? [{ ...known, name: known.name.slice(prefix.length) }] : []
  );
}
function hoverAt(site, offset, scopes) {
  const cursor = cursorAt(site.expression, offset);
  const { start, end } = cursor.name;
  if (start === end) return void 0;
  const name = cursor.text.slice(start, end);
  const operand = cursor.operand && cursor.text.slice(cursor.operand.start, cursor.operand.end);
  const isCall = cursor.text.slice(end).trimStart().startsWith("(");
  const told = /* @__PURE__ */ new Map();
  for (const { label, environment } of scopes.scopesOf(site)) {
    const inner = environmentAt(cursor, environment);
    for (const line of isCall ? callLines(name, operand, inner) : valueLines(name, operand, inner)) {
      const labels = told.get(line) ?? [];
      labels.push(label);
      told.set(line, labels);
    }
  }
  if (told.size === 0) return void 0;
  const isOneForAll = [...told.values()].every((labels) => labels.length === scopes.scopesOf(site).length);
  const code = [...told].map(([line, labels]) => isOneForAll ? line : `${line}  // ${labels.join(", ")}`);
  const notes = [
    DESCRIPTIONS.get(operand === void 0 ? name : `${operand}.${name}`),
    variableNote(site, operand, name, scopes)
  ];
  return { range: cursor.name, code, notes: notes.filter((note) => note !== void 0) };
}
function callLines(name, operand, environment) {
  if (operand === void 0) return signatureLines(name, environment, void 0);
  const qualified = signatureLines(`${operand}.${name}`, environment, void 0);
  return qualified.length > 0 ? qualified : signatureLines(name, environment, typeOfText(operand, environment));
}
function valueLines(name, operand, environment) {
  const text = operand === void 0 ? name : `${operand}.${name}`;
  const type = typeOfText(text, environment);
  return type === void 0 ? [] : [`${text.replace(/\s+/g, " ")}: ${formatType(type)}`];
}
function variableNote({ policy }, operand, name, scopes) {
  const variable2 = operand === "variables" ? policy.variables.findLast((one) => one.name === name) : void 0;
  if (variable2 === void 0) return void 0;
  const index = policy.variables.lastIndexOf(variable2);
  const site = siteAt(policy.resource, ["spec", "variables", index, "expression"]);
  const cost = site && costOf(site, scopes);
  return `\`${variable2.expression.trim()}\`${cost === void 0 ? "" : `

estimated cost: ${cost}`}`;
}
function costOf(site, scopes) {
  const [scope] = scopes.scopesOf(site);
  const ast = scope?.environment.compile(site.expression).ast;
  if (ast === void 0) return void 0;
  const { min, max } = estimateCost(
    ast,
    costModel(() => void 0)
  );
  if (min === max) return String(min);
  return max === MAX_UINT64 ? `${min} or more, by the size of the object` : `${min} to ${max}`;
}
function signaturesAt(site, offset, scopes) {
  const cursor = cursorAt(site.expression, offset);
  const call = cursor.calls.at(-1);
  const [scope] = scopes.scopesOf(site);
  if (call === void 0 || scope === void 0) return void 0;
  const outer = environmentAt({ ...cursor, calls: cursor.calls.slice(0, -1) }, scope.environment);
  const receiver = call.receiver && cursor.text.slice(call.receiver.start, call.receiver.end);
  const signatures = callLines(call.name, receiver, outer);
  return signatures.length === 0 ? void 0 : { signatures, argument: call.argument };
}
var DESCRIPTIONS = /* @__PURE__ */ new Map([
  ["object", "The object as the request would have it stored; null when it is deleted."],
  ["oldObject", "The object as it is stored now; null when it is created."],
  ["request", "The admission request: operation, names, user."],
  ["params", "The object that the binding’s `paramRef` leads to."],
  ["namespaceObject", "The Namespace of the object; null for objects that are in none."],
  ["variables", "The policy’s own variables, each evaluated when it is first asked for."],
  ["authorizer", "Asks what the user of the request may do."],
  ["request.operation", "`CREATE`, `UPDATE`, `DELETE` or `CONNECT`."],
  ["request.userInfo", "Who asks: `username`, `uid`, `groups`, `extra`."],
  ["request.namespace", "Name of the object’s namespace; empty for objects that are in none."],
  ["request.name", "Name of the object; may be empty while it is created with `generateName`."],
  ["request.dryRun", "True if nothing will be stored."]
]);

// src/cel/editing/token-classes.ts
function classifiedTokens(text) {
  const tokens = writtenTokens(text);
  return tokens.flatMap((token, index) => {
    const found = classOf(token, tokens[index - 1], tokens[index + 1]);
    return found === void 0 ? [] : [{ start: token.start, end: token.end, class: found }];
  });
}
function classOf({ type }, before, after) {
  const isSelected = before?.type === Token.DOT;
  if (NAMES.has(type)) {
    if (after?.type === Token.LPAREN) return "function";
    return isSelected ? "property" : "variable";
  }
  if (KEYWORDS.has(type)) return isSelected ? "property" : "keyword";
  if (type === Token.STRING || type === Token.BYTES) return "string";
  if (type === Token.INT || type === Token.UINT || type === Token.FLOAT) return "number";
  return PUNCTUATION.has(type) ? void 0 : "operator";
}
var NAMES = /* @__PURE__ */ new Set([Token.IDENTIFIER, Token.ESCAPED_IDENTIFIER]);
var KEYWORDS = /* @__PURE__ */ new Set([Token.IN, Token.TRUE, Token.FALSE, Token.NULL]);
var PUNCTUATION = /* @__PURE__ */ new Set([
  Token.LPAREN,
  Token.RPAREN,
  Token.LBRACKET,
  Token.RBRACKET,
  Token.LBRACE,
  Token.RBRACE,
  Token.COMMA,
  Token.DOT
]);

// src/policy/admission/editing/expression-colours.ts
function classifiedExpressions(resource) {
  return sitesOf(resource).flatMap(
    ({ path, expression }) => classifiedTokens(expression).map((token) => ({ ...token, resource, path }))
  );
}

// src/policy/admission/editing/expression-scopes.ts
var MAX_KINDS = 8;
var ExpressionScopes = class {
  #kinds;
  #environments;
  #known = /* @__PURE__ */ new WeakMap();
  constructor(cluster) {
    this.#kinds = new KnownKinds(cluster);
    this.#environments = new AdmissionEnvironments(cluster.version);
  }
  /** At least one. */
  scopesOf(site) {
    const known = this.#known.get(site.resource) ?? /* @__PURE__ */ new Map();
    this.#known.set(site.resource, known);
    const key = [site.visibleVariables, site.hasAuthorizer, site.isMutation].join();
    const scopes = known.get(key) ?? this.#scopes(site);
    known.set(key, scopes);
    return scopes;
  }
  #scopes(site) {
    const { matchConstraints } = site.policy;
    const { kinds = [] } = (matchConstraints && matchedKinds(matchConstraints, this.#kinds.all)) ?? {};
    const objects = /* @__PURE__ */ new Map();
    for (const { kind } of [...kinds].sort((one, other) => Number(other.isNamed) - Number(one.isNamed))) {
      const object = this.#kinds.objectType(kind);
      if (object === void 0 || objects.has(object.name)) continue;
      objects.set(object.name, { label: `${formatApiVersion(kind.group, kind.version)} ${kind.kind}`, object });
      if (objects.size === MAX_KINDS) break;
    }
    if (objects.size === 0) objects.set("", { label: "", object: DYN });
    return [...objects.values()].map(({ label, object }) => ({ label, environment: this.#environment(site, object) }));
  }
  /** Variables have the type of what is written for them, as far as it compiles. */
  #environment(site, object) {
    const { policy, hasAuthorizer, isMutation, visibleVariables } = site;
    const fields = /* @__PURE__ */ new Map();
    const own2 = new DeclaredTypes();
    if (visibleVariables !== void 0) own2.declare(VARIABLES_TYPE.name, () => fields);
    const { environment } = this.#environments.context({
      mode: "new",
      hasParams: policy.paramKind !== void 0,
      hasAuthorizer,
      hasPatchTypes: isMutation,
      ...visibleVariables !== void 0 && { variables: own2 }
    });
    const typed = environment.extend({
      variables: [
        { name: "object", type: object },
        { name: "oldObject", type: object },
        ...policy.paramKind === void 0 ? [] : [{ name: "params", type: this.#paramsType(policy.paramKind) }]
      ],
      types: [this.#kinds.types]
    });
    for (const { name, expression } of policy.variables.slice(0, visibleVariables ?? 0)) {
      fields.set(name, typed.compile(expression).ast?.outputType ?? DYN);
    }
    return typed;
  }
  #paramsType({ apiVersion, kind }) {
    const groupVersion = parseApiVersion(apiVersion);
    return (groupVersion && this.#kinds.objectType({ ...groupVersion, kind })) ?? DYN;
  }
};

// src/policy/admission/editing/variable-uses.ts
function variableAt(site, offset) {
  const { text, operand, name } = cursorAt(site.expression, offset);
  if (operand === void 0 || name.start === name.end) return void 0;
  return text.slice(operand.start, operand.end) === "variables" ? text.slice(name.start, name.end) : void 0;
}
function variableNamedAt(resource, path) {
  const [spec, list, index, field] = path;
  if (!isExpressionPolicy(resource) || spec !== "spec" || list !== "variables" || field !== "name") return void 0;
  return typeof index === "number" ? readPolicyFields(resource).variables[index]?.name : void 0;
}
function variableEntries(resource, name) {
  return readPolicyFields(resource).variables.flatMap(
    (variable2, index) => variable2.name === name ? [{ resource, path: ["spec", "variables", index, "name"], start: 0, end: name.length }] : []
  );
}
function variableUses(resource, name) {
  return sitesOf(resource).flatMap(
    ({ expression, path }) => usesIn(expression, name).map((start) => ({ resource, path, start, end: start + name.length }))
  );
}
function usesIn(expression, name) {
  const tokens = writtenTokens(expression);
  return tokens.flatMap(({ start, end }, index) => {
    if (expression.slice(start, end) !== name) return [];
    const [before, dot, object] = [tokens[index - 3], tokens[index - 1], tokens[index - 2]];
    if (dot === void 0 || object === void 0 || expression.slice(dot.start, dot.end) !== ".") return [];
    if (expression.slice(object.start, object.end) !== "variables") return [];
    const isField = before !== void 0 && expression.slice(before.start, before.end) === ".";
    return isField ? [] : [start];
  });
}

// src/pipeline/editing/edited-policies.ts
var REGISTRATION = "admissionregistration.k8s.io";
var EditedPolicies = class {
  #state;
  #scopes;
  constructor(state) {
    this.#state = state;
  }
  /** Undefined outside of expressions. */
  completions(path, offset) {
    const field = this.#fieldAt(path, offset);
    const site = field && siteAt(field.resource, field.path);
    if (field === void 0 || site === void 0) return void 0;
    const { range, names } = completionsAt(site, field.offset, this.#scopesNow());
    const placed = rangeOf({ ...field, ...range });
    return { range: site.expression === "" ? { start: offset, end: offset } : placed, names };
  }
  hover(path, offset) {
    const field = this.#fieldAt(path, offset);
    const site = field && siteAt(field.resource, field.path);
    const hover2 = field && site && hoverAt(site, field.offset, this.#scopesNow());
    return field && hover2 && { ...hover2, range: rangeOf({ ...field, ...hover2.range }) };
  }
  signatures(path, offset) {
    const field = this.#fieldAt(path, offset);
    const site = field && siteAt(field.resource, field.path);
    return field && site && signaturesAt(site, field.offset, this.#scopesNow());
  }
  /** The expressions of a file, token by token. */
  colours(path) {
    return this.#resources(path).flatMap(
      (resource) => classifiedExpressions(resource).map((token) => ({ ...rangeOf(token), class: token.class }))
    ).sort((one, other) => one.start - other.start);
  }
  definitions(path, offset) {
    const field = this.#fieldAt(path, offset);
    if (field === void 0) return [];
    const site = siteAt(field.resource, field.path);
    if (site !== void 0) return this.#definitionsIn(site, field.offset);
    const { resource, path: asked } = field;
    const name = asked.join(".");
    const spec = objectOrEmpty(resource.value.get("spec"));
    if (isBinding(resource) && name === "spec.policyName") {
      return namesOf(this.#policiesNamed(textField(spec, "policyName"), resource));
    }
    if (isBinding(resource) && name === "spec.paramRef.name") return namesOf(this.#paramsOf(resource));
    if (isPolicy(resource) && name.startsWith("spec.paramKind.")) return this.#kindOf(resource);
    return [];
  }
  /** With what they refer to. */
  references(path, offset) {
    const field = this.#fieldAt(path, offset);
    if (field === void 0) return [];
    const variable2 = this.#variable(field);
    if (variable2 !== void 0) {
      const { resource: resource2 } = field;
      return [...variableEntries(resource2, variable2), ...variableUses(resource2, variable2)].map(locationOf2);
    }
    const { resource } = field;
    const name = field.path.join(".");
    if (isPolicy(resource) && name === "metadata.name") return this.#bindingsOf(resource.name, resource.gvk.kind);
    if (isBinding(resource) && name === "spec.policyName") {
      const policy = textField(objectOrEmpty(resource.value.get("spec")), "policyName");
      return this.#bindingsOf(policy, resource.gvk.kind.replace(/Binding$/, ""));
    }
    return [];
  }
  /** The variable at the place, and every place where it is named; undefined if there is none. */
  renaming(path, offset) {
    const field = this.#fieldAt(path, offset);
    const name = field && this.#variable(field);
    if (field === void 0 || name === void 0) return void 0;
    const entries = variableEntries(field.resource, name);
    if (entries.length === 0) return void 0;
    const places = [...entries, ...variableUses(field.resource, name)].map(locationOf2);
    const own2 = places.find(({ range }) => range.start <= offset && offset <= range.end);
    return own2 && { name, range: own2.range, places };
  }
  #definitionsIn(site, offset) {
    const variable2 = variableAt(site, offset);
    if (variable2 !== void 0) return variableEntries(site.resource, variable2).slice(-1).map(locationOf2);
    const word = wordAt(site.expression, offset);
    if (word !== "params") return [];
    const bindings = this.#all().filter(
      (one) => isBinding(one) && one.gvk.kind === `${site.resource.gvk.kind}Binding` && textField(objectOrEmpty(one.value.get("spec")), "policyName") === site.resource.name
    );
    return namesOf(bindings.flatMap((binding) => this.#paramsOf(binding)));
  }
  #variable({ resource, path, offset }) {
    const site = siteAt(resource, path);
    return site === void 0 ? variableNamedAt(resource, path) : variableAt(site, offset);
  }
  #policiesNamed(name, binding) {
    const kind = binding.gvk.kind.replace(/Binding$/, "");
    return this.#all().filter((one) => isPolicy(one) && one.gvk.kind === kind && one.name === name);
  }
  /** The objects that a binding's paramRef names. */
  #paramsOf(binding) {
    const spec = objectOrEmpty(binding.value.get("spec"));
    const paramRef = objectField(spec, "paramRef");
    if (paramRef === void 0) return [];
    const [name, namespace] = [textField(paramRef, "name"), textField(paramRef, "namespace")];
    const kinds = this.#policiesNamed(textField(spec, "policyName"), binding).flatMap(
      ({ value }) => objectField(objectOrEmpty(value.get("spec")), "paramKind") ?? []
    );
    return this.#all().filter(
      (one) => one.name === name && (namespace === "" || one.namespace === "" || one.namespace === namespace) && kinds.some(
        (kind) => textField(kind, "kind") === one.gvk.kind && textField(kind, "apiVersion") === one.apiVersion
      )
    );
  }
  /** The definition of a policy's paramKind. */
  #kindOf(policy) {
    const paramKind = objectField(objectOrEmpty(policy.value.get("spec")), "paramKind");
    if (paramKind === void 0) return [];
    const [group = ""] = textField(paramKind, "apiVersion").split("/");
    return this.#all().flatMap((one) => {
      const names = objectField(objectOrEmpty(one.value.get("spec")), "names");
      if (!isCustomResourceDefinition(one) || names === void 0) return [];
      const isOf = textField(objectOrEmpty(one.value.get("spec")), "group") === group;
      const isKind = textField(names, "kind") === textField(paramKind, "kind");
      return isOf && isKind ? [one.locate(["spec", "names", "kind"], "value")] : [];
    });
  }
  #bindingsOf(policy, kind) {
    const policies = this.#all().filter((one) => one.gvk.kind === kind && one.name === policy && isPolicy(one));
    const bindings = this.#all().filter(
      (one) => isBinding(one) && one.gvk.kind === `${kind}Binding` && textField(objectOrEmpty(one.value.get("spec")), "policyName") === policy
    );
    return [...namesOf(policies), ...bindings.map((one) => one.locate(["spec", "policyName"], "value"))];
  }
  #all() {
    return this.#state.content().resources.map(({ resource }) => resource);
  }
  #resources(path) {
    return this.#all().filter(({ manifest }) => manifest.file.path === path && manifest instanceof WrittenManifest);
  }
  /** The object that a place is in, with the field there. */
  #fieldAt(path, offset) {
    for (const resource of this.#resources(path)) {
      const manifest = resource.manifest;
      const { start, end } = manifest.documentRange;
      if (offset < start || offset > end) continue;
      const place = manifest.textAt(offset);
      if (place === void 0) continue;
      const { rootPath } = resource;
      if (rootPath.some((step, index) => place.path[index] !== step)) continue;
      return { resource, path: place.path.slice(rootPath.length), offset: place.offset };
    }
    return void 0;
  }
  /** Made anew when a definition of custom resources changes. */
  #scopesNow() {
    const definitions = this.#all().filter(isCustomResourceDefinition);
    const known = this.#scopes;
    const isSame = known?.definitions.length === definitions.length && known.definitions.every((definition2, index) => definition2 === definitions[index]);
    if (known !== void 0 && isSame) return known.scopes;
    const [target] = this.#state.input().configuration.targets;
    const version = target === void 0 ? DEFAULT_VERSION : targetVersion(target);
    const scopes = new ExpressionScopes(clusterOf(definitions, version));
    this.#scopes = { definitions, scopes };
    return scopes;
  }
};
function clusterOf(resources, version) {
  return new RepositoryCluster({
    version,
    builtin: new BuiltinResources(version.minor),
    resources,
    stored: ({ value }) => value,
    defaultNamespace: "default",
    isComplete: false
  });
}
function isPolicy({ gvk }) {
  return gvk.group === REGISTRATION && gvk.kind.endsWith("AdmissionPolicy");
}
function isBinding({ gvk }) {
  return gvk.group === REGISTRATION && gvk.kind.endsWith("AdmissionPolicyBinding");
}
function namesOf(resources) {
  return resources.map((resource) => resource.locate(["metadata", "name"], "value"));
}
function locationOf2(text) {
  return { file: text.resource.manifest.file, range: rangeOf(text) };
}
function rangeOf({ resource, path, start, end }) {
  const { manifest, rootPath } = resource;
  const full = [...rootPath, ...path];
  return manifest instanceof WrittenManifest ? manifest.locateUnits(full, start, end) : manifest.place(full, "value").range;
}
function wordAt(text, offset) {
  const before = /[A-Za-z_]\w*$/.exec(text.slice(0, offset))?.[0] ?? "";
  return before + (/^\w*/.exec(text.slice(offset))?.[0] ?? "");
}

// src/pipeline/editing/written-mutations.ts
function writtenMutations(state, path) {
  const mayChange = state.content().resources.some(({ resource: { gvk } }) => {
    return gvk.kind === "MutatingAdmissionPolicy" || gvk.group.endsWith("kyverno.io");
  });
  if (!mayChange) return void 0;
  const rewritten = rewriteState({ ...state.input(), only: /* @__PURE__ */ new Set([path]) });
  const file = rewritten.files.find((one) => one.file.path === path);
  if (file === void 0) return void 0;
  const objects = rewritten.state.entries.filter(({ resource }) => resource.manifest.file === file.file).map(({ resource }) => resource.manifest.place(resource.rootPath, "value").range);
  return { splices: file.splices, objects };
}

// src/door/lsp/edited-repository.ts
var SETTINGS = /(?:^|\/)\.preadmit(?:-baseline)?\.ya?ml$/;
var DOCUMENT = /\.(?:ya?ml|json)$/;
var EditedRepository = class _EditedRepository {
  root;
  /** Absent where the configuration cannot be used; the report says why. */
  state;
  unusable;
  policies;
  #mutations;
  /** By path. */
  #uris = /* @__PURE__ */ new Map();
  #release;
  constructor(root, found, release) {
    this.root = root;
    this.state = found.state;
    this.unusable = found.unusable;
    this.policies = found.state && new EditedPolicies(found.state);
    this.#release = release;
  }
  /** Throws WorkspaceError. Policy sources stay open until `close`. */
  static open(options) {
    return new Promise((resolve, reject) => {
      askRepository(options, (input, root) => {
        return new Promise((release) => {
          resolve(new _EditedRepository(root, { state: new EditedState(input) }, release));
        });
      }).then((asked) => {
        if (!("stopped" in asked)) return;
        const root = options.directory;
        resolve(new _EditedRepository(root, { unusable: asked.stopped.report }, () => {
        }));
      }, reject);
    });
  }
  close() {
    this.#release();
  }
  /** Path from the top of the repository; undefined for what lies elsewhere, or is no file. */
  pathOf(uri) {
    const file = fileOf(uri);
    const path = file === void 0 ? void 0 : relative(this.root, file).split(sep).join("/");
    if (path === void 0 || path === "" || path === ".." || path.startsWith("../") || /^[A-Za-z]:/.test(path)) {
      return void 0;
    }
    this.#uris.set(path, uri);
    return path;
  }
  uriOf(path) {
    return this.#uris.get(path) ?? pathToFileURL(join(this.root, path)).href;
  }
  file(path) {
    return this.state?.file(path);
  }
  /** What mutating policies would write into a file; found once for each state. */
  mutationsOf(path) {
    const input = this.state?.input();
    if (this.state === void 0 || input === void 0) return void 0;
    if (this.#mutations?.of !== input) this.#mutations = { of: input, byPath: /* @__PURE__ */ new Map() };
    const { byPath } = this.#mutations;
    if (!byPath.has(path)) byPath.set(path, writtenMutations(this.state, path));
    return byPath.get(path);
  }
  edit(path, text) {
    if (DOCUMENT.test(path) && !SETTINGS.test(path)) this.state?.edit(path, text);
  }
};
function fileOf(uri) {
  try {
    const file = fileURLToPath(uri);
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return void 0;
  }
}

// src/door/lsp/open-documents.ts
var OpenDocuments = class {
  #documents = /* @__PURE__ */ new Map();
  all() {
    return [...this.#documents.values()];
  }
  get(uri) {
    return this.#documents.get(uri);
  }
  open(uri, version, text) {
    this.#documents.set(uri, { uri, version, file: new SourceFile(uri, text) });
  }
  /** Each change is of the text that the one before it left. */
  change(uri, version, changes) {
    const document = this.#documents.get(uri);
    if (document === void 0) return void 0;
    let { file } = document;
    for (const { range, text } of changes) file = new SourceFile(uri, changed(file, range, text));
    const now = { uri, version, file };
    this.#documents.set(uri, now);
    return now;
  }
  close(uri) {
    this.#documents.delete(uri);
  }
};
function changed(file, range, text) {
  if (range === void 0) return text;
  const start = offsetAt(file, range.start);
  const end = Math.max(start, offsetAt(file, range.end));
  return file.text.slice(0, start) + text + file.text.slice(end);
}

// src/door/lsp/reported-diagnostics.ts
var SEVERITIES = { error: 1, warning: 2, notice: 3 };
var HINT = 4;
function diagnosticsByPath(report, known) {
  const found = /* @__PURE__ */ new Map();
  const add = (place, diagnostic) => {
    const file = place && known.file(place.path);
    if (file === void 0) return;
    const same = found.get(file.path);
    if (same === void 0) found.set(file.path, [diagnostic(file)]);
    else same.push(diagnostic(file));
  };
  for (const one of report.diagnostics) add(one.primary, (file) => ofDiagnostic(one, file, known));
  for (const one of report.findings) add(one.primary, (file) => ofFinding(one, file, known));
  return found;
}
function ofDiagnostic(one, file, known) {
  const { code, message, help, excuse, resource } = one;
  const data = { ...help !== void 0 && { help }, ...resource && { accepts: code } };
  return {
    range: rangeOfPlace(file, one.primary),
    severity: excuse === void 0 ? SEVERITIES[one.severity] : HINT,
    source: "preadmit",
    code,
    message: [message, ...help === void 0 ? [] : [`help: ${help}`], ...accepted(excuse)].join("\n"),
    relatedInformation: related(one.related, known),
    data
  };
}
function ofFinding(one, file, known) {
  const { code, message, excuse, policy, rule, actions } = one;
  const data = { accepts: policy.name };
  const says = `${policy.name}, ${ruleName(one)}${actions.length === 0 ? "" : ` (${actions.join(", ")})`}`;
  const lines = [message, says, ...rule.expression === void 0 ? [] : [rule.expression.trim()]];
  return {
    range: rangeOfPlace(file, one.primary),
    severity: excuse === void 0 ? SEVERITIES[one.severity] : HINT,
    source: "preadmit",
    code,
    message: [...lines, ...accepted(excuse)].join("\n"),
    relatedInformation: related(one.related, known),
    data
  };
}
function accepted(excuse) {
  return excuse === void 0 ? [] : [`accepted: ${excuse.reason}`];
}
function related(places, known) {
  return places.flatMap(({ message, place }) => {
    const file = known.file(place.path);
    return file === void 0 ? [] : [{ message, location: { uri: known.uriOf(place.path), range: rangeOfPlace(file, place) } }];
  });
}

// src/door/lsp/language-server.ts
var PAUSE = 40;
var SETTINGS_NAME = /(?:^|\/)\.preadmit(?:-baseline)?\.ya?ml$/;
var LanguageServer = class {
  #options;
  #documents = new OpenDocuments();
  #directory;
  #repository;
  #phase = "new";
  /** What was published last, by path, as text. */
  #published = /* @__PURE__ */ new Map();
  #timer;
  #nextIsWhole = false;
  /** Paths of documents that were open when the others were judged last. */
  #left = /* @__PURE__ */ new Set();
  constructor(options) {
    this.#options = options;
    this.#directory = options.check.directory;
  }
  complain(text) {
    this.#options.complain(text);
  }
  request(method, params) {
    if (method === "initialize") return this.#initialize(paramsOf(params));
    if (this.#phase === "new") throw new RpcError(RPC_ERROR.notInitialized, "the first request is `initialize`");
    if (this.#phase === "over") throw new RpcError(RPC_ERROR.invalidRequest, "the server is shut down");
    if (method === "shutdown") {
      this.#phase = "over";
      return null;
    }
    const answer = answersFor(method);
    if (answer === void 0) throw new RpcError(RPC_ERROR.methodNotFound, `there is no \`${method}\``);
    const repository = this.#repository;
    return repository === void 0 ? null : answer(paramsOf(params), repository);
  }
  async notify(method, params) {
    if (method === "exit") {
      this.#options.exit(this.#phase === "over");
      return;
    }
    if (this.#phase !== "running") return;
    switch (method) {
      case "initialized":
        await this.#load();
        return;
      case "textDocument/didOpen":
        this.#opened(paramsOf(params));
        return;
      case "textDocument/didChange":
        this.#changed(paramsOf(params));
        return;
      case "textDocument/didClose":
        this.#closed(paramsOf(params));
        return;
      case "textDocument/didSave":
        if (SETTINGS_NAME.test(documentUri(paramsOf(params)))) await this.#load();
        else this.#judgeSoon(true);
        return;
      case "workspace/didChangeWatchedFiles":
        if (this.#isChangedElsewhere(paramsOf(params))) await this.#load();
        return;
    }
  }
  /** Nothing is judged any more. */
  close() {
    clearTimeout(this.#timer);
    this.#timer = void 0;
    this.#phase = "over";
    this.#repository?.close();
    this.#repository = void 0;
  }
  #initialize(params) {
    if (this.#phase !== "new") throw new RpcError(RPC_ERROR.invalidRequest, "`initialize` comes once");
    this.#phase = "running";
    this.#directory = folderOf(params) ?? this.#directory;
    return { capabilities: CAPABILITIES, serverInfo: { name: "preadmit", version: VERSION } };
  }
  async #load() {
    this.#repository?.close();
    this.#repository = void 0;
    try {
      this.#repository = await EditedRepository.open({ ...this.#options.check, directory: this.#directory });
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      const message = error.hint === void 0 ? error.message : `${error.message}: ${error.hint}`;
      this.#options.notify("window/showMessage", { type: 1, message: `preadmit: ${message}` });
      return;
    }
    const { unusable } = this.#repository;
    if (unusable !== void 0) {
      const message = unusable.diagnostics.map(({ message: told }) => told).join("; ");
      this.#options.notify("window/showMessage", { type: 1, message: `preadmit: ${unusable.unusable}: ${message}` });
    }
    for (const { uri, file } of this.#documents.all()) this.#take(uri, file.text);
    if (this.#documents.all().length > 0) this.#judge(false);
    this.#judgeSoon(true);
  }
  #opened(params) {
    const uri = documentUri(params);
    this.#documents.open(uri, documentVersion(params), textParam(optionalObject(params, "textDocument"), "text"));
    this.#take(uri, this.#documents.get(uri)?.file.text);
    this.#judgeSoon(false);
  }
  #changed(params) {
    const document = this.#documents.change(documentUri(params), documentVersion(params), changesParam(params));
    if (document === void 0) return;
    this.#take(document.uri, document.file.text);
    this.#judgeSoon(false);
  }
  #closed(params) {
    const uri = documentUri(params);
    this.#documents.close(uri);
    this.#take(uri, void 0);
    const path = this.#repository?.pathOf(uri);
    if (path !== void 0) this.#left.add(path);
    this.#judgeSoon(false);
  }
  #take(uri, text) {
    const path = this.#repository?.pathOf(uri);
    if (path !== void 0) this.#repository?.edit(path, text);
  }
  /** What is saved here is known already. */
  #isChangedElsewhere(params) {
    const { changes } = params;
    if (!Array.isArray(changes)) return false;
    return changes.some((change) => {
      const uri = optionalText(paramsOf(change), "uri");
      return uri !== void 0 && (this.#documents.get(uri) === void 0 || SETTINGS_NAME.test(uri));
    });
  }
  #judgeSoon(isWhole) {
    this.#nextIsWhole ||= isWhole;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      try {
        this.#judge(this.#nextIsWhole);
      } catch (error) {
        this.complain(error instanceof Error ? error.stack ?? error.message : String(error));
      }
    }, PAUSE);
  }
  /** Objects of open documents, or of the whole repository. */
  #judge(isWhole) {
    const repository = this.#repository;
    if (repository?.state === void 0) return;
    if (isWhole) this.#nextIsWhole = false;
    const open = new Set(this.#documents.all().flatMap(({ uri }) => repository.pathOf(uri) ?? []));
    for (const path of this.#left) open.add(path);
    this.#left.clear();
    const report = repository.state.check(isWhole ? void 0 : open);
    const found = diagnosticsByPath(report, repository);
    const paths = isWhole ? /* @__PURE__ */ new Set([...this.#published.keys(), ...found.keys(), ...open]) : open;
    for (const path of paths) this.#publish(path, found.get(path) ?? [], repository);
  }
  #publish(path, diagnostics, repository) {
    const uri = repository.uriOf(path);
    const version = this.#documents.get(uri)?.version;
    const text = JSON.stringify([uri, version, diagnostics]);
    if (this.#published.get(path) === text) return;
    if (diagnostics.length === 0 && version === void 0) this.#published.delete(path);
    else this.#published.set(path, text);
    this.#options.notify("textDocument/publishDiagnostics", {
      uri,
      ...version !== void 0 && { version },
      diagnostics
    });
  }
};
function folderOf(params) {
  const { workspaceFolders } = params;
  const first = Array.isArray(workspaceFolders) ? workspaceFolders[0] : void 0;
  const uri = first === void 0 ? optionalText(params, "rootUri") : optionalText(paramsOf(first), "uri");
  try {
    return uri === void 0 ? optionalText(params, "rootPath") : fileURLToPath2(uri);
  } catch {
    return void 0;
  }
}

// src/door/lsp/lsp-command.ts
async function lspCommand(args, terminal) {
  const parsed2 = parseArguments(
    args.filter((argument) => argument !== "--stdio"),
    LSP_OPTIONS
  );
  if ("problems" in parsed2) return usageError(parsed2.problems, terminal);
  const [unexpected] = parsed2.arguments.paths;
  if (unexpected !== void 0)
    return usageError([`unexpected \`${unexpected}\`: the editor names the folder`], terminal);
  const input = terminal.bytes?.();
  if (input === void 0) return usageError(["there is no standard input"], terminal);
  let status;
  const server = new LanguageServer({
    check: checkOptions(parsed2.arguments, terminal),
    notify: (method, params) => peer.notify(method, params),
    complain: (text) => {
      for (const line of text.split("\n")) terminal.err(`preadmit lsp: ${sanitizeLine(line)}
`);
    },
    exit: (wasAsked) => {
      status = wasAsked ? EXIT.allowed : EXIT.denied;
      input.destroy();
    }
  });
  const peer = new RpcPeer(terminal.out, server);
  const stream = new MessageStream();
  input.on("data", (chunk) => {
    for (const message of stream.push(chunk)) peer.receive(message);
  });
  await new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) input.once(event, resolve);
  });
  await peer.settled();
  server.close();
  return status ?? EXIT.denied;
}
export {
  lspCommand
};
