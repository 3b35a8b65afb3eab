// All conformance suites: the location of their lines, Preadmit's answers, and the comparison.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_VERSION } from '../../src/kubernetes/api/version.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { SuiteTools } from '../../src/policy/kyverno/suite/suite-answer.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { loadEngine } from '../../src/workspace/render/load-engine.ts';
import { lazyRegistry } from '../../src/workspace/validation/load-validation.ts';
import { withCorpus } from '../support/corpus.ts';
import { answerCel, type CelLine, recordedEnvironment } from './cel-vectors.ts';
import { answerCrd } from './crd.ts';
import { answerDecode, decodeLineOf } from './decode.ts';
import { answerKubescape, KUBESCAPE, kubescapeLines } from './kubescape.ts';
import { agreesWithKyverno, answerKyverno, kyvernoLines, kyvernoPath } from './kyverno.ts';
import { answerMap } from './map.ts';
import { OWN_SUITES, type OwnSuite } from './own/asked.ts';
import { answerPodSecurity, podSecurityLineOf, podSecurityLines } from './pod-security.ts';
import { recordedLine } from './recorded-json.ts';
import { openApiFolder, ownPath, readLines, recordingsOf, SHARED } from './recordings.ts';
import { agreesWithRecording, answerRendered, RENDERED, renderedLines } from './rendered.ts';
import { RecordedServer } from './server.ts';
import { isSameAnswer } from './server-comparison.ts';
import { answerTypecheck, readOpenApiKinds } from './typecheck.ts';
import { agreesWithRegistry, answerValidation } from './validation.ts';
import { answerVap, type PolicyCache } from './vap.ts';
import { answerYaml, type YamlLine } from './yaml.ts';

export interface Suite {
  readonly name: string;
  /** The source of the lines and a function that reads them; it returns undefined if the source is absent. */
  readonly source: string;
  readonly lines: () => readonly string[] | undefined;
  /**
   * Called once per file. Returns a function from one line to one answer: JSON in the format of the recording, without
   * the question.
   */
  readonly start: () => (line: string) => string;
  /** Fields of the recording that an answer must match. */
  readonly compared: readonly string[];
  /** Replaces `compared` if equal answers may differ in wording. */
  readonly agrees?: (line: string, answer: string) => boolean;
}

const OUTSIDE: readonly Suite[] = [
  {
    name: 'cel',
    ...shared('cel'),
    compared: ['type', 'value', 'error', 'compileError', 'programError', 'cost'],
    start: () => {
      const environment = recordedEnvironment();
      return (line) => JSON.stringify(answerCel(JSON.parse(line) as CelLine, environment));
    },
  },
  {
    name: 'vap',
    ...shared('vap'),
    compared: ['decisions', 'auditAnnotations'],
    start: () => {
      const policies: PolicyCache = new Map();
      return (line) => JSON.stringify(answerVap(line, policies));
    },
  },
  {
    name: 'map',
    ...beside('map-patches-1.36.jsonl'),
    compared: ['matchConditions', 'steps', 'aborted', 'final', 'reinvoked'],
    start: () => (line) => recordedLine(answerMap(line)),
  },
  {
    name: 'server',
    ...beside('server-1.36.jsonl'),
    compared: [],
    agrees: (line, answer) => isSameAnswer(JSON.parse(line), JSON.parse(answer), false),
    start: () => serverLines(false),
  },
  {
    name: 'server-map',
    ...beside('server-map-1.36.jsonl'),
    compared: [],
    agrees: (line, answer) => isSameAnswer(JSON.parse(line), JSON.parse(answer), true),
    start: () => serverLines(true),
  },
  {
    name: 'typecheck',
    ...shared('typecheck'),
    compared: ['expressionWarnings'],
    start: () => startTypecheck(false),
  },
  {
    name: 'decode',
    ...shared('decode'),
    compared: ['object', 'error', 'strictError'],
    start: () => {
      const catalog = new SchemaCatalog(36);
      return (line) => {
        const parsed = parseJson(line);
        const { id, object, error, strictError } = answerDecode(
          decodeLineOf('value' in parsed ? parsed.value : null),
          catalog,
        );
        return recordedLine({ id, object, error, strictError });
      };
    },
  },
  {
    name: 'validation',
    ...beside('validation-1.36.jsonl'),
    compared: ['code', 'reason', 'message', 'causes', 'warnings'],
    agrees: agreesWithRegistry,
    start: () => {
      const validation = lazyRegistry();
      return (line) => recordedLine(answerValidation(line, validation));
    },
  },
  {
    name: 'crd',
    source: 'own/crd-1.36.jsonl.gz',
    lines: () => readLines(ownPath('crd')),
    compared: ['definitionErrors', 'decodeError', 'strictErrors', 'stored', 'errors', 'warnings', 'unknowns'],
    start: () => (line) => recordedLine({ ...answerCrd(line) }),
  },
  {
    name: 'yaml',
    ...shared('yaml'),
    compared: ['jsonText', 'error', 'strictError', 'stream', 'streamError'],
    start: () => (line) => {
      const { id, json, jsonText, error, strictError, stream, streamError } = answerYaml(JSON.parse(line) as YamlLine);
      return JSON.stringify({ id, json, jsonText, error, strictError, stream, streamError });
    },
  },
  {
    name: 'rendered',
    source: RENDERED,
    lines: renderedLines,
    compared: [],
    agrees: agreesWithRecording,
    start: () => {
      const engine = loadEngine();
      return (line) => JSON.stringify(answerRendered(line, engine));
    },
  },
  {
    name: 'kubescape',
    source: `${KUBESCAPE}.tar.gz`,
    lines: () => withCorpus(KUBESCAPE, kubescapeLines),
    compared: ['verdict'],
    start: () => (line) => {
      const { id, verdict } = answerKubescape(line);
      return JSON.stringify({ id, verdict });
    },
  },
  {
    name: 'kyverno',
    source: kyvernoPath(),
    lines: kyvernoLines,
    compared: ['outcome', 'results', 'patched', 'refused', 'applyError'],
    agrees: (line, answer) => agreesWithKyverno(JSON.parse(line), JSON.parse(answer)),
    start: () => {
      const tools = new SuiteTools(DEFAULT_VERSION);
      return (line) => answerKyverno(line, tools);
    },
  },
  {
    name: 'pod-security',
    source: 'pod-security-0.36.jsonl.gz',
    lines: podSecurityLines,
    compared: ['baseline', 'restricted'],
    start: () => (text) => {
      const { id, isRefused, pod } = podSecurityLineOf(text);
      return JSON.stringify({ id, ...(isRefused ? {} : answerPodSecurity(pod)) });
    },
  },
];

