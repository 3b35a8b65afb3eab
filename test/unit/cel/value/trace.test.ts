// Traces of observed runs, and the fields that decided the result.
import { describe, expect, it } from 'vitest';
import type { CheckedAst } from '../../../../src/cel/check/checked-ast.ts';
import { DYN, struct, type Type } from '../../../../src/cel/check/type.ts';
import type { TypeProvider } from '../../../../src/cel/check/type-provider.ts';
import { explain } from '../../../../src/cel/eval/explain.ts';
import { ExpressionTree } from '../../../../src/cel/eval/expression-tree.ts';
import { plan } from '../../../../src/cel/eval/plan.ts';
import { type Activation, type Program, ProgramError } from '../../../../src/cel/eval/program.ts';
import { Provenance } from '../../../../src/cel/eval/provenance.ts';
import { SETS } from '../../../../src/cel/library/sets.ts';
import type { Read, TraceEvent } from '../../../../src/cel/value/trace.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../../src/cel/value/value.ts';
import { formatFieldPath } from '../../../../src/source/node/field-path.ts';
import { activationOf, celValue, dynEnvironment } from '../../../support/cel-program.ts';

const VARIABLES: Type = struct('variables');

/** Declares `variables` that accept any field. */
const ANY_VARIABLE: TypeProvider = {
  findStruct: (name) => (name === VARIABLES.name ? VARIABLES : undefined),
  findField: () => DYN,
  fieldNames: () => undefined,
};

const ENVIRONMENT = dynEnvironment('object', 'oldObject', 'params').extend({
  libraries: [SETS],
  variables: [{ name: 'variables', type: VARIABLES }],
  types: [ANY_VARIABLE],
});

interface Compiled {
  readonly ast: CheckedAst;
  readonly program: Program;
}

function compile(expression: string): Compiled {
  const { ast, issues } = ENVIRONMENT.compile(expression);
  if (ast === undefined) throw new Error(issues.map(({ message }) => message).join('\n'));
  const program = plan(ENVIRONMENT, ast, { costLimit: 1_000_000 });
  if (program instanceof ProgramError) throw new Error(program.message);
  return { ast, program };
}

/** Evaluates a variable on first access. */
class Variables extends OpaqueValue {
  readonly type = VARIABLES;
  readonly runs: string[] = [];
  readonly #compiled: ReadonlyMap<string, Compiled>;
  readonly #values = new Map<string, Value>();
  readonly #events = new Map<string, TraceEvent>();
  readonly #activation: () => Activation;

  constructor(compiled: ReadonlyMap<string, Compiled>, activation: () => Activation) {
    super();
    this.#compiled = compiled;
    this.#activation = activation;
  }

