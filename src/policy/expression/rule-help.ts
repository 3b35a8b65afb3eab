// What to write instead of a rule of a CustomResourceDefinition that does not compile.
import type { RuleSlip } from '../../kubernetes/custom-resource/rule/compiled-rule.ts';
import { expressionHelp } from './expression-help.ts';

/** Undefined where nothing better than the server's words is known. */
export function ruleHelp({ rule, issues, environment, schema }: RuleSlip): string | undefined {
  for (const { message, unknown } of issues) {
    const name = unknown?.name ?? '';
    const help = OF_RULES.get(name)?.(rule.rule) ?? overloadHelp(message) ?? (unknown && insideHelp(name, schema));
    if (help !== undefined) return help;
  }
  for (const issue of issues) {
    const help = expressionHelp(issue, rule.rule, environment);
    if (help !== undefined) return help;
  }
  return undefined;
}

const NO_OBJECT = () => 'rules name the object `self`, and what it was before `oldSelf`';

/** Names that stand for nothing, or for something else, in rules alone. */
const OF_RULES: ReadonlyMap<string, (rule: string) => string | undefined> = new Map<
  string,
  (rule: string) => string | undefined
>([
  ['object', NO_OBJECT],
  ['oldObject', NO_OBJECT],
  ['request', () => 'rules see the object alone, not the request'],
  [
    'namespace',
    (rule) =>
      rule.includes('metadata.namespace')
        ? 'of the metadata, rules see `metadata.name` and `metadata.generateName` alone'
        : undefined,
  ],
]);

/** At the top of an object, where its fields are in `spec`. */
function insideHelp(name: string, { properties }: RuleSlip['schema']): string | undefined {
  const outer = [...(properties ?? [])].find(([, inner]) => inner.properties?.has(name) === true);
  return outer && `did you mean \`self.${outer[0]}.${name}\`?`;
}

function overloadHelp(message: string): string | undefined {
  return /^found no matching overload for '(?:hasValue|value|orValue)'/.test(message)
    ? '`oldSelf` has a `.hasValue()` only with `optionalOldSelf: true` beside the rule'
    : undefined;
}
