// The seam between the runner of tests and the suites that only one policy language's own tools write.

import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** Suites in the format of a language's own tool, judged as that tool does, but strictly: what nothing answers is no success. */
export interface PolicySuites {
  /** Of the files that the tool looks for. */
  readonly fileNames: readonly string[];
  accepts(document: JsonObject): boolean;
  run(document: JsonObject, surroundings: SuiteSurroundings): readonly SuiteRow[];
}

export interface SuiteSurroundings {
  /** Objects of a file or folder by its path from the suite's folder, Lists unfolded; none where it is not there. */
  read(path: string): readonly JsonObject[];
  /** An object as the API server holds it, with its defaults. */
  asHeld(object: JsonObject): JsonObject;
  /** Seconds since 1970, for policies that ask for the time. */
  readonly seconds: bigint;
  /** What the API server's own policies say, which the language does not know. */
  askServer(question: ServerQuestion): ServerAnswer;
}

export interface ServerQuestion {
  readonly policy: JsonObject;
  readonly bindings: readonly JsonObject[];
  readonly object: JsonObject;
  readonly params: readonly JsonObject[];
  /** The suite's own words on the request, as its tool reads them. */
  readonly context: JsonObject;
}

export type ServerAnswer =
  | { readonly status: string; readonly message: string; readonly patched?: JsonObject }
  | { readonly notRun: string }
  /** The policy does not apply. */
  | undefined;

/** One object that a suite expects something of, or an expectation that names none. */
export interface SuiteRow {
  /** `policy/rule object`; `*` for all objects. */
  readonly name: string;
  /** Of the expectation in the suite. */
  readonly at: FieldPath;
  /** Absent: as expected. */
  readonly problem?: { readonly message: string; readonly expected?: string; readonly actual?: string };
  /** Why it cannot be run; there is no problem then. */
  readonly notRun?: string;
}
