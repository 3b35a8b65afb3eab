// What to write instead, where an expression does not compile because of a slip that people make.
import type { Environment } from '../../cel/environment.ts';
import type { Issue, UnknownName } from '../../cel/issue/issue.ts';
import { nearestName } from '../../diagnostic/nearest-name.ts';
import { formatVersion, type KubernetesVersion, NEWEST_VERSION, OLDEST_VERSION } from '../../kubernetes/api/version.ts';
import { kubernetesEnvironment } from '../../kubernetes/cel/environment.ts';

/** Undefined where nothing better than the message is known. `environment`: the one that the expression was compiled in. */
export function expressionHelp(issue: Issue, expression: string, environment: Environment): string | undefined {
  if (issue.unknown !== undefined) return unknownName(issue.unknown, environment);
  if (issue.message.startsWith(NO_OVERLOAD)) return overloadHelp(issue.message);
  const characters = [...expression];
  const from = (offset: number): string => characters.slice(Math.max(0, offset)).join('');
  if (issue.message.startsWith('invalid argument to has()')) return HAS_HELP;
  if (issue.kind !== 'syntax') return undefined;
  // cel-go stumbles over either brace, or over what stands in them.
  if (expression.replace(/'[^']*'|"[^"]*"/g, '').includes('{{')) return TEMPLATE_HELP;
  const known = syntaxHelp(from(issue.offset), characters.slice(0, issue.offset).join(''));
  return known ?? unbalancedHelp(expression);
}

const HAS_HELP =
  "`has()` asks for a field, as in `has(object.spec.replicas)`; whether a map has a key is `'key' in object.metadata.labels`";

function unknownName({ what, name, known }: UnknownName, environment: Environment): string | undefined {
  if (what === 'field') return fieldHelp(name, known, environment);
  if (name.startsWith('.')) return `no name begins with a dot: \`object${name}\` is a field of the object`;
  const elsewhere = (what === 'function' ? FUNCTIONS : VARIABLES).get(name.toLowerCase());
  if (what === 'variable') {
    if (name === 'variables') return 'the policy has no `variables`';
    const nearest = nearestName(name, [...environment.variableNames(), 'params']);
    const isDeclared = nearest !== 'params' || environment.findVariable(nearest) !== undefined;
    return isDeclared ? (elsewhere ?? didYouMean(nearest)) : 'the policy has no `paramKind`, so it has no `params`';
  }
  const nearest = elsewhere === undefined ? nearestName(name, environment.callNames()) : undefined;
  if (MACROS.has(name)) return `CEL writes \`list.${name}(x, …)\``;
  return elsewhere ?? releaseOf(name) ?? didYouMean(nearest);
}

/** Asked of a list, and no functions. */
const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);

function fieldHelp(name: string, known: readonly string[], environment: Environment): string | undefined {
  const isOfRequest = known.includes('userInfo') && known.includes('operation');
  if (isOfRequest && environment.findVariable(name) !== undefined)
    return `it is \`${name}\`, and no field of \`request\``;
  return didYouMean(nearestName(name, known));
}

const NO_OVERLOAD = 'found no matching overload for ';
const NUMBERS = /^(?:int|uint|double)$/;

/** Of types that do not go together; CEL converts nothing by itself. */
function overloadHelp(message: string): string | undefined {
  const [, name = '', given = ''] =
    /^found no matching overload for '([^']+)' applied to '(?:\(|[^']*\.\()(.*)\)'$/.exec(message) ?? [];
  const isCall = !message.includes(`applied to '(`) || !/^[_!-]/.test(name);
  if (isCall) return GLOBAL_CALLS.get(name);
  const [one = '', other = ''] = given.split(', ');
  const [left, right] = [NUMBERS.test(one), NUMBERS.test(other)];
  if (left && right && one !== other) {
    return `CEL converts no numbers: write \`${one === 'double' || other === 'double' ? 'double' : 'int'}(x)\` around the other one`;
  }
  if (name === '_+_' && one !== other && (one === 'string' || other === 'string')) {
    return 'a text is joined with texts: write `string(x)` around the other value';
  }
  const isCompared = /^_(?:[=!]=|[<>]=?)_$/.test(name);
  const isOfTextAndNumber = (one === 'string' && right) || (other === 'string' && left);
  return isCompared && isOfTextAndNumber ? 'a text is no number: write `int(text)` or `string(number)`' : undefined;
}

/** Functions of a text, asked without one. */
const GLOBAL_CALLS: ReadonlyMap<string, string> = new Map([
  ['contains', 'CEL writes `text.contains(part)`, and `x in list` or `key in map`'],
  ['startsWith', 'CEL writes `text.startsWith(part)`'],
  ['endsWith', 'CEL writes `text.endsWith(part)`'],
  ['matches', 'CEL writes `text.matches(pattern)`'],
]);

function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `did you mean \`${name}\`?`;
}

/** Names of other languages for what CEL has. In lower case. */
const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['any', 'CEL writes `list.exists(x, …)`'],
  ['some', 'CEL writes `list.exists(x, …)`'],
  ['every', 'CEL writes `list.all(x, …)`'],
  ['foreach', 'CEL writes `list.all(x, …)` or `list.map(x, …)`'],
  ['includes', 'CEL writes `x in list`, and `text.contains(part)`'],
  ['contain', 'CEL writes `text.contains(part)`, and `x in list` or `key in map`'],
  ['haskey', 'CEL writes `key in map`'],
  ['containskey', 'CEL writes `key in map`'],
  ['hasprefix', 'CEL writes `text.startsWith(part)`'],
  ['hassuffix', 'CEL writes `text.endsWith(part)`'],
  ['len', 'CEL writes `size(x)` or `x.size()`'],
  ['length', 'CEL writes `size(x)` or `x.size()`'],
  ['count', 'CEL writes `size(list)`, and `size(list.filter(x, …))` for some of them'],
  ['tolower', 'CEL writes `text.lowerAscii()`'],
  ['lower', 'CEL writes `text.lowerAscii()`'],
  ['toupper', 'CEL writes `text.upperAscii()`'],
  ['upper', 'CEL writes `text.upperAscii()`'],
  ['tostring', 'CEL writes `string(x)`'],
  ['str', 'CEL writes `string(x)`'],
  ['parseint', 'CEL writes `int(x)`'],
  ['tonumber', 'CEL writes `int(x)` or `double(x)`'],
  ['exist', 'CEL writes `has(object.spec.field)` of a field, and `list.exists(x, …)` of elements'],
  ['isempty', 'CEL writes `size(x) == 0`'],
  ['isnull', 'CEL writes `x == null`'],
  ['concat', 'CEL writes `a + b`'],
  ['match', 'CEL writes `text.matches(pattern)`'],
  ['regexmatch', 'CEL writes `text.matches(pattern)`'],
  ['re_match', 'CEL writes `text.matches(pattern)`'],
  ['not', 'CEL writes `!x`'],
]);

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['nil', 'CEL writes `null`'],
  ['none', 'CEL writes `null`'],
  ['undefined', 'CEL has `has(object.spec.field)` for fields that may be absent'],
  ['self', 'policies name the object `object`; `self` is of the rules in CustomResourceDefinitions'],
  ['old', 'the object before the change is `oldObject`'],
  ['oldself', 'the object before the change is `oldObject`'],
  ['resource', 'policies name the object `object`'],
  ['input', 'policies name the object `object`'],
  ['namespace', 'the name is `request.namespace`, the Namespace with its labels `namespaceObject`'],
  ['user', 'who asks is `request.userInfo`'],
  ['userinfo', 'who asks is `request.userInfo`'],
]);

