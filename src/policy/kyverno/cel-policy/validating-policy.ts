// ValidatingPolicy and NamespacedValidatingPolicy: compiled once, evaluated for each request (Kyverno `pkg/cel/policies/vpol`).
import { explain } from '../../../cel/eval/explain.ts';
import { Provenance } from '../../../cel/eval/provenance.ts';
import type { Read } from '../../../cel/value/trace.ts';
import { typeOf } from '../../../cel/value/type-of.ts';
import { ErrorValue, UnknownValue, type Value } from '../../../cel/value/value.ts';
import { append } from '../../../go/slices/append.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { Undecided } from '../rule/rule-response.ts';
import { type AutogenForm, validatingVariants } from './cel-autogen.ts';
import {
  applyExceptions,
  type CelException,
  compileExceptions,
  exceptionsNaming,
  exemptedResponse,
} from './cel-exceptions.ts';
import { readCelPolicy, type WrittenCelPolicy } from './cel-policy.ts';
import { type CelRefusal, compiledOrRefused } from './cel-refusal.ts';
import { type CelPolicySubject, type CelResponse, responseData, standInData } from './cel-response.ts';
import type { KyvernoEnvironments } from './kyverno-environment.ts';
import { matchesConstraints, readMatchConstraints } from './match-constraints.ts';
import type { OpenFields } from './open-fields.ts';
import { podRequest, podTemplates } from './pod-templates.ts';
import { evaluateBoolean, evaluateCelConditions, PolicyActivation, type PolicyData } from './policy-activation.ts';
import { type CelProgram, type CelValidation, ProgramCompiler } from './program-compiler.ts';

interface Variant {
  readonly form: AutogenForm | undefined;
  readonly constraints: MatchResources | undefined;
  readonly matchConditions: readonly CelProgram[];
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly validations: readonly CelValidation[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  readonly exceptions: readonly CelException[];
}

interface AskedData {
  readonly data: PolicyData;
  /** The data with a possible value in each open field, for explanations. */
  readonly standIns: () => PolicyData;
  readonly sources: CelPolicySubject['sources'];
  readonly open: OpenFields | undefined;
}

/** Result of one variant's expressions. Undefined if matchConditions did not match. */
type Answer =
  | (Pick<CelResponse, 'status' | 'message' | 'path' | 'explain'> & { readonly exempting?: readonly CelException[] })
  | undefined;

export function compileValidatingPolicy(
  document: JsonObject,
  exceptions: readonly JsonObject[],
  environments: KyvernoEnvironments,
): ValidatingPolicy | CelRefusal {
  const written = readCelPolicy(document);
  const mode = textField(objectOrEmpty(written.spec.get('evaluation')), 'mode');
  const isJson = mode === 'JSON';
  const named = exceptionsNaming(exceptions, written.kind, written.name);
  const compileVariant = (spec: JsonObject, form: AutogenForm | undefined): Variant => {
    const declarations = { namespace: written.namespace, hasPatchTypes: false, hasGenerator: false };
    const compiler = new ProgramCompiler(environments, declarations);
    // Conditions are compiled first: they cannot use variables.
    const matchConditions = compiler.matchConditions(objectItems(spec.get('matchConditions')));
    compiler.compileVariables(spec);
    return {
      form,
      constraints: readMatchConstraints(spec.get('matchConstraints')),
      matchConditions,
      variables: compiler.variables,
      validations: compiler.validations(spec),
      auditAnnotations: isJson ? new Map() : compiler.auditAnnotations(spec),
      exceptions: compileExceptions(named, compiler),
    };
  };
  return compiledOrRefused(isJson ? undefined : 'validating policy compiler 1.0', () => {
    const variants = [compileVariant(written.spec, undefined)];
    for (const { form, spec } of validatingVariants(written.spec)) variants.push(compileVariant(spec, form));
    return new ValidatingPolicy(written, isJson, variants, environments);
  });
}

export class ValidatingPolicy {
  readonly written: WrittenCelPolicy;
  /** True for policies about JSON documents. Every object is then evaluated as one. */
  readonly isJson: boolean;
  readonly #variants: readonly Variant[];
  readonly #ignoresErrors: boolean;
  readonly #environments: KyvernoEnvironments;

  constructor(
    written: WrittenCelPolicy,
    isJson: boolean,
    variants: readonly Variant[],
    environments: KyvernoEnvironments,
  ) {
    this.written = written;
    this.isJson = isJson;
    this.#variants = variants;
    this.#ignoresErrors = textField(written.spec, 'failurePolicy') === 'Ignore';
    this.#environments = environments;
  }

  /** The responses of the policy and its variants for controllers. Empty if none matches. Throws `Undecided`. */
  evaluate(subject: CelPolicySubject): readonly CelResponse[] {
    this.#environments.sources = subject.sources;
    const responses: CelResponse[] = [];
    for (const variant of this.#variants) {
      const response = this.#response(variant, subject);
      if (response !== undefined) responses.push(response);
    }
    return responses;
  }

