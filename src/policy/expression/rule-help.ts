// Suggests fixes for CustomResourceDefinition rules that do not compile.
import type { RuleSlip } from '../../kubernetes/custom-resource/rule/compiled-rule.ts';
import { expressionHelp } from './expression-help.ts';

/** Undefined if there is no suggestion beyond the server's message. */
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

const NO_OBJECT = () => 'in rules, the object is `self` and the object before the change is `oldSelf`';

/** Names that are undefined, or mean something else, in rules only. */
const OF_RULES: ReadonlyMap<string, (rule: string) => string | undefined> = new Map<
  string,
  (rule: string) => string | undefined
>([
  ['object', NO_OBJECT],
  ['oldObject', NO_OBJECT],
  ['request', () => 'rules see only the object, not the request'],
  [
    'namespace',
    (rule) =>
      rule.includes('metadata.namespace')
        ? 'in metadata, rules see only `metadata.name` and `metadata.generateName`'
        : undefined,
  ],
]);

/** For a name used at the top level whose field is one level deeper, e.g. in `spec`. */
function insideHelp(name: string, { properties }: RuleSlip['schema']): string | undefined {
  const outer = [...(properties ?? [])].find(([, inner]) => inner.properties?.has(name) === true);
  return outer && `did you mean \`self.${outer[0]}.${name}\`?`;
}

function overloadHelp(message: string): string | undefined {
  return /^found no matching overload for '(?:hasValue|value|orValue)'/.test(message)
    ? '`oldSelf` has `.hasValue()` only if the rule sets `optionalOldSelf: true`'
    : undefined;
}