/** A later release may have the function. */
function releaseOf(name: string): string | undefined {
  const { major } = OLDEST_VERSION;
  for (let { minor } = OLDEST_VERSION; minor <= NEWEST_VERSION.minor; minor++) {
    const version: KubernetesVersion = { major, minor };
    const functions = kubernetesEnvironment(version, 'new');
    if (functions.findFunction(name) !== undefined)
      return `expressions have \`${name}\` from Kubernetes ${formatVersion(version)} on`;
  }
  return undefined;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['and', 'CEL writes `&&`'],
  ['or', 'CEL writes `||`'],
  ['matches', 'CEL writes `text.matches(pattern)`'],
  ['contains', 'CEL writes `text.contains(part)`'],
  ['startswith', 'CEL writes `text.startsWith(part)`'],
  ['endswith', 'CEL writes `text.endsWith(part)`'],
  ['is', 'CEL writes `==`'],
  ['if', 'CEL writes `condition ? one : other`'],
  ['then', 'CEL writes `condition ? one : other`'],
  ['else', 'CEL writes `condition ? one : other`'],
]);

/** Of a text that may be long, the end is enough: a word and what is before it. */
const LONGEST_LAST = 'not'.length + 1;

/** `rest`: the text from the issue on; `before`: what precedes it. */
function syntaxHelp(rest: string, before: string): string | undefined {
  if (rest.startsWith('=>') || rest.startsWith('->')) {
    return 'CEL writes `list.all(x, …)`: the name of the element comes first';
  }
  if (/^=($|[^=])/.test(rest) && !/[=!<>]$/.test(before)) return 'CEL compares with `==` and assigns nothing';
  if (/^=/.test(rest) && /==$/.test(before)) return 'CEL writes `==` and `!=`';
  if (/^&($|[^&])/.test(rest)) return 'CEL writes `&&`';
  if (/^\|($|[^|])/.test(rest)) return 'CEL writes `||`';
  if (/^\?($|[^.[])/.test(rest) && before.endsWith('?')) {
    return 'CEL has no `??`: write `has(object.spec.field) ? object.spec.field : other`, or `object.spec.?field.orValue(other)`';
  }
  if (rest.startsWith(';')) return 'an expression has one value and no end mark: leave out the `;`';
  const [word = ''] = /^[A-Za-z_]+/.exec(rest) ?? [];
  const known = WORDS.get(word.toLowerCase()) ?? VARIABLES.get(word.toLowerCase());
  if (known !== undefined) return known;
  const [, last] = /(?:^|[^A-Za-z_])(not|if)$/.exec(before.trimEnd().slice(-LONGEST_LAST)) ?? [];
  if (last === 'not') return 'CEL writes `!x`';
  if (last === 'if') return 'CEL writes `condition ? one : other`';
  return undefined;
}

const TEMPLATE_HELP = 'CEL has no `{{ … }}`: write the expression without';

const PAIRS: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** A bracket without the one that it belongs to. Texts and comments are passed over. */
function unbalancedHelp(expression: string): string | undefined {
  const plain = expression.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*/g, '');
  const open: string[] = [];
  for (const character of plain) {
    if ('([{'.includes(character)) open.push(character);
    const opener = PAIRS.get(character);
    if (opener !== undefined && open.pop() !== opener) return `there is no \`${opener}\` for this \`${character}\``;
  }
  const last = open.at(-1);
  return last === undefined ? undefined : `a \`${last}\` is opened and not closed`;
}