  override get(name: string): Value | undefined {
    const known = this.#values.get(name);
    const compiled = this.#compiled.get(name);
    if (known !== undefined || compiled === undefined) return known;
    this.runs.push(name);
    const { value, trace } = compiled.program.evaluate(this.#activation(), { trace: true });
    if (trace !== undefined) this.#events.set(name, trace);
    const own = value instanceof ErrorValue ? new ErrorValue(`${name}: ${value.message}`) : value;
    this.#values.set(name, own);
    return own;
  }

  override traceOf(name: string): TraceEvent | undefined {
    return this.#events.get(name);
  }

  equals(other: Value): boolean {
    return this === other;
  }
}

const BINDINGS = {
  object: celValue({
    metadata: { name: 'web', labels: { app: 'web', 'example.com/tier': 'front' } },
    spec: {
      replicas: 9,
      hostPID: true,
      containers: [
        { name: 'server', image: 'shop/server:v1', resources: { limits: { cpu: '1' } } },
        { name: 'proxy', image: 'mesh/proxy:latest', resources: {} },
      ],
      initContainers: [{ name: 'init', image: 'shop/init:latest' }],
    },
    rules: [{ verbs: ['get', 'list'] }, { verbs: ['watch', '*'] }],
  }),
  oldObject: celValue({ spec: { replicas: 3 } }),
  params: celValue({ maxReplicas: 5, verbs: ['watch', 'list'] }),
};

function observe(expression: string, sources: Readonly<Record<string, string>> = {}) {
  const compiled = compile(expression);
  const variables = new Map(Object.entries(sources).map(([name, source]) => [name, compile(source)]));
  const lazy: Variables = new Variables(variables, () => activation);
  const activation = activationOf({ ...BINDINGS, variables: lazy });
  const evaluation = compiled.program.evaluate(activation, { trace: true });
  const run = { ast: compiled.ast, trace: evaluation.trace as TraceEvent };
  const reads = explain(
    { ...run, variableAst: (name) => variables.get(name)?.ast },
    new Provenance(new Map(Object.entries(BINDINGS))),
  );
  return { ...evaluation, runs: lazy.runs, reads: reads.map(show) };
}

function show({ root, path, found }: Read): string {
  const place = formatFieldPath([root, ...path]);
  return found ? place : `${place} (missing)`;
}

describe('explain', () => {
  it.each<[string, ...string[]]>([
    ['object.spec.replicas <= 5', 'object.spec.replicas'],
    ['params.maxReplicas >= object.spec.replicas', 'object.spec.replicas', 'params.maxReplicas'],
    ['object.spec.replicas == oldObject.spec.replicas', 'object.spec.replicas', 'oldObject.spec.replicas'],
    ['!has(object.spec.hostPID) || object.spec.hostPID == false', 'object.spec.hostPID'],
    ['has(object.spec.paused)', 'object.spec.paused (missing)'],
    ['object.spec.strategy.type == "Recreate"', 'object.spec.strategy (missing)'],
    ['object.spec.?strategy.?type.orValue("") == "Recreate"', 'object.spec.strategy (missing)'],
    ['"team" in object.metadata.labels', 'object.metadata.labels.team (missing)', 'object.metadata.labels'],
    ['object.metadata.labels["example.com/tier"] == "back"', 'object.metadata.labels["example.com/tier"]'],
    ['object.spec.containers[1].name == "x"', 'object.spec.containers[1].name'],
    ['object.spec.containers[object.spec.replicas - 8].name == "x"', 'object.spec.containers[1].name'],
    ['object.spec.containers.size() > 5', 'object.spec.containers'],
    ['object.spec.replicas > 5 && object.metadata.name == "api" && has(object.x)', 'object.metadata.name'],
    ['object.metadata.name == "api" || object.spec.replicas < 5', 'object.spec.replicas', 'object.metadata.name'],
    ['object.spec.replicas < 5 || object.metadata.name != "web"', 'object.spec.replicas', 'object.metadata.name'],
    ['!(has(object.spec.hostPID) && object.spec.replicas > 5)', 'object.spec.replicas', 'object.spec.hostPID'],
    ['object.metadata.name != "web" || object.spec.replicas < 5', 'object.spec.replicas', 'object.metadata.name'],
    [
      'has(object.spec.paused) ? true : object.spec.replicas < 5',
      'object.spec.replicas',
      'object.spec.paused (missing)',
    ],
    ['object.spec.hostPID ? false : true', 'object.spec.hostPID'],
    ['object == null', 'object'],
  ])('%s', (expression, ...reads) => {
    expect(observe(expression).reads).toEqual(reads);
  });

  it.each<[string, ...string[]]>([
    [
      'object.spec.containers.all(c, has(c.resources.limits))',
      'object.spec.containers[1].resources.limits (missing)',
      'object.spec.containers',
    ],
    [
      'object.spec.containers.all(c, c.resources.limits.cpu == "1")',
      'object.spec.containers[1].resources.limits (missing)',
    ],
    [
      'object.spec.containers.exists(c, c.name == "x")',
      'object.spec.containers',
      'object.spec.containers[0].name',
      'object.spec.containers[1].name',
    ],
    [
      '!object.spec.containers.exists(c, c.name == "proxy")',
      'object.spec.containers[1].name',
      'object.spec.containers',
    ],
    [
      'object.metadata.labels.all(key, object.metadata.labels[key] == "web")',
      'object.metadata.labels["example.com/tier"]',
      'object.metadata.labels',
    ],
    [
      'object.spec.containers.all(i, c, i == 0 || c.image.startsWith("shop/"))',
      'object.spec.containers[1].image',
      'object.spec.containers',
    ],
    [
      '(object.spec.containers + object.spec.initContainers).all(c, !c.image.startsWith("shop/init"))',
      'object.spec.initContainers[0].image',
      'object.spec.containers',
      'object.spec.initContainers',
    ],
    [
      'object.spec.containers.filter(c, c.name == "proxy").all(c, c.image.endsWith(":v1"))',
      'object.spec.containers[1].image',
      'object.spec.containers[1].name',
      'object.spec.containers',
      'object.spec.containers[0].name',
      'object.spec.containers[1]',
    ],
    [
      'object.spec.containers.map(c, c.image).all(image, !image.endsWith(":latest"))',
      'object.spec.containers[1].image',
      'object.spec.containers',
      'object.spec.containers[0].image',
    ],
  ])('%s', (expression, ...reads) => {
    expect(observe(expression).reads).toEqual(reads);
  });

  it.each<[string, ...string[]]>([
    ['object.rules.all(r, !("*" in r.verbs))', 'object.rules[1].verbs[1]', 'object.rules[1].verbs', 'object.rules'],
    ['"get" in object.rules[1].verbs', 'object.rules[1].verbs'],
    ['sets.contains(["watch"], object.rules[1].verbs)', 'object.rules[1].verbs[1]', 'object.rules[1].verbs'],
    ['sets.contains(object.rules[1].verbs, ["get"])', 'object.rules[1].verbs'],
    [
      '!sets.intersects(params.verbs, object.rules[0].verbs)',
      'object.rules[0].verbs[1]',
      'object.rules[0].verbs',
      'params.verbs[1]',
      'params.verbs',
    ],
    ['sets.intersects(object.rules[0].verbs, ["*"])', 'object.rules[0].verbs'],
    ['sets.equivalent(object.rules[0].verbs, ["list"])', 'object.rules[0].verbs[0]', 'object.rules[0].verbs'],
    [
      'sets.contains(["server"], object.spec.containers.map(c, c.name))',
      'object.spec.containers[1].name',
      'object.spec.containers',
      'object.spec.containers[0].name',
    ],
  ])('finds the deciding elements: %s', (expression, ...reads) => {
    expect(observe(expression).reads).toEqual(reads);
  });

  it.each<[string, string]>([
    ['object.spec.containers.map(c, string(c.image)).filter(i, i.endsWith(":latest")).size() == 0', '[1].image'],
    [
      'object.spec.containers.map(c, ["limits", "image"].filter(f, f in c).map(f, c.name + f)).filter(l, l.size() > 0) == []',
      '[0].image',
    ],
    ['object.spec.containers.map(c, c.name + c.image).all(text, !text.endsWith(":latest"))', '[1].name'],
    [
      '(has(object.spec.hostUsers) ? ["Pod"] : []) + object.spec.containers.filter(c, c.name == "proxy").map(c, c.name) == []',
      '[1].name',
    ],
  ])('follows elements that were computed, and lists that have some: %s', (expression, read) => {
    expect(observe(expression).reads[0]).toBe(`object.spec.containers${read}`);
  });

  it.each<[string, string]>([
    ['object.metadata.labels.transformMap(k, v, v != "web", v).size() == 0', 'labels["example.com/tier"]'],
    ['object.metadata.labels.transformMap(k, v, v).all(k, v, v == "web")', 'labels["example.com/tier"]'],
    ['object.metadata.labels.transformMap(k, v, v)["app"] == "api"', 'labels.app'],
    ['object.metadata.labels.transformMapEntry(k, v, {v: v}).all(k, v, k != "front")', 'labels["example.com/tier"]'],
  ])('follows maps built from maps: %s', (expression, read) => {
    expect(observe(expression).reads[0]).toBe(`object.metadata.${read}`);
  });

  it.each<[string, string]>([
    ['object.spec.containers.transformMap(i, c, c.image).all(i, v, v.endsWith(":v1"))', '[1].image'],
    ['object.spec.containers.transformMapEntry(i, c, {c.name: c.image})["proxy"] == ""', '[1].image'],
    ['object.spec.containers.transformMapEntry(i, c, i > 0, {c.name: c.image}).all(k, v, v == "")', '[1].image'],
  ])('follows maps built from lists: %s', (expression, read) => {
    expect(observe(expression).reads[0]).toBe(`object.spec.containers${read}`);
  });

  it('follows variables', () => {
    const sources = {
      all: 'object.spec.containers + object.spec.initContainers',
      tagged: 'variables.all.filter(c, c.image.endsWith(":latest"))',
      few: 'object.spec.replicas < 5',
    };
    expect(observe('variables.few', sources).reads).toEqual(['object.spec.replicas']);
    expect(observe('!variables.tagged.exists(c, c.name == "init")', sources).reads[0]).toBe(
      'object.spec.initContainers[0].name',
    );
    expect(observe('variables.all[1].name == "server"', sources).reads).toEqual(['object.spec.containers[1].name']);
  });
});

describe('a trace', () => {
  it('contains the value and cost of the run', () => {
    const { value, cost, trace } = observe('object.spec.replicas + 1 == 10');
    expect(value).toBe(true);
    expect(cost).toBe(5);
    expect(trace?.value).toBe(true);
    expect(trace?.children.map((child) => child.value)).toEqual([10n, 10n]);
  });

  it('omits parts that did not run', () => {
    const { trace } = observe('false && object.spec.replicas > 1');
    expect(trace?.children.map((child) => child.value)).toEqual([false]);
  });

  it('runs a variable once', () => {
    expect(observe('variables.a + variables.a == 2', { a: '1' }).runs).toEqual(['a']);
    expect(observe('true || variables.a', { a: '1' }).runs).toEqual([]);
    expect(observe('has(variables.a)', { a: '1' }).runs).toEqual(['a']);
  });

  it('keeps elements beside the steps of comprehensions', () => {
    const { trace } = observe('["x", "y"].all(e, e == "x")');
    const steps = trace?.children.filter(({ element }) => element !== undefined) ?? [];
    expect(steps.map(({ element, value }) => [element, value])).toEqual([
      [{ key: 0n, value: 'x' }, true],
      [{ key: 1n, value: 'y' }, false],
    ]);
  });

  it.each([
    ['1 + 2 / 0 == 3', '2 / 0'],
    ['object.spec.missing.deeper == 1', 'object.spec.missing'],
    ['object.spec.containers.map(c, c.resources.limits.cpu) == []', 'c.resources.limits'],
    ['variables.bad == 1', 'variables.bad'],
  ])('contains the location of the error of %s', (expression, part) => {
    const { ast } = compile(expression);
    const { value } = observe(expression, { bad: '1 / 0' });
    const node = new ExpressionTree(ast).node((value as ErrorValue).nodeId as number);
    expect(expression.slice(node?.start, node?.end)).toBe(part);
  });

  it('exists for runs that were stopped', () => {
    const { ast } = compile('object.spec.containers.map(c, c)');
    const program = plan(ENVIRONMENT, ast, { costLimit: 5 }) as Program;
    const { trace } = program.evaluate(activationOf(BINDINGS), { trace: true });
    expect(trace?.nodeId).toBe(ast.expr.id);
    expect(trace?.value).toBeInstanceOf(ErrorValue);
  });
});
