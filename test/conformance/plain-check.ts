// Compares the plain check with the engine on random changes of valid objects: what the check proves, the engine accepts, with the warnings that it proves.
import { execFileSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { seeded } from '../../bench/seeded.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import type { JsonObject } from '../../src/source/json/json.ts';
import { requestText } from '../../src/validation/engine/validation-engine.ts';
import { provenWarnings } from '../../src/validation/plain/proven-warnings.ts';
import {
  type RegistryAnswer,
  type ServerValidation,
  type ValidationRequest,
  ValidationStop,
} from '../../src/validation/server-validation.ts';
import { lazyRegistry } from '../../src/workspace/validation/load-validation.ts';
import { changedObject, donorsOf } from '../support/changed-object.ts';
import { plainObjects, requested } from '../support/plain-objects.ts';

const MINORS = [31, 32, 33, 34, 35, 36, 37];

export interface PlainTrial {
  readonly isProven: boolean;
  /** Undefined if the check is right. */
  readonly mistake?: string;
}

/** A request that the plain check proves. */
interface ProvenRequest {
  readonly seed: number;
  readonly request: ValidationRequest;
  readonly warnings: readonly string[];
}

type Answer = Pick<RegistryAnswer, 'code'> & Partial<Pick<RegistryAnswer, 'message' | 'warnings'>>;

/** A function from a seed to a trial of one random object or update. The engine takes long to change its release. */
export function plainTrials(validation: ServerValidation): (seed: number, minor: number) => PlainTrial {
  const prove = provenRequests();
  return (seed, minor) => {
    const proven = prove(seed, minor);
    if (proven === undefined) return { isProven: false };
    const mistake = mistakeIn(proven, answerOf(validation, proven.request));
    return { isProven: true, ...(mistake !== undefined && { mistake }) };
  };
}

/** A function from a seed to a random object or update; undefined if the plain check does not prove it. */
function provenRequests(): (seed: number, minor: number) => ProvenRequest | undefined {
  const objects = plainObjects(36);
  const donors = donorsOf(objects);
  const conversion = new AdmissionObjects({ major: 1, minor: 36 });
  return (seed, minor) => {
    const random = seeded(seed);
    const start = objects[Math.floor(random() * objects.length)] as JsonObject;
    const change = (object: JsonObject): JsonObject => {
      const changed = changedObject(object, random, donors);
      return random() < 0.5 ? changed : (requested(conversion, changed) ?? changed);
    };
    const object = change(start);
    const before = random();
    const old = before < 0.6 ? undefined : before < 0.75 ? start : before < 0.85 ? change(start) : change(object);
    const isApplied = random() < 0.5;
    const warnings = provenWarnings(object, old, { minor });
    if (warnings === undefined) return undefined;
    const request = { object, ...(old !== undefined && { old, isApplied }), release: `1.${minor}` };
    return { seed, request, warnings };
  };
}

function answerOf(validation: ServerValidation, request: ValidationRequest): Answer {
  try {
    return validation.validate(request) ?? { code: 0, message: 'unknown kind' };
  } catch (error) {
    if (error instanceof ValidationStop) return { code: 0, message: error.message };
    throw error;
  }
}

/** Undefined if the engine accepts the request with these warnings. */
function mistakeIn({ seed, request, warnings }: ProvenRequest, answer: Answer): string | undefined {
  const { code, message = '', warnings: given = [] } = answer;
  if (code >= 200 && code < 300 && isDeepStrictEqual(given, warnings)) return undefined;
  return `seed ${seed}: ${message} ${given.join('; ')}\n  ${requestText(request)}`;
}

const REPORTED = 20;
/** Seeds with the same release. */
const BATCH = 5000;

/**
 * The exit status. `program` is a native build of the engine, which answers faster; without it, the installed engine answers.
 */
export function comparePlainCheck(count: number, start: number, program: string | undefined): number {
  const prove = provenRequests();
  const validation = lazyRegistry();
  const answers = (proven: readonly ProvenRequest[]): readonly Answer[] =>
    program === undefined ? proven.map(({ request }) => answerOf(validation, request)) : nativeAnswers(program, proven);
  let sum = 0;
  let mistakes = 0;
  let seed = start;
  while (seed < start + count && mistakes < REPORTED) {
    const minor = MINORS[Math.floor(seed / BATCH) % MINORS.length] as number;
    const proven: ProvenRequest[] = [];
    do {
      const request = prove(seed, minor);
      if (request !== undefined) proven.push(request);
      seed++;
    } while (seed % BATCH !== 0 && seed < start + count);
    sum += proven.length;
    for (const [index, answer] of answers(proven).entries()) {
      const mistake = mistakeIn(proven[index] as ProvenRequest, answer);
      if (mistake === undefined) continue;
      mistakes++;
      console.log(mistake);
    }
    if (seed % 50_000 === 0) console.error(`${seed - start}: ${sum} proven, ${mistakes} of them wrong`);
  }
  console.log(`${seed - start} objects and updates: ${sum} proven, ${mistakes} of them wrong`);
  return Number(mistakes > 0);
}

const MAXIMUM_OUTPUT = 1024 * 1024 * 1024;

function nativeAnswers(program: string, proven: readonly ProvenRequest[]): readonly Answer[] {
  const input = proven.map(({ request }) => `${requestText(request)}\n`).join('');
  const output = execFileSync(program, {
    input,
    encoding: 'utf8',
    maxBuffer: MAXIMUM_OUTPUT,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = output.split('\n').slice(0, -1);
  if (lines.length !== proven.length) throw new Error(`${program} gave ${lines.length} of ${proven.length} answers`);
  return lines.map((line) => JSON.parse(line) as Answer);
}
