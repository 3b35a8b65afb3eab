// Hostile inputs for Kyverno's language: patterns, JMESPath, foreach, regular expressions.
import type { HostileInput } from './hostile-input.ts';

export function kyvernoInputs(): readonly HostileInput[] {
  return [
    { name: 'Kyverno: JMESPath doubled 30 times', expects: 'undecided-rule', files: withRule(deny(doubledQuery(30))) },
    {
      name: 'Kyverno: JMESPath over 1,000 items, nested 4 times',
      expects: 'failed-evaluation',
      files: withRule(deny(NESTED_QUERY), items(1_000)),
    },
    {
      name: 'Kyverno: pattern of 5,000 wildcards',
      expects: 'failed-validation',
      files: withRule(pattern('*a'.repeat(5_000)), `  text: ${'a'.repeat(20_000)}b\n`),
    },
    {
      name: 'Kyverno: pattern of 2,000 alternatives, 2,000 items',
      expects: 'failed-validation',
      files: withRule(listPattern(2_000), items(2_000)),
    },
    {
      name: 'Kyverno: foreach in foreach in foreach over 200 items',
      expects: 'too-much-work',
      files: withRule(foreach(3), items(200)),
    },
    {
      name: 'Kyverno: regular expression on a text of 200 kB',
      expects: 'allowed',
      files: withRule(deny("regex_match('^(a|a)*$', request.object.data.text)"), `  text: ${'a'.repeat(200_000)}b\n`),
    },
    { name: 'Kyverno: 1,000 variables in a message', expects: 'failed-validation', files: withRule(variables(1_000)) },
    {
      name: 'Kyverno: context variables doubled 40 times',
      // The context has the maximum size that Kyverno allows.
      expects: 'failed-evaluation',
      files: withRule(deny('v39 || `false`', doubledContext(40))),
    },
    { name: 'Kyverno: 2,000 rules, 500 objects', expects: 'too-much-work', files: manyRules(2_000, 500) },
    {
      name: 'Kyverno: an annotation that contains itself twice',
      expects: 'undecided-rule',
      files: withRule(denyText(`a ${SELF}`), `  text: "${SELF} ${SELF}"\n`),
    },
    {
      name: 'Kyverno: mutate foreach over 3,000 items',
      expects: 'deprecated-setting',
      files: withRule(mutateForeach(), items(3_000)),
    },
    {
      name: 'Kyverno: CleanupPolicy, JMESPath over 1,000 items, 300 objects',
      expects: 'deprecated-setting',
      files: cleanup(300, items(1_000)),
    },
    { name: 'Kyverno: DeletingPolicy of nested all, 40 objects', expects: 'allowed', files: deleting(40) },
    { name: 'Kyverno: CEL nested all in a ValidatingPolicy', expects: 'failed-evaluation', files: celPolicy(40) },
  ];
}

function withRule(rule: string, data = '  items: "[]"\n'): Readonly<Record<string, string>> {
  return { 'policy.yaml': policy(rule), 'object.yaml': configMap('a', data) };
}

function configMap(name: string, data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\ndata:\n${data}`;
}

function policy(...rules: readonly string[]): string {
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata:
  name: hostile
spec:
  validationFailureAction: Enforce
  background: false
  rules:
${rules.join('')}`;
}

const MATCH = '      match: {any: [{resources: {kinds: [ConfigMap]}}]}\n';

function deny(query: string, context = ''): string {
  return denyText(`{{ ${query} }}`, context);
}

function denyText(text: string, context = ''): string {
  const key = JSON.stringify(text);
  return `    - name: a\n${MATCH}${context}      validate:\n        message: refused\n        deny: {conditions: {any: [{key: ${key}, operator: Equals, value: true}]}}\n`;
}

function doubledQuery(count: number): string {
  return count === 0
    ? '[`1`]'
    : `${doubledQuery(0)} | ${Array.from({ length: count }, () => '[@, @]').join(' | ')} | to_string(@) == 'x'`;
}

/** The function does not exist, but the steps before it are still evaluated. */
const NESTED_QUERY = `parse_json(request.object.data.items) ${'| [*].[@, @] '.repeat(4)}| range_of(@)`;

function items(count: number): string {
  return `  items: '${JSON.stringify(Array.from({ length: count }, (_, index) => `i${index}`))}'\n`;
}

function pattern(text: string): string {
  return `    - name: a\n${MATCH}      validate:\n        message: refused\n        pattern: {data: {text: ${JSON.stringify(text)}}}\n`;
}

