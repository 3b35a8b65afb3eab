// Translates JMESPath queries in Kyverno's variables to CEL, for common forms only. A missing value is an error in both languages.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { parseQuery } from '../jmespath/parser.ts';
import { QueryError } from '../jmespath/query-error.ts';
import type { SyntaxNode } from '../jmespath/syntax.ts';
import { findVariables } from '../variables/find-variables.ts';
import {
  allOf,
  anyOf,
  atom,
  type CelText,
  listText,
  member,
  notCel,
  operand,
  optionalMember,
  quoted,
  relation,
  ternary,
} from './cel-text.ts';
import type { FieldForm, FormPath, ObjectTypes } from './object-types.ts';
import { elementName } from './pattern-to-cel.ts';
import { Untranslatable } from './untranslatable.ts';

export interface QueryScope {
  /** `request.object`; `pod` is the object with `spec` and `metadata` of the Pod, if they are in a template. */
  readonly object: string;
  readonly pod: string | undefined;
  /** Undefined if the rule must not use it. */
  readonly oldObject: string | undefined;
  readonly element?: { readonly value: string; readonly path: FormPath | undefined };
  readonly types: ObjectTypes;
}

export interface QueryText {
  /** An error if a value is missing. */
  readonly value: CelText;
  /** The same as an optional value. Absent if nothing can be missing. */
  readonly optional?: string;
  readonly form: FieldForm;
  /** Form of a list's elements. */
  readonly elements: FieldForm;
  /** Path in an object whose types may be known. */
  readonly path?: FormPath;
  /** A list of lists that represents all their elements. `elements` is the form of those. */
  readonly isNested?: true;
  /** Form of the inner elements, if the elements are lists. */
  readonly inner?: FieldForm;
}

/** A value of a policy: a literal, a string with variables, or a single variable, which keeps its type. */
export function valueToCel(value: JsonValue, scope: QueryScope): QueryText {
  if (typeof value !== 'string') return literal(value, scope);
  const variables = findVariables(value);
  if (variables.length === 0) return plain(atom(quoted(value.replaceAll('\\{{', '{{'))), 'text');
  const [only] = variables;
  if (variables.length === 1 && only === value) return queryToCel(queryOf(value), scope);
  if (isNestedVariable(value, variables)) throw new Untranslatable('a variable inside a variable');
  return plain(relation(textParts(value, scope)), 'text');
}

export function textToCel(text: string, scope: QueryScope): CelText {
  const variables = findVariables(text);
  if (isNestedVariable(text, variables)) throw new Untranslatable('a variable inside a variable');
  return variables.length === 0 ? atom(quoted(text)) : relation(textParts(text, scope));
}

function isNestedVariable(text: string, variables: readonly string[]): boolean {
  const rest = variables.reduce((left, found) => left.replace(found.slice(found.indexOf('{{')), ''), text);
  return rest.replaceAll('\\{{', '').includes('{{');
}

function textParts(text: string, scope: QueryScope): string {
  const parts: string[] = [];
  let rest = text;
  for (const found of findVariables(text)) {
    const start = found.indexOf('{{');
    const written = found.slice(start);
    const at = rest.indexOf(written);
    if (at > 0) parts.push(quoted(rest.slice(0, at)));
    const { value, form } = queryToCel(queryOf(written), scope);
    if (form === 'list' || form === 'map')
      throw new Untranslatable(`\`${written}\` inside a string: Kyverno writes a ${form} as JSON`);
    parts.push(form === 'text' ? operand(value) : `string(${value.text})`);
    rest = rest.slice(at + written.length);
  }
  if (rest !== '') parts.push(quoted(rest));
  return parts.join(' + ');
}

function queryOf(written: string): string {
  const inner = written.slice(written.indexOf('{{') + 2, -2).trim();
  if (inner.startsWith('-') || inner.includes('{{')) throw new Untranslatable(`\`${written}\``);
  return inner;
}

function plain(value: CelText, form: FieldForm, elements: FieldForm = 'any'): QueryText {
  return { value, form, elements };
}

