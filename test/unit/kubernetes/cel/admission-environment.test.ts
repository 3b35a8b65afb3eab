import { describe, expect, it } from 'vitest';
import { INT, struct, type Type } from '../../../../src/cel/check/type.ts';
import type { TypeProvider } from '../../../../src/cel/check/type-provider.ts';
import { plan } from '../../../../src/cel/eval/plan.ts';
import { ProgramError } from '../../../../src/cel/eval/program.ts';
import { ErrorValue, StructValue, type Value } from '../../../../src/cel/value/value.ts';
import { DEFAULT_VERSION } from '../../../../src/kubernetes/api/version.ts';
import {
  type AdmissionDeclarations,
  AdmissionEnvironments,
} from '../../../../src/kubernetes/cel/admission-environment.ts';
import { JsonPatchValue } from '../../../../src/kubernetes/cel/mutation-types.ts';

const environments = new AdmissionEnvironments(DEFAULT_VERSION);
const NONE: AdmissionDeclarations = { mode: 'stored', hasParams: false, hasAuthorizer: false };

/** The static type of an expression, or its first issue. */
function typeOf(text: string, declarations: Partial<AdmissionDeclarations> = {}): string {
  const { ast, issues } = environments.context({ ...NONE, ...declarations }).environment.compile(text);
  return ast === undefined ? (issues[0]?.message ?? '') : String(ast.outputType);
}

function evaluate(text: string, declarations: Partial<AdmissionDeclarations> = {}): Value | string {
  const { environment } = environments.context({ ...NONE, ...declarations });
  const { ast, issues } = environment.compile(text);
  if (ast === undefined) return issues[0]?.message ?? '';
  const program = plan(environment, ast);
  if (program instanceof ProgramError) return program.message;
  const { value } = program.evaluate({ resolve: () => null });
  return value instanceof ErrorValue ? value.message : value;
}

describe('declarations', () => {
  it.each([
    ['object', 'dyn'],
    ['oldObject.a.b', 'dyn'],
    ['request.kind.version', 'string'],
    ['request.requestResource.resource', 'string'],
    ['request.userInfo.extra', 'map(string, list(string))'],
    ['request.dryRun', 'bool'],
    ['request.options.a', 'dyn'],
    ['request.uid', "undefined field 'uid'"],
    ["request['name']", "found no matching overload for '_[_]' applied to '(kubernetes.AdmissionRequest, string)'"],
    ['namespaceObject.metadata.labels', 'map(string, string)'],
    ['namespaceObject.metadata.creationTimestamp', 'google.protobuf.Timestamp'],
    ['namespaceObject.status.conditions[0].type', 'string'],
    ['namespaceObject.metadata.uid', "undefined field 'uid'"],
    ['namespaceObject.kind', "undefined field 'kind'"],
    ['params', "undeclared reference to 'params' (in container '')"],
    ['authorizer', "undeclared reference to 'authorizer' (in container '')"],
    ['variables.x', "undeclared reference to 'variables' (in container '')"],
    ['Object{}', "undeclared reference to 'Object' (in container '')"],
  ])('%s: %s', (text, type) => {
    expect(typeOf(text)).toBe(type);
  });

  it('depend on the features of the policy', () => {
    expect(typeOf('params', { hasParams: true })).toBe('dyn');
    expect(typeOf("authorizer.requestResource.check('get')", { hasAuthorizer: true })).toBe(
      'kubernetes.authorization.Decision',
    );
    expect(typeOf('variables.x + 1', { variables: variablesOf({ x: INT }) })).toBe('int');
    expect(typeOf('variables.y', { variables: variablesOf({ x: INT }) })).toBe("undefined field 'y'");
  });

  it('include type names without values', () => {
    expect(evaluate('kubernetes.AdmissionRequest{}')).toBe("unknown type 'kubernetes.AdmissionRequest'");
    expect(evaluate('kubernetes.AdmissionRequest')).toBe('reference to undefined type: kubernetes.AdmissionRequest');
    expect(evaluate('duration')).toBe('reference to undefined type: duration');
  });

  it('are built once for each kind of expression', () => {
    const { environment } = environments.context({ ...NONE, hasParams: true });
    expect(environments.context({ ...NONE, hasParams: true }).environment).toBe(environment);
    expect(environments.context({ ...NONE, hasParams: true, mode: 'new' }).environment).not.toBe(environment);
  });
});

describe('patch types', () => {
  const patching = { hasPatchTypes: true } as const;

  it.each([
    ['Object{a: 1}.a', 1n],
    ['Object{a: 1}.b', null],
    ['has(Object{a: 1}.b)', false],
    ['Object{a: 1} == Object{a: 1}', true],
    ['Object{a: 1} == Object{a: 1.0}', false],
    ['Object{a: [1]} == Object{a: [1]}', false],
    ["JSONPatch{op: 'add'}.path", ''],
    ["JSONPatch{op: 'add'}.value", null],
    ["has(JSONPatch{op: 'add'}.path)", false],
    ["JSONPatch{path: 'a', value: 1} == JSONPatch{path: 'a', value: 1.0}", true],
    ['JSONPatch{op: dyn(1)}', "unexpected type int64 for JSONPatchType 'op' field"],
    ['JSONPatch{op: 1}', "expected type of field 'op' is 'string' but provided type is 'int'"],
    ["JSONPatch{nope: 'a'}", "expected type of field 'nope' is '' but provided type is 'string'"],
    ["jsonpatch.escapeKey('a/b~c')", 'a~1b~0c'],
  ])('%s', (text, value) => {
    expect(evaluate(text, patching)).toEqual(value);
  });

  it('produce objects and operations', () => {
    const object = evaluate('Object{spec: Object.spec{replicas: 1}}', patching) as StructValue;
    expect(object).toBeInstanceOf(StructValue);
    expect((object.fields.get('spec') as StructValue).type.name).toBe('Object.spec');
    const operation = evaluate("JSONPatch{op: 'add', path: '/a', value: 1}", patching) as JsonPatchValue;
    expect(operation).toBeInstanceOf(JsonPatchValue);
    expect([operation.op, operation.from, operation.path, operation.value]).toEqual(['add', '', '/a', 1n]);
  });
});

function variablesOf(fields: Record<string, Type>): TypeProvider {
  const type = struct('kubernetes.variables');
  return {
    findStruct: (name) => (name === type.name ? type : undefined),
    findField: (_struct, field) => fields[field],
    fieldNames: () => Object.keys(fields),
  };
}
