// The registry's strategies of Kubernetes, in WebAssembly. One instance answers many requests; a stopped or crashed instance is replaced.
import { type GoProgram, startProgram } from '../../sandbox/go-program.ts';
import { EngineStop } from '../../sandbox/system-imports.ts';
import type { EngineModule } from '../../sandbox/web-assembly.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../source/json/json.ts';
import { objectField } from '../../source/json/json-field.ts';
import { parseJson } from '../../source/json/parse-json.ts';
import {
  type AnswerCause,
  type RegistryAnswer,
  type ServerValidation,
  type ValidationRequest,
  ValidationStop,
} from '../server-validation.ts';
import { excessiveWork } from './engine-work.ts';

export interface ValidationLimits {
  /** CPU time for one object. Checked when the program reads the time, which it does at every garbage collection. */
  readonly milliseconds: number;
  /** Elapsed time for one object. Only an overloaded machine reaches it first. */
  readonly patience: number;
  readonly outputBytes: number;
  /** The maximum that `limitMemory` gives the module. */
  readonly memoryPages: number;
}

export const VALIDATION_LIMITS: ValidationLimits = {
  milliseconds: 6_000,
  patience: 300_000,
  outputBytes: 16 * 1024 * 1024,
  memoryPages: 8 * 1024,
};

export interface ValidationEngineOptions {
  /** Compiled on the first request. What it throws is thrown by that request, and the next request calls it again. */
  readonly module: () => EngineModule;
  readonly limits?: ValidationLimits;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Milliseconds of CPU time used by this program. */
  readonly spent: () => number;
}

/** Above this size the instance is replaced after a request, because the memory of an instance never shrinks. */
const KEPT_BYTES = 256 * 1024 * 1024;
/** Collects garbage before it takes more memory; a larger goal made validation no faster. */
const ENVIRONMENT = ['GOMEMLIMIT=96MiB', 'GOGC=200'];
const MAXIMUM_PRINTED = 16 * 1024;

/** What `validation/main.go` answers. */
interface ProgramAnswer {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly {
    readonly field?: string;
    readonly reason?: string;
    readonly message: string;
    readonly depends?: string;
  }[];
  readonly warnings?: readonly string[];
  readonly unserved?: boolean;
  readonly object?: unknown;
  readonly failure?: string;
}

export function createValidationEngine(options: ValidationEngineOptions): ServerValidation {
  const { elapsed, spent, limits = VALIDATION_LIMITS } = options;
  let module: EngineModule | undefined;
  let program: GoProgram | undefined;
  let printed = '';
  const start = (compiled: EngineModule): GoProgram =>
    startProgram({
      module: compiled,
      clocks: { elapsed, spent },
      outputBytes: limits.outputBytes,
      environment: ENVIRONMENT,
      print: (text) => {
        if (printed.length < MAXIMUM_PRINTED) printed += text;
      },
    });
  /** The answer's text; undefined if the program does not know a version. */
  const ask = (request: string): { readonly text: string; readonly answer: ProgramAnswer } | undefined => {
    printed = '';
    module ??= options.module();
    try {
      program ??= start(module);
      program.system.deadline = { spent: spent() + limits.milliseconds, elapsed: elapsed() + limits.patience };
      const [bytes = new Uint8Array()] = program.call('validate', new TextEncoder().encode(request));
      const text = new TextDecoder().decode(bytes);
      const answer = JSON.parse(text) as ProgramAnswer;
      if (program.memoryBytes > KEPT_BYTES) program = undefined;
      if (answer.failure !== undefined) throw new ValidationStop('crash', answer.failure);
      return answer.unserved === true ? undefined : { text, answer };
    } catch (error) {
      if (error instanceof ValidationStop) throw error;
      program = undefined;
      throw stopOf(error, printed);
    }
  };
  return {
    validate: (request) => {
      const excess = excessiveWork(request.object) ?? (request.old && excessiveWork(request.old));
      if (excess !== undefined) throw new ValidationStop('limit', excess);
      const reply = ask(requestText(request));
      return reply && answerOf(reply.answer);
    },
    convert: ({ object, apiVersion, release }) => {
      const reply = ask(
        `{"object":${stringifyJson(object, JSON_OPTIONS)},"release":${JSON.stringify(release)},"convert":${JSON.stringify(apiVersion)}}`,
      );
      return reply?.answer.object === undefined ? undefined : objectIn(reply.text);
    },
  };
}

const JSON_OPTIONS = { sortKeys: false, escapeHtml: false };

/** The request as the program reads it; equal texts have equal answers. */
export function requestText(request: ValidationRequest): string {
  const { object, old, isApplied, release, featureGates = new Map(), settings = {}, namespaceLabels } = request;
  const fields = [
    `"object":${stringifyJson(object, JSON_OPTIONS)}`,
    `"release":${JSON.stringify(release)}`,
    '"circumstances":true',
  ];
  if (featureGates.size > 0) fields.push(`"gates":${JSON.stringify(Object.fromEntries(featureGates))}`);
  const { ipFamilies, serviceIPRanges, serviceNodePortRange, allowPrivileged } = settings;
  const cluster = {
    families: ipFamilies,
    addresses: serviceIPRanges,
    nodePorts: serviceNodePortRange,
    unprivileged: allowPrivileged === false ? true : undefined,
    namespaceLabels: namespaceLabels && Object.fromEntries(namespaceLabels),
  };
  fields.push(`"cluster":${JSON.stringify(cluster)}`);
  if (isApplied === true) fields.push('"applied":true');
  if (old !== undefined) fields.push(`"oldObject":${stringifyJson(old, JSON_OPTIONS)}`);
  return `{${fields.join(',')}}`;
}

/** Parsed like a manifest, because integers and numbers differ for policies. */
function objectIn(answer: string): JsonObject | undefined {
  const parsed = parseJson(answer);
  return 'value' in parsed && isJsonObject(parsed.value) ? objectField(parsed.value, 'object') : undefined;
}

function answerOf({ code, reason = '', message = '', causes = [], warnings = [] }: ProgramAnswer): RegistryAnswer {
  return { code, reason, message, causes: causes.map(causeOf), warnings };
}

function causeOf({
  field = '',
  reason = '',
  message,
  depends,
}: NonNullable<ProgramAnswer['causes']>[number]): AnswerCause {
  return { field, reason, message, ...(depends !== undefined && { depends }) };
}

function stopOf(error: unknown, printed: string): ValidationStop {
  if (error instanceof EngineStop && error.reason === 'time') {
    return new ValidationStop('limit', 'validation took too long');
  }
  if (error instanceof EngineStop && error.reason !== 'exit') return new ValidationStop('limit', error.message);
  const crash = printed.split('\n').find((line) => /^(?:fatal error|panic|runtime): /.test(line));
  if (/memory|stack/.test(crash ?? '') || error instanceof RangeError) {
    return new ValidationStop('limit', 'validation exceeds its memory');
  }
  const words = error instanceof Error ? error.message : String(error);
  return new ValidationStop('crash', `the validation engine crashed: ${crash ?? words}`);
}