function literal(value: JsonValue, scope: QueryScope): QueryText {
  if (value === null) return plain(atom('null'), 'any');
  if (typeof value === 'string') return plain(atom(quoted(value)), 'text');
  if (typeof value === 'boolean') return plain(atom(String(value)), 'boolean');
  if (typeof value === 'bigint') return plain(atom(String(value)), 'integer');
  if (typeof value === 'number') return plain(atom(Number.isInteger(value) ? String(value) : `${value}`), 'double');
  if (isJsonArray(value)) {
    const items = value.map((item) => valueToCel(item, scope));
    const forms = new Set(items.map(({ form }) => form));
    const [form = 'any'] = forms;
    return plain(atom(listText(items.map((item) => item.value.text))), 'list', forms.size === 1 ? form : 'any');
  }
  if (isJsonObject(value) && value.size === 0) return plain(atom('{}'), 'map');
  throw new Untranslatable('a value that is an object');
}

export function queryToCel(query: string, scope: QueryScope): QueryText {
  const node = parseQuery(query);
  if (node instanceof QueryError) throw new Untranslatable(`the query \`${query}\`: ${node.message}`);
  return new QueryWriter(query, scope).root(node);
}

/** A location in an object, with its type if known. */
interface Place {
  readonly strict: string;
  readonly optional: string;
  /** Undefined if the schema is unknown. */
  readonly path: FormPath | undefined;
  /** Fields of the request itself always exist. */
  readonly isThere: boolean;
  /** For computed values. */
  readonly computed?: Pick<QueryText, 'form' | 'elements'>;
}

class QueryWriter {
  readonly #query: string;
  readonly #scope: QueryScope;
  #depth = 0;

  constructor(query: string, scope: QueryScope) {
    this.#query = query;
    this.#scope = scope;
  }

  root(node: SyntaxNode): QueryText {
    return this.#value(node, undefined);
  }