function listPattern(count: number): string {
  const alternatives = Array.from({ length: count }, (_, index) => `?*x${index}`).join(' | ');
  return `    - name: a\n${MATCH}      validate:\n        message: refused\n        pattern: {data: {"*": ${JSON.stringify(alternatives)}}}\n`;
}

function foreach(depth: number): string {
  const list = 'parse_json(request.object.data.items)';
  const nested = (level: number): string => {
    const pad = ' '.repeat(10 + 4 * (depth - level));
    if (level === 0)
      return `${pad}- list: ${list}\n${pad}  deny: {conditions: {any: [{key: "{{ element }}", operator: Equals, value: zz}]}}\n`;
    return `${pad}- list: ${list}\n${pad}  foreach:\n${nested(level - 1)}`;
  };
  return `    - name: a\n${MATCH}      validate:\n        message: refused\n        foreach:\n${nested(depth - 1)}`;
}

function variables(count: number): string {
  const text = Array.from({ length: count }, () => '{{ to_upper(request.object.metadata.name) }}').join(' ');
  return `    - name: a\n${MATCH}      validate:\n        message: ${JSON.stringify(text)}\n        deny: {}\n`;
}

function doubledContext(count: number): string {
  const entries = Array.from({ length: count }, (_, index) => {
    const query = index === 0 ? "'ab'" : `join('', [v${index - 1}, v${index - 1}])`;
    return `        - name: v${index}\n          variable: {jmesPath: ${JSON.stringify(query)}}\n`;
  });
  return `      context:\n${entries.join('')}`;
}

function manyRules(rules: number, objects: number): Readonly<Record<string, string>> {
  const rule = (index: number): string =>
    `    - name: r${index}\n${MATCH}      validate:\n        message: refused\n        pattern: {data: {x${index}: "?*"}}\n`;
  return {
    'policy.yaml': policy(...Array.from({ length: rules }, (_, index) => rule(index))),
    'object.yaml': Array.from({ length: objects }, (_, index) => configMap(`o${index}`, '  a: b\n')).join('---\n'),
  };
}

/** A text whose variable refers to the text itself. */
const SELF = '{{ request.object.data.text }}';

function mutateForeach(): string {
  const patch = 'patchStrategicMerge: {data: {last: "{{ element }}"}}';
  return `    - name: a\n${MATCH}      mutate:\n        foreach:\n          - list: parse_json(request.object.data.items)\n            ${patch}\n`;
}

function cleanup(objects: number, data: string): Readonly<Record<string, string>> {
  const query = NESTED_QUERY.replaceAll('request.object', 'target');
  return {
    'policy.yaml': `apiVersion: kyverno.io/v2
kind: ClusterCleanupPolicy
metadata:
  name: hostile
spec:
  schedule: "* * * * *"
  match: {any: [{resources: {kinds: [ConfigMap]}}]}
  conditions: {any: [{key: ${JSON.stringify(`{{ ${query} }}`)}, operator: Equals, value: true}]}
`,
    'object.yaml': Array.from({ length: objects }, (_, index) => configMap(`o${index}`, data)).join('---\n'),
  };
}

function deleting(objects: number): Readonly<Record<string, string>> {
  return {
    'policy.yaml': `apiVersion: policies.kyverno.io/v1
kind: DeletingPolicy
metadata:
  name: hostile
spec:
  schedule: "* * * * *"
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], resources: [configmaps]}
  conditions:
    - {name: a, expression: ${JSON.stringify(nestedAll())}}
`,
    'object.yaml': Array.from({ length: objects }, (_, index) => configMap(`o${index}`, '  a: b\n')).join('---\n'),
  };
}

function nestedAll(): string {
  const list = `[${Array.from({ length: 14 }, (_, index) => index).join(',')}]`;
  return `${[...'abcdef'].map((name) => `${list}.all(${name}, `).join('')}object.metadata.name != ''${')'.repeat(6)} && false`;
}

function celPolicy(objects: number): Readonly<Record<string, string>> {
  const expression = nestedAll();
  return {
    'policy.yaml': `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata:
  name: hostile
spec:
  validationActions: [Deny]
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  validations:
    - expression: ${JSON.stringify(expression)}
`,
    'object.yaml': Array.from({ length: objects }, (_, index) => configMap(`o${index}`, '  a: b\n')).join('---\n'),
  };
}