function serverLines(withObjects: boolean): (line: string) => string {
  const server = new RecordedServer(withObjects);
  return (line) => server.answerLine(line);
}

/** The same questions in the project's own recordings, under `own/`. */
const OWN: readonly Suite[] = OUTSIDE.flatMap((suite) => {
  const name = OWN_SUITES.find((own) => own === suite.name && own !== 'crd');
  if (name === undefined) return [];
  const own = { ...suite, name: `own/${name}`, source: ownPath(name), lines: () => readLines(ownPath(name)) };
  return [name === 'typecheck' ? { ...own, start: () => startTypecheck(true) } : own];
});

export const SUITES: readonly Suite[] = [...OWN, ...OUTSIDE];

function startTypecheck(isOwn: boolean): (line: string) => string {
  const kinds = readOpenApiKinds(openApiFolder({ isOwn }));
  return (line) => JSON.stringify(answerTypecheck(line, kinds));
}

/** The suite's own test contains the reasons for differences. */
export function agrees(suite: Suite, line: string, answer: string): boolean {
  if (suite.agrees !== undefined) return suite.agrees(line, answer);
  const expected = JSON.parse(line) as Record<string, unknown>;
  const actual = JSON.parse(answer) as Record<string, unknown>;
  if (Array.isArray(expected['jsonAnyOf'])) {
    return expected['jsonAnyOf'].some((json) => isDeepStrictEqual(json, actual['json']));
  }
  return suite.compared.every((field) => isDeepStrictEqual(sorted(expected[field]), sorted(actual[field])));
}

/** Entries of recorded maps have no order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (key !== 'map' || !Array.isArray(item)) return [key, sorted(item)];
    const entries = item.map((entry) => JSON.stringify(sorted(entry)));
    return [key, entries.sort()];
  });
  return Object.fromEntries(fields);
}

/** A recording without a version in this project. */
function beside(file: string): Pick<Suite, 'source' | 'lines'> {
  const path = join(SHARED, 'conformance', file);
  return { source: path, lines: () => (existsSync(path) ? readLines(path) : undefined) };
}

/** The recording beside the project. */
function shared(suite: OwnSuite): Pick<Suite, 'source' | 'lines'> {
  const recording = recordingsOf(suite).find(({ isOwn }) => !isOwn);
  if (recording === undefined) throw new Error(`no recording of ${suite} beside the project`);
  const { path, isPresent } = recording;
  return { source: path, lines: () => (isPresent ? readLines(path) : undefined) };
}