  #response(variant: Variant, subject: CelPolicySubject): CelResponse | undefined {
    const matches = this.isJson || this.#matches(variant, subject);
    if (matches === false) return undefined;
    if (typeof matches === 'object' && 'error' in matches) {
      return failed('match', `failed to execute matching: ${matches.error}`);
    }
    const response = this.#matchedResponse(variant, subject);
    // If the policy may not match, only a response that admits is certain.
    if (matches instanceof Undecided && (response.status === 'fail' || response.status === 'error')) throw matches;
    return response;
  }

  #matches({ constraints }: Variant, subject: CelPolicySubject): ReturnType<typeof matchesConstraints> | Undecided {
    const { request } = subject.open ?? subject;
    try {
      return matchesConstraints(constraints, request, subject.namespaceLabels, subject.openNamespace);
    } catch (reason) {
      if (reason instanceof Undecided) return reason;
      throw reason;
    }
  }

  #matchedResponse(variant: Variant, subject: CelPolicySubject): CelResponse {
    const answer =
      variant.form === 'extract' && !this.isJson
        ? this.#askTemplates(variant, subject)
        : this.#askOnce(variant, subject);
    if (answer === undefined) return { rule: '', type: 'Validation', status: 'skip', message: 'skip' };
    if ('context' in answer) return failed('evaluation', `failed to load context: ${answer.context}`);
    if (answer.exempting !== undefined) return exemptedResponse(answer.exempting, 'Validation');
    if (answer.status === 'pass') return { rule: '', type: 'Validation', status: 'pass', message: answer.message };
    return { rule: '', type: 'Validation', ...answer };
  }

  #askOnce(variant: Variant, subject: CelPolicySubject): Answer | { readonly context: string } {
    const { request, sources } = subject;
    const data: PolicyData = this.isJson
      ? new Map<string, Value>([
          ['object', request.object ?? request.oldObject],
          ['oldObject', null],
          ['request', null],
          ['namespaceObject', null],
        ])
      : responseData(subject);
    const standIns = (): PolicyData => (this.isJson ? data : standInData(subject));
    return this.#ask(variant, { data, standIns, sources, open: this.isJson ? undefined : subject.open });
  }

  /** Evaluates the templates in order until one fails. */
  #askTemplates(variant: Variant, subject: CelPolicySubject): Answer | { readonly context: string } {
    const { request: asked } = subject.open ?? subject;
    const { object, oldObject, kind } = asked;
    const source = object ?? oldObject ?? new Map();
    const templates = podTemplates(source);
    if (templates.length === 0) {
      const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
      return {
        status: 'error',
        message: `error: extraction mode: no pod template found in ${apiVersion}/${kind.kind}`,
      };
    }
    const others = new Map(
      podTemplates((object === null ? undefined : oldObject) ?? new Map()).map(({ path, template }) => [
        path,
        template,
      ]),
    );
    let last: Answer;
    let undecided: Undecided | undefined;
    const exempting: CelException[] = [];
    for (const { path, steps, template } of templates) {
      const other = others.get(path);
      const request = object === null ? podRequest(asked, other, template) : podRequest(asked, template, other);
      const answer = this.#askTemplate(variant, subject, request, steps);
      if (answer instanceof Undecided) undecided ??= answer;
      if (answer === undefined || answer instanceof Undecided) continue;
      if ('context' in answer) return { context: `pod template at ${path}: ${answer.context}` };
      if (answer.exempting !== undefined) append(exempting, answer.exempting);
      else if (answer.status === 'pass') last = answer;
      else {
        const { explain: read = () => [] } = answer;
        const within = (): readonly Read[] => read().map((one) => ({ ...one, path: [...steps, ...one.path] }));
        return { ...answer, message: `${answer.message} (pod template at ${path})`, explain: within };
      }
    }
    if (undecided !== undefined) throw undecided;
    return last === undefined && exempting.length > 0 ? { status: 'skip', message: '', exempting } : last;
  }

  /** Returns `Undecided` so that a template that fails can decide. */
  #askTemplate(
    variant: Variant,
    { open, ...subject }: CelPolicySubject,
    request: AdmissionRequest,
    steps: FieldPath,
  ): Answer | { readonly context: string } | Undecided {
    try {
      const own: CelPolicySubject = { ...subject, request, open: open?.within(steps, request) };
      const standIns = (): PolicyData => standInData(own);
      return this.#ask(variant, { data: responseData(own), standIns, sources: own.sources, open: own.open });
    } catch (reason) {
      if (open === undefined || !(reason instanceof Undecided)) throw reason;
      return reason;
    }
  }

  /** An open field throws `Undecided`, unless a validation fails regardless of its value. */
  #ask(variant: Variant, { data, standIns, sources, open }: AskedData): Answer | { readonly context: string } {
    const activation = new PolicyActivation(data, sources, false, undefined, open !== undefined);
    const exceptions = applyExceptions(variant.exceptions, activation, this.#ignoresErrors);
    if ('error' in exceptions) {
      if (open !== undefined && exceptions.unknown !== undefined) throw open.undecided(exceptions.unknown);
      return { context: exceptions.error };
    }
    if ('exempting' in exceptions) return { status: 'skip', message: '', exempting: exceptions.exempting };
    activation.bindExceptions(exceptions.allowed);
    const matches = evaluateCelConditions(variant.matchConditions, activation);
    const condition = typeof matches === 'object' ? matches.unknown : undefined;
    if (typeof matches === 'object' && condition === undefined) {
      return this.#ignoresErrors ? undefined : { context: matches.error };
    }
    if (!matches) return undefined;
    let unknown: UnknownValue | undefined;
    activation.bindVariables(variant.variables);
    for (const validation of variant.validations) {
      const outcome = evaluateBoolean(validation.program, activation);
      if (outcome instanceof UnknownValue) unknown ??= outcome;
      if (outcome === true || outcome instanceof UnknownValue) continue;
      // If the policy may not match, only a pass is certain.
      if (open !== undefined && condition !== undefined) throw open.undecided(condition);
      const { path } = validation.program;
      const read = (): readonly Read[] => {
        const traced = new PolicyActivation(standIns(), sources, true);
        traced.bindExceptions(exceptions.allowed);
        return explainProgram(validation.program, traced, variant.variables);
      };
      if (outcome instanceof ErrorValue) {
        return { status: 'error', message: `error: ${outcome.message}`, path, explain: read };
      }
      const index = path[2] as number;
      const message = messageOf(validation, activation) || `CEL expression validation failed at index ${index}`;
      const problem = annotationProblem(variant.auditAnnotations, activation);
      if (problem !== undefined) return { status: 'error', message: `error: ${problem}`, path };
      return { status: 'fail', message, path, explain: read };
    }
    const problem = annotationProblem(variant.auditAnnotations, activation);
    if (open !== undefined && problem === undefined) {
      unknown ??= openAnnotation(variant.auditAnnotations, activation);
      if (unknown !== undefined) throw open.undecided(unknown);
    }
    return problem === undefined ? { status: 'pass', message: 'success' } : { context: problem };
  }
}

