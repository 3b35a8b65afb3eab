// Interface between the test runner and test suites in a policy language's own format.

import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** Runs suites as the language's own tool does, but stricter: an expectation without a result is a failure. */
export interface PolicySuites {
  /** File names that the tool searches for. */
  readonly fileNames: readonly string[];
  accepts(document: JsonObject): boolean;
  run(document: JsonObject, surroundings: SuiteSurroundings): readonly SuiteRow[];
}

export interface SuiteSurroundings {
  /** Objects in a file or folder, by path relative to the suite's folder. Lists are expanded. Empty if the path does not exist. */
  read(path: string): readonly JsonObject[];
  /** The object as the API server stores it, with defaults. */
  asHeld(object: JsonObject): JsonObject;
  /** Current time for policies, in seconds since 1970. */
  readonly seconds: bigint;
  /** Evaluates the API server's own policies, which this language does not implement. */
  askServer(question: ServerQuestion): ServerAnswer;
}

export interface ServerQuestion {
  readonly policy: JsonObject;
  readonly bindings: readonly JsonObject[];
  readonly object: JsonObject;
  readonly params: readonly JsonObject[];
  /** The suite's request context, in the tool's format. */
  readonly context: JsonObject;
}

export type ServerAnswer =
  | { readonly status: string; readonly message: string; readonly patched?: JsonObject }
  | { readonly notRun: string }
  /** Undefined: the policy does not apply. */
  | undefined;

/** One object with an expectation, or an expectation without an object. */
export interface SuiteRow {
  /** `policy/rule object`; `*` for all objects. */
  readonly name: string;
  readonly at: FieldPath;
  /** Absent: the result is as expected. */
  readonly problem?: { readonly message: string; readonly expected?: string; readonly actual?: string };
  /** Why the row cannot run. It then has no problem. */
  readonly notRun?: string;
}