  #fail(what: string): never {
    throw new Untranslatable(`${what} in \`{{ ${this.#query} }}\``);
  }

  #value(node: SyntaxNode, current: Place | undefined): QueryText {
    const place = this.#place(node, current);
    if (place !== undefined) return this.#read(place);
    switch (node.kind) {
      case 'literal':
        return literal(node.value, this.#scope);
      case 'or':
        return this.#or(this.#value(node.left, current), this.#value(node.right, current));
      case 'and':
      case 'comparator':
      case 'not':
        return plain(this.#condition(node, current), 'boolean');
      case 'call':
        return this.#call(node.name ?? '', node.operands, current);
      case 'pipe': {
        const { value, optional, form, elements, path: of } = this.#value(node.left, current);
        const text = operand(value);
        const isThere = optional === undefined;
        const left: Place = {
          strict: text,
          optional: optional ?? text,
          path: of,
          isThere,
          computed: { form, elements },
        };
        return this.#value(node.right, left);
      }
      case 'subexpression': {
        const left = this.#place(node.left, current);
        if (left === undefined || node.right.kind !== 'call')
          return this.#fail('`.` after an expression other than a field');
        const called = this.#call(node.right.name ?? '', node.right.operands, left);
        if (left.isThere) return called;
        const inside = this.#call(node.right.name ?? '', node.right.operands, {
          ...left,
          strict: 'value',
          isThere: true,
        });
        return { ...called, optional: `${left.optional}.optMap(value, ${inside.value.text})` };
      }
      case 'projection':
      case 'filter':
        return this.#projection(node, current);
      case 'list':
        return this.#listOf(node.operands, current);
      case 'flatten':
        return this.#flattened(node.operand, current);
      case 'valueProjection':
        return this.#fail('a projection of object values, whose order is undefined,');
      default:
        return this.#fail(`\`${node.kind}\``);
    }
  }

  #read({ strict, optional, path, isThere, computed }: Place): QueryText {
    if (computed !== undefined)
      return { value: atom(strict), ...computed, ...(!isThere && { optional }), ...(path && { path }) };
    const form = path === undefined ? 'any' : this.#scope.types.form(path);
    const elements = path === undefined ? 'any' : this.#scope.types.form([...path, '*']);
    return { value: atom(strict), form, elements, ...(!isThere && { optional }), ...(path && { path }) };
  }

  /** Undefined if the node is not a plain path. */
  #place(node: SyntaxNode, current: Place | undefined): Place | undefined {
    switch (node.kind) {
      case 'field':
        return current === undefined ? this.#rootPlace([node.name]) : below(current, node.name);
      case 'current':
      case 'identity':
        return current;
      case 'subexpression': {
        const names = current === undefined ? fieldNames(node) : undefined;
        const rooted = names && this.#rootPlace(names);
        if (rooted !== undefined) return rooted;
        const left = this.#place(node.left, current);
        return left && this.#place(node.right, left);
      }
      case 'indexExpression': {
        const left = this.#place(node.left, current);
        if (left === undefined || node.right.kind !== 'index' || node.right.index < 0) return undefined;
        const { index } = node.right;
        const path = left.path && [...left.path, '*'];
        return { strict: `${left.strict}[${index}]`, optional: `${left.optional}[?${index}]`, path, isThere: false };
      }
      default:
        return undefined;
    }
  }

  /** The CEL expression for the first names of a query. */
  #rootPlace(names: readonly string[]): Place | undefined {
    const [first, second, third] = names;
    const { object, pod, oldObject, element } = this.#scope;
    if (first === 'element' && element !== undefined) {
      const start = { strict: element.value, optional: element.value, path: element.path, isThere: true };
      return names.slice(1).reduce(below, start);
    }
    if (first !== 'request') {
      return this.#fail(first === undefined ? 'nothing' : `\`${first}\`, which only Kyverno defines,`);
    }
    if (second === undefined) return undefined;
    if (second === 'object') {
      const isOfPod = pod !== undefined && (third === 'spec' || third === 'metadata');
      if (pod !== undefined && !isOfPod && third !== undefined && third !== 'kind' && third !== 'apiVersion') {
        return this.#fail('a field that Pod templates do not have');
      }
      if (pod !== undefined && third === undefined) return this.#fail('the object as a whole');
      const value = isOfPod ? pod : object;
      const path = pod !== undefined && !isOfPod ? undefined : [];
      return names.slice(2).reduce(below, { strict: value, optional: value, path, isThere: true });
    }
    if (second === 'oldObject') {
      if (pod !== undefined) return this.#fail('the old object of a rule for Pods');
      if (oldObject === undefined) this.#fail('the old object, because updates may keep existing violations,');
      return names
        .slice(2)
        .reduce(below, { strict: oldObject as string, optional: oldObject as string, path: [], isThere: true });
    }
    if (!REQUEST_FIELDS.has(second)) return this.#fail(`\`request.${second}\``);
    const start = { strict: `request.${second}`, optional: `request.${second}`, path: undefined, isThere: true };
    return names.slice(2).reduce(below, start);
  }

  /** The right side if the left is missing, empty, zero or false. */
  #or(left: QueryText, right: QueryText): QueryText {
    const { optional } = left;
    const form =
      left.form === right.form || right.form === 'any' ? left.form : left.form === 'any' ? right.form : 'any';
    const elements = left.elements === 'any' ? right.elements : left.elements;
    const isEmpty = EMPTY.has(right.value.text);
    if (optional === undefined) {
      if (isEmpty || left.form === 'integer') return { ...left };
      if (left.form === 'text' || left.value.text === 'request.operation') return plain(left.value, 'text');
      return this.#fail('`||` after a value that always exists');
    }
    const filled = atom(`${optional}.orValue(${right.value.text})`);
    if (isEmpty) return { ...plain(filled, form, elements), ...(left.path && { path: left.path }) };
    const empty = left.form === 'list' ? '[]' : left.form === 'map' ? '{}' : left.form === 'boolean' ? 'false' : "''";
    const isFilled = relation(`${optional}.orValue(${empty}) != ${empty}`);
    if (left.form === 'integer') return plain(filled, form, elements);
    return plain(ternary(isFilled, left.value, right.value), form, elements);
  }

  #call(name: string, operands: readonly SyntaxNode[], current: Place | undefined): QueryText {
    const values = operands.map((each) => this.#value(each, current));
    const [first, second] = values;
    if (first === undefined || values.some(({ isNested }) => isNested && name !== 'contains'))
      return this.#fail(`\`${name}()\``);
    const text = (value: QueryText): string =>
      value.form === 'text' ? operand(value.value) : `string(${value.value.text})`;
    switch (name) {
      case 'length':
        return plain(atom(`size(${first.value.text})`), 'integer');
      case 'to_string':
        if (first.form === 'list' || first.form === 'map') return this.#fail('`to_string()` of a list or an object');
        return plain(atom(text(first)), 'text');
      case 'to_upper':
      case 'to_lower':
        return plain(atom(`${text(first)}.${name === 'to_upper' ? 'upperAscii' : 'lowerAscii'}()`), 'text');
      case 'starts_with':
      case 'ends_with':
        if (second === undefined) break;
        return plain(
          atom(`${text(first)}.${name === 'starts_with' ? 'startsWith' : 'endsWith'}(${text(second)})`),
          'boolean',
        );
      case 'contains':
        if (second === undefined) break;
        if (first.form === 'text') return plain(atom(`${operand(first.value)}.contains(${text(second)})`), 'boolean');
        if (first.isNested) {
          return plain(atom(`${operand(first.value)}.exists(list, ${operand(second.value)} in list)`), 'boolean');
        }
        if (first.form === 'list')
          return plain(relation(`${operand(second.value)} in ${operand(first.value)}`), 'boolean');
        return this.#fail('`contains()` of a value that may be a string or a list');
      case 'regex_match':
        if (second === undefined) break;
        return plain(atom(`${text(second)}.matches(${text(first)})`), 'boolean');
      case 'keys':
        if (first.form !== 'map') break;
        return plain(atom(`${operand(first.value)}.map(key, key)`), 'list', 'text');
    }
    return this.#fail(`\`${name}()\``);
  }

  #projection(node: Extract<SyntaxNode, { readonly left: SyntaxNode }>, current: Place | undefined): QueryText {
    const nested = this.#nested(node, current);
    if (nested !== undefined) return nested;
    const { list, path } = this.#listAndPath(node.left, current);
    const name = elementName(path?.at(-1) ?? '', list, ++this.#depth);
    const item: Place = { strict: name, optional: name, path: path && [...path, '*'], isThere: true };
    const condition =
      'condition' in node && node.condition !== undefined ? this.#condition(node.condition, item) : undefined;
    const filtered = condition === undefined ? list : `${list}.filter(${name}, ${condition.text})`;
    if (node.right.kind === 'identity' || node.right.kind === 'current') {
      const elements = item.path === undefined ? 'any' : this.#scope.types.form(item.path);
      return { ...plain(atom(filtered), 'list', elements), ...(path && { path }) };
    }
    const right = this.#value(node.right, item);
    if (right.isNested) this.#fail('lists nested more than twice');
    const elements = right.form;
    const there = right.optional === undefined ? filtered : `${filtered}.filter(${name}, ${right.optional}.hasValue())`;
    const mapped = plain(atom(`${there}.map(${name}, ${right.value.text})`), 'list', elements);
    return elements === 'list' ? { ...mapped, inner: right.elements } : mapped;
  }

  /** `containers[].ports[]`: lists inside list elements. CEL cannot concatenate them. */
  #nested(node: Extract<SyntaxNode, { readonly left: SyntaxNode }>, current: Place | undefined): QueryText | undefined {
    const { left, right } = node;
    if (left.kind !== 'flatten' || left.operand.kind !== 'projection') return undefined;
    const lists = this.#value(left.operand, current);
    if (lists.form !== 'list' || lists.elements === 'text' || lists.elements === 'integer') return undefined;
    if (lists.isNested || right.kind !== 'identity' || lists.elements === 'map')
      return this.#fail('lists nested more than twice');
    const { inner = 'any', value, form } = lists;
    return { value, form, elements: inner, isNested: true };
  }

  /** The list on the left of a projection. Empty if it does not exist. */
  #listAndPath(
    node: SyntaxNode,
    current: Place | undefined,
  ): { readonly list: string; readonly path: FormPath | undefined } {
    if (node.kind === 'flatten') {
      if (node.operand.kind === 'list') {
        const flat = this.#flattened(node.operand, current);
        return { list: operand(flat.value), path: this.#pathOfFirst(node.operand.operands, current) };
      }
      return this.#listAndPath(node.operand, current);
    }
    const place = this.#place(node, current);
    if (place !== undefined) {
      const { form } = this.#read(place);
      if (form !== 'list' && form !== 'any') return this.#fail('a projection of a value that is not a list');
      const list = place.isThere ? place.strict : `${place.optional}.orValue([])`;
      return { list, path: place.path };
    }
    if (node.kind === 'subexpression' && node.right.kind === 'list') {
      const left = this.#place(node.left, current);
      if (left !== undefined) {
        const flat = this.#flattened(node.right, left);
        return { list: operand(flat.value), path: this.#pathOfFirst(node.right.operands, left) };
      }
    }
    const value = this.#value(node, current);
    if (value.form !== 'list') return this.#fail('a projection of a value that may not be a list');
    return { list: operand(value.value), path: undefined };
  }

  #pathOfFirst(operands: readonly SyntaxNode[], current: Place | undefined): FormPath | undefined {
    const [first] = operands;
    return first && this.#place(first, current)?.path;
  }

  /** Concatenates lists and skips missing ones. */
  #flattened(node: SyntaxNode, current: Place | undefined): QueryText {
    if (node.kind !== 'list') return this.#fail('`[]`');
    const lists = node.operands.map((each) => {
      const place = this.#place(each, current);
      if (place === undefined) return this.#fail('a list of expressions other than fields');
      if (place.path !== undefined && this.#scope.types.form(place.path) === 'text') return `[${place.strict}]`;
      return place.isThere ? place.strict : `${place.optional}.orValue([])`;
    });
    return plain(atom(`(${lists.join(' + ')})`), 'list');
  }

  #listOf(operands: readonly SyntaxNode[], current: Place | undefined): QueryText {
    const values = operands.map((each) => this.#value(each, current));
    if (values.some(({ optional }) => optional !== undefined))
      return this.#fail('a list of values that may be missing');
    return plain(atom(listText(values.map(({ value }) => value.text))), 'list');
  }

  #condition(node: SyntaxNode, current: Place | undefined): CelText {
    switch (node.kind) {
      case 'and':
        return allOf(this.#condition(node.left, current), this.#condition(node.right, current));
      case 'or':
        return anyOf(this.#condition(node.left, current), this.#condition(node.right, current));
      case 'not':
        return notCel(this.#condition(node.operand, current));
      case 'comparator': {
        const [left, right] = [this.#value(node.left, current), this.#value(node.right, current)];
        const compared = relation(`${operand(left.value)} ${node.operator} ${operand(right.value)}`);
        if (right.optional !== undefined) return this.#fail('a comparison with a value that may be missing');
        if (left.optional === undefined) return compared;
        const isThere = atom(`${left.optional}.hasValue()`);
        return node.operator === '!=' ? anyOf(notCel(isThere), compared) : allOf(isThere, compared);
      }
      case 'call': {
        const value = this.#call(node.name ?? '', node.operands, current);
        return value.form === 'boolean' ? value.value : this.#fail(`\`${node.name}()\` as a condition`);
      }
      default: {
        const place = this.#place(node, current);
        if (place === undefined) return this.#fail(`\`${node.kind}\` as a condition`);
        const { form, optional, value } = this.#read(place);
        if (form === 'boolean') return optional === undefined ? value : atom(`${optional}.orValue(false)`);
        if (form === 'text')
          return relation(`${optional ?? value.text}${optional === undefined ? '' : ".orValue('')"} != ''`);
        if (form === 'list')
          return relation(`size(${optional === undefined ? value.text : `${optional}.orValue([])`}) > 0`);
        return this.#fail('a field as a condition');
      }
    }
  }
}

const REQUEST_FIELDS: ReadonlySet<string> = new Set(['operation', 'namespace', 'name', 'kind', 'userInfo', 'dryRun']);
const EMPTY: ReadonlySet<string> = new Set(["''", '[]', '{}', 'false', 'null', '0']);

function below(place: Place, name: string): Place {
  const isRequest = place.path === undefined && place.isThere && /^request\.\w+$/.test(place.strict);
  return {
    strict: member(place.strict, name),
    optional: optionalMember(place.optional, name),
    path: place.path && [...place.path, name],
    isThere: isRequest && name !== 'groups',
  };
}

/** `request.object.spec` as names. Undefined if the node contains anything else. */
function fieldNames(node: SyntaxNode): readonly string[] | undefined {
  if (node.kind === 'field') return [node.name];
  if (node.kind !== 'subexpression') return undefined;
  const left = fieldNames(node.left);
  const right = fieldNames(node.right);
  return left && right && [...left, ...right];
}
