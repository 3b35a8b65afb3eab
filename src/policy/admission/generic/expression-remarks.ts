// Finds problems in a policy's expressions when they are evaluated for objects of one kind.
import { struct, type Type } from '../../../cel/check/type.ts';
import type { TypeProvider } from '../../../cel/check/type-provider.ts';
import type { Environment } from '../../../cel/environment.ts';
import { type Inference, type InferenceContext, infer } from '../../../cel/infer/infer.ts';
import { type Known, known, UNKNOWN } from '../../../cel/infer/known.ts';
import type { Mismatch, Observation, TestedField, UndefinedField } from '../../../cel/infer/observation.ts';
import { formatApiVersion } from '../../../kubernetes/api/group-version.ts';
import { ADMISSION_REQUEST, ADMISSION_TYPES } from '../../../kubernetes/cel/admission-types.ts';
import type { KnownKinds } from '../../../kubernetes/cel/known-kinds.ts';
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import { type CompiledVariables, VARIABLES_TYPE } from '../../expression/variables.ts';
import type { AdmissionPolicy } from './admission-policy.ts';
import type { MatchedKind } from './matched-kinds.ts';

export interface ExpressionRemark {
  readonly path: FieldPath;
  /** Number of leading characters that the server trims. Offsets of the observation start after them. */
  readonly leading: number;
  readonly observation: UndefinedField | Mismatch | TestedField;
}

export interface RuleExpression {
  readonly path: FieldPath;
  readonly written: string;
  readonly compiled: CompiledExpression | undefined;
  /** Evaluated if this expression is not true. */
  readonly otherwise?: RuleExpression;
}

/** A policy's expressions, compiled as on creation. */
export interface PolicyExpressions {
  readonly variables: CompiledVariables;
  readonly matchConditions: readonly CompiledExpression[];
  /** In evaluation order. */
  readonly rules: readonly RuleExpression[];
}

export interface RemarkContext {
  readonly policy: AdmissionPolicy;
  readonly expressions: PolicyExpressions;
  readonly environment: Environment;
  readonly work: RunBudget;
  readonly kinds: KnownKinds;
  /** `dyn` if their type is unknown. */
  readonly params: Type;
}

/** In evaluation order. A variable is evaluated as part of the expression that uses it; unused variables yield no remarks. */
export function expressionRemarks(
  context: RemarkContext,
  matched: MatchedKind,
  object: Type,
): readonly ExpressionRemark[] {
  const { policy, expressions } = context;
  const evaluation = new KindEvaluation(context, matched, object);
  for (const [index, { expression }] of policy.matchConditions.entries()) {
    const path = ['spec', 'matchConditions', index, 'expression'];
    const { value } = evaluation.evaluate(expressions.matchConditions[index], path, expression);
    if (value === false) return evaluation.remarks.filter(({ observation }) => observation.kind === 'test');
  }
  for (const { path, written, compiled, otherwise } of expressions.rules) {
    const { value } = evaluation.evaluate(compiled, path, written);
    if (value === true || otherwise === undefined) continue;
    evaluation.evaluate(otherwise.compiled, otherwise.path, otherwise.written);
  }
  return evaluation.remarks;
}

type KnownFields = ReadonlyMap<string, Known>;

const REQUEST_KIND: Type = struct('request.kind');
const REQUEST_RESOURCE: Type = struct('request.resource');

interface FirstObservation {
  readonly observations: readonly Observation[];
  readonly path: FieldPath;
  readonly leading: number;
}

class KindEvaluation implements InferenceContext {
  readonly remarks: ExpressionRemark[] = [];
  readonly environment: Environment;
  readonly work: RunBudget;
  readonly #context: RemarkContext;
  readonly #variables: KnownFields;
  /** By type name: fields with certain values for this kind. */
  readonly #certain: ReadonlyMap<string, KnownFields>;
  readonly #policyVariables = new Map<string, Inference & { readonly path: FieldPath }>();
  readonly #reported = new Set<string>();

