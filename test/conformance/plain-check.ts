// Compares the plain check with the engine on random changes of valid objects: what the check proves, the engine accepts, with the warnings that it proves.
import { isDeepStrictEqual } from 'node:util';
import { seeded } from '../../bench/seeded.ts';
import { AdmissionObjects } from '../../src/kubernetes/schema/admission-object.ts';
import { type JsonObject, stringifyJson } from '../../src/source/json/json.ts';
import { provenWarnings } from '../../src/validation/plain/proven-warnings.ts';
import {
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

/** A function from a seed to a trial of one random object or update. The engine takes long to change its release. */
export function plainTrials(validation: ServerValidation): (seed: number, minor: number) => PlainTrial {
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
    return plainTrial(validation, object, old, minor, random() < 0.5);
  };
}

function plainTrial(
  validation: ServerValidation,
  object: JsonObject,
  old: JsonObject | undefined,
  minor: number,
  isApplied: boolean,
): PlainTrial {
  const warnings = provenWarnings(object, old, { minor });
  if (warnings === undefined) return { isProven: false };
  const answer = differenceFrom(warnings, validation, {
    object,
    ...(old !== undefined && { old, isApplied }),
    release: `1.${minor}`,
  });
  if (answer === '') return { isProven: true };
  const told = [object, old].map((each) => each && stringifyJson(each, { sortKeys: false, escapeHtml: false }));
  return { isProven: true, mistake: `1.${minor} applied=${isApplied}: ${answer}\n  ${told.join('\n  old ')}` };
}

/** Empty if the engine accepts the request with these warnings. */
function differenceFrom(warnings: readonly string[], validation: ServerValidation, request: ValidationRequest): string {
  try {
    const answer = validation.validate(request);
    if (answer === undefined) return 'unknown kind';
    const isSame = answer.code < 300 && isDeepStrictEqual(answer.warnings, warnings);
    return isSame ? '' : `${answer.message} ${answer.warnings.join('; ')}`;
  } catch (error) {
    if (error instanceof ValidationStop) return error.message;
    throw error;
  }
}

const REPORTED = 20;

/** The exit status. */
export function comparePlainCheck(count: number, start = 0): number {
  const trial = plainTrials(lazyRegistry());
  let proven = 0;
  let mistakes = 0;
  for (let seed = start; seed < start + count && mistakes < REPORTED; seed++) {
    const minor = MINORS[Math.floor(seed / 5000) % MINORS.length] as number;
    const { isProven, mistake } = trial(seed, minor);
    if (isProven) proven++;
    if ((seed + 1) % 50_000 === 0) console.error(`${seed + 1 - start}: ${proven} proven`);
    if (mistake === undefined) continue;
    mistakes++;
    console.log(`seed ${seed}: ${mistake}`);
  }
  console.log(`${count} objects and updates: ${proven} proven, ${mistakes} of them wrong`);
  return Number(mistakes > 0);
}
