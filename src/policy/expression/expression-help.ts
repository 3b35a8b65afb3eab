// Suggests fixes for common mistakes in expressions that do not compile.
import type { Environment } from '../../cel/environment.ts';
import type { Issue, UnknownName } from '../../cel/issue/issue.ts';
import { nearestName } from '../../diagnostic/nearest-name.ts';
import { formatVersion, type KubernetesVersion, NEWEST_VERSION, OLDEST_VERSION } from '../../kubernetes/api/version.ts';
import { kubernetesEnvironment } from '../../kubernetes/cel/environment.ts';

/** Undefined if there is no suggestion beyond the message. `environment`: the one used to compile the expression. */
export function expressionHelp(issue: Issue, expression: string, environment: Environment): string | undefined {
  if (issue.unknown !== undefined) return unknownName(issue.unknown, environment);
  if (issue.message.startsWith(NO_OVERLOAD)) return overloadHelp(issue.message);
  const characters = [...expression];
  const from = (offset: number): string => characters.slice(Math.max(0, offset)).join('');
  if (issue.message.startsWith('invalid argument to has()')) return HAS_HELP;
  if (issue.kind !== 'syntax') return undefined;
  // cel-go reports a syntax error at either brace or between them.
  if (expression.replace(/'[^']*'|"[^"]*"/g, '').includes('{{')) return TEMPLATE_HELP;
  const known = syntaxHelp(from(issue.offset), characters.slice(0, issue.offset).join(''));
  return known ?? unbalancedHelp(expression);
}

const HAS_HELP =
  "`has()` takes a field: `has(object.spec.replicas)`; to test for a map key, write `'key' in object.metadata.labels`";

function unknownName({ what, name, known }: UnknownName, environment: Environment): string | undefined {
  if (what === 'field') return fieldHelp(name, known, environment);
  if (name.startsWith('.')) return `a name cannot start with a dot: write \`object${name}\` for a field of the object`;
  const elsewhere = (what === 'function' ? FUNCTIONS : VARIABLES).get(name.toLowerCase());
  if (what === 'variable') {
    if (name === 'variables') return 'the policy has no `variables`';
    const nearest = nearestName(name, [...environment.variableNames(), 'params']);
    const isDeclared = nearest !== 'params' || environment.findVariable(nearest) !== undefined;
    return isDeclared ? (elsewhere ?? didYouMean(nearest)) : 'the policy has no `paramKind`, so it has no `params`';
  }
  const nearest = elsewhere === undefined ? nearestName(name, environment.callNames()) : undefined;
  if (MACROS.has(name)) return `in CEL, write \`list.${name}(x, …)\``;
  return elsewhere ?? releaseOf(name) ?? didYouMean(nearest);
}

const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

function fieldHelp(name: string, known: readonly string[], environment: Environment): string | undefined {
  const isOfRequest = known.includes('userInfo') && known.includes('operation');
  if (isOfRequest && environment.findVariable(name) !== undefined)
    return `write \`${name}\`: it is a variable, not a field of \`request\``;
  return didYouMean(nearestName(name, known));
}

const NO_OVERLOAD = 'found no matching overload for ';
const NUMBERS = /^(?:int|uint|double)$/;

/** For operands of different types. CEL has no implicit conversions. */
function overloadHelp(message: string): string | undefined {
  const [, name = '', given = ''] =
    /^found no matching overload for '([^']+)' applied to '(?:\(|[^']*\.\()(.*)\)'$/.exec(message) ?? [];
  const isCall = !message.includes(`applied to '(`) || !/^[_!-]/.test(name);
  if (isCall) return GLOBAL_CALLS.get(name);
  const [one = '', other = ''] = given.split(', ');
  const [left, right] = [NUMBERS.test(one), NUMBERS.test(other)];
  if (left && right && one !== other) {
    return `CEL does not convert numbers: wrap the other one in \`${one === 'double' || other === 'double' ? 'double' : 'int'}(x)\``;
  }
  if (name === '_+_' && one !== other && (one === 'string' || other === 'string')) {
    return 'a string can only be joined with a string: wrap the other value in `string(x)`';
  }
  const isCompared = /^_(?:[=!]=|[<>]=?)_$/.test(name);
  const isOfTextAndNumber = (one === 'string' && right) || (other === 'string' && left);
  return isCompared && isOfTextAndNumber
    ? 'a string cannot be compared with a number: write `int(text)` or `string(number)`'
    : undefined;
}

/** Methods of strings, called as functions. */
const GLOBAL_CALLS: ReadonlyMap<string, string> = new Map([
  ['contains', 'in CEL, write `text.contains(part)`, and `x in list` or `key in map`'],
  ['startsWith', 'in CEL, write `text.startsWith(part)`'],
  ['endsWith', 'in CEL, write `text.endsWith(part)`'],
  ['matches', 'in CEL, write `text.matches(pattern)`'],
]);

function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean \`${name}\`?`;
}

/** Function names from other languages, in lower case, with CEL's equivalent. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['any', 'in CEL, write `list.exists(x, …)`'],
  ['some', 'in CEL, write `list.exists(x, …)`'],
  ['every', 'in CEL, write `list.all(x, …)`'],
  ['foreach', 'in CEL, write `list.all(x, …)` or `list.map(x, …)`'],
  ['includes', 'in CEL, write `x in list`, and `text.contains(part)`'],
  ['contain', 'in CEL, write `text.contains(part)`, and `x in list` or `key in map`'],
  ['haskey', 'in CEL, write `key in map`'],
  ['containskey', 'in CEL, write `key in map`'],
  ['hasprefix', 'in CEL, write `text.startsWith(part)`'],
  ['hassuffix', 'in CEL, write `text.endsWith(part)`'],
  ['len', 'in CEL, write `size(x)` or `x.size()`'],
  ['length', 'in CEL, write `size(x)` or `x.size()`'],
  ['count', 'in CEL, write `size(list)`, and `size(list.filter(x, …))` for some of them'],
  ['tolower', 'in CEL, write `text.lowerAscii()`'],
  ['lower', 'in CEL, write `text.lowerAscii()`'],
  ['toupper', 'in CEL, write `text.upperAscii()`'],
  ['upper', 'in CEL, write `text.upperAscii()`'],
  ['tostring', 'in CEL, write `string(x)`'],
  ['str', 'in CEL, write `string(x)`'],
  ['parseint', 'in CEL, write `int(x)`'],
  ['tonumber', 'in CEL, write `int(x)` or `double(x)`'],
  ['exist', 'in CEL, write `has(object.spec.field)` of a field, and `list.exists(x, …)` of elements'],
  ['isempty', 'in CEL, write `size(x) == 0`'],
  ['isnull', 'in CEL, write `x == null`'],
  ['concat', 'in CEL, write `a + b`'],
  ['match', 'in CEL, write `text.matches(pattern)`'],
  ['regexmatch', 'in CEL, write `text.matches(pattern)`'],
  ['re_match', 'in CEL, write `text.matches(pattern)`'],
  ['not', 'in CEL, write `!x`'],
]);

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['nil', 'in CEL, write `null`'],
  ['none', 'in CEL, write `null`'],
  ['undefined', 'in CEL, write `has(object.spec.field)` for fields that may be absent'],
  ['self', 'in policies, the object is `object`; `self` exists only in rules of CustomResourceDefinitions'],
  ['old', 'the object before the change is `oldObject`'],
  ['oldself', 'the object before the change is `oldObject`'],
  ['resource', 'in policies, the object is `object`'],
  ['input', 'in policies, the object is `object`'],
  ['namespace', 'write `request.namespace` for the name, `namespaceObject` for the Namespace with its labels'],
  ['user', 'the user is `request.userInfo`'],
  ['userinfo', 'the user is `request.userInfo`'],
]);

/** Names the first release that has the function, if a later one has it. */
function releaseOf(name: string): string | undefined {
  const { major } = OLDEST_VERSION;
  for (let { minor } = OLDEST_VERSION; minor <= NEWEST_VERSION.minor; minor++) {
    const version: KubernetesVersion = { major, minor };
    const functions = kubernetesEnvironment(version, 'new');
    if (functions.findFunction(name) !== undefined)
      return `\`${name}\` is available in Kubernetes ${formatVersion(version)} and later`;
  }
  return undefined;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['and', 'in CEL, write `&&`'],
  ['or', 'in CEL, write `||`'],
  ['matches', 'in CEL, write `text.matches(pattern)`'],
  ['contains', 'in CEL, write `text.contains(part)`'],
  ['startswith', 'in CEL, write `text.startsWith(part)`'],
  ['endswith', 'in CEL, write `text.endsWith(part)`'],
  ['is', 'in CEL, write `==`'],
  ['if', 'in CEL, write `condition ? one : other`'],
  ['then', 'in CEL, write `condition ? one : other`'],
  ['else', 'in CEL, write `condition ? one : other`'],
]);

/** Limits the search to the end of the text, which may be long. */
const LONGEST_LAST = 'not'.length + 1;

/** `rest`: the text from the issue on. `before`: the text before it. */
function syntaxHelp(rest: string, before: string): string | undefined {
  if (rest.startsWith('=>') || rest.startsWith('->')) {
    return 'in CEL, write `list.all(x, …)`: the variable for the element comes first';
  }
  if (/^=($|[^=])/.test(rest) && !/[=!<>]$/.test(before)) return 'CEL has no assignment: compare with `==`';
  if (/^=/.test(rest) && /==$/.test(before)) return 'in CEL, write `==` and `!=`';
  if (/^&($|[^&])/.test(rest)) return 'in CEL, write `&&`';
  if (/^\|($|[^|])/.test(rest)) return 'in CEL, write `||`';
  if (/^\?($|[^.[])/.test(rest) && before.endsWith('?')) {
    return 'CEL has no `??`: write `has(object.spec.field) ? object.spec.field : other`, or `object.spec.?field.orValue(other)`';
  }
  if (rest.startsWith(';')) return 'remove the `;`: a CEL expression has no terminator';
  const [word = ''] = /^[A-Za-z_]+/.exec(rest) ?? [];
  const known = WORDS.get(word.toLowerCase()) ?? VARIABLES.get(word.toLowerCase());
  if (known !== undefined) return known;
  const [, last] = /(?:^|[^A-Za-z_])(not|if)$/.exec(before.trimEnd().slice(-LONGEST_LAST)) ?? [];
  if (last === 'not') return 'in CEL, write `!x`';
  if (last === 'if') return 'in CEL, write `condition ? one : other`';
  return undefined;
}

const TEMPLATE_HELP = 'CEL has no `{{ … }}`: write the expression without the braces';

const PAIRS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** For a bracket without its counterpart. Ignores brackets in strings and comments. */
function unbalancedHelp(expression: string): string | undefined {
  const plain = expression.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*/g, '');
  const open: string[] = [];
  for (const character of plain) {
    if ('([{'.includes(character)) open.push(character);
    const opener = PAIRS.get(character);
    if (opener !== undefined && open.pop() !== opener) return `this \`${character}\` has no matching \`${opener}\``;
  }
  const last = open.at(-1);
  return last === undefined ? undefined : `a \`${last}\` is not closed`;
}