  constructor(context: RemarkContext, { kind, resource, subResource }: MatchedKind, object: Type) {
    this.environment = context.environment;
    this.work = context.work;
    this.#context = context;
    this.#variables = new Map<string, Known>([
      ['object', { type: object }],
      ['oldObject', { type: object }],
      ['params', { type: context.params }],
      ['request', { type: ADMISSION_REQUEST }],
      ['variables', { type: VARIABLES_TYPE }],
    ]);
    this.#certain = new Map<string, KnownFields>([
      [object.name, texts({ apiVersion: formatApiVersion(kind.group, kind.version), kind: kind.kind })],
      [REQUEST_KIND.name, texts({ group: kind.group, version: kind.version, kind: kind.kind })],
      [REQUEST_RESOURCE.name, texts({ group: resource.group, version: resource.version, resource: resource.resource })],
      [
        ADMISSION_REQUEST.name,
        new Map<string, Known>([
          ['kind', { type: REQUEST_KIND }],
          ['resource', { type: REQUEST_RESOURCE }],
          ['subResource', known(subResource)],
        ]),
      ],
    ]);
    // Each variable sees the earlier ones.
    for (const [index, { name }] of context.policy.variables.entries()) {
      const ast = context.expressions.variables.all[index]?.ast;
      if (ast === undefined) continue;
      this.#policyVariables.set(name, { ...infer(ast, this), path: ['spec', 'variables', index, 'expression'] });
    }
  }

  evaluate(compiled: CompiledExpression | undefined, path: FieldPath, written: string): Known {
    if (compiled?.ast === undefined) return UNKNOWN;
    const { result, observations } = infer(compiled.ast, this);
    this.#report({ observations, path, leading: written.indexOf(compiled.expression) });
    return result;
  }

  variable(name: string): Known | undefined {
    return this.#variables.get(name);
  }

  isObject(type: Type): boolean {
    if (type.kind !== 'struct') return false;
    return type === VARIABLES_TYPE || this.#certain.has(type.name) || this.#typesOf(type) !== undefined;
  }

  field(object: Type, name: string): Known | undefined {
    if (object === VARIABLES_TYPE) return { ...(this.#policyVariables.get(name)?.result ?? UNKNOWN), computedBy: name };
    const certain = this.#certain.get(object.name)?.get(name);
    if (certain !== undefined) return certain;
    const type = this.#typesOf(object)?.findField(object, name);
    return type && { type, isAlwaysThere: this.#context.kinds.isAlwaysThere(object, name) };
  }

  displayName(object: Type): string {
    return objectName(object);
  }

  #typesOf(type: Type): TypeProvider | undefined {
    const { types } = this.#context.kinds;
    if (types.findStruct(type.name) !== undefined) return types;
    return ADMISSION_TYPES.findStruct(type.name) === undefined ? undefined : ADMISSION_TYPES;
  }

  /** Reports each variable's problems once, at its first use. */
  #report(first: FirstObservation): void {
    const pending = [first];
    for (const { observations, path, leading } of pending) {
      for (const observation of observations) {
        if (observation.kind !== 'use') this.remarks.push({ path, leading, observation });
        else if (!this.#reported.has(observation.name)) {
          this.#reported.add(observation.name);
          const variable = this.#policyVariables.get(observation.name);
          if (variable !== undefined) pending.push({ ...variable, leading: 0 });
        }
      }
    }
  }
}

/** Drops the prefix that makes type names unique: `PodSpec` for `core/v1.PodSpec`, `Widget.spec` for `example.com/v1.Widget.spec`. */
export function objectName({ name }: Type): string {
  const version = name.indexOf('/v');
  return version < 0 ? name : name.slice(name.indexOf('.', version) + 1);
}

function texts(fields: Readonly<Record<string, string>>): KnownFields {
  return new Map(Object.entries(fields).map(([name, text]) => [name, { ...known(text), isAlwaysThere: true }]));
}