function failed(rule: string, message: string): CelResponse {
  return { rule, type: 'Validation', status: 'error', message };
}

export function messageOf({ message, messageExpression }: CelValidation, activation: PolicyActivation): string {
  if (messageExpression === undefined) return message;
  const { value } = activation.run(messageExpression.program);
  if (typeof value === 'string') return value;
  if (value instanceof UnknownValue) return message;
  if (value instanceof ErrorValue) return `failed to evaluate message expression: ${value.message}`;
  return `failed to convert message expression to string: unsupported type conversion from '${typeOf(value)}' to string`;
}

/** Only reports contain the annotations themselves. `quote`: the quote character around a key. */
export function annotationProblem(
  annotations: ReadonlyMap<string, CelProgram>,
  activation: PolicyActivation,
  quote = "'",
): string | undefined {
  for (const [key, { program }] of annotations) {
    const { value } = activation.run(program);
    if (value instanceof UnknownValue) continue;
    const named = `auditAnnotation ${quote}${key}${quote}`;
    if (value instanceof ErrorValue) return `failed to evaluate ${named}: ${value.message}`;
    if (typeof value !== 'string') {
      const what = `unsupported type conversion from '${typeOf(value)}' to string`;
      return `failed to convert ${named} expression: ${what}`;
    }
  }
  return undefined;
}

/** The open field that decides whether an annotation has an error. */
function openAnnotation(
  annotations: ReadonlyMap<string, CelProgram>,
  activation: PolicyActivation,
): UnknownValue | undefined {
  for (const { program } of annotations.values()) {
    const { value } = activation.run(program);
    if (value instanceof UnknownValue) return value;
  }
  return undefined;
}

const ROOTS: readonly string[] = ['object', 'oldObject', 'request', 'namespaceObject'];

/** Best candidate first. `activation` must trace. */
export function explainProgram(
  { program, ast }: CelProgram,
  activation: PolicyActivation,
  variables: ReadonlyMap<string, CelProgram>,
): readonly Read[] {
  activation.bindVariables(variables);
  const { trace } = activation.run(program, { trace: true });
  if (trace === undefined) return [];
  const roots = ROOTS.map((name): [string, Value] => [name, activation.resolve(name) ?? null]);
  return explain({ ast, trace, variableAst: (name) => variables.get(name)?.ast }, new Provenance(new Map(roots)));
}
