// Compiles JMESPath queries in Kyverno's dialect and evaluates them on documents.
import type { JsonValue } from '../../../source/json/json.ts';
import { FUNCTIONS } from './functions/functions.ts';
import { Interpreter } from './interpreter.ts';
import type { Origin } from './origin.ts';
import { parseQuery } from './parser.ts';
import { PartialObject } from './partial-object.ts';
import { QueryError } from './query-error.ts';
import type { SearchEnvironment } from './search-environment.ts';
import { SearchError } from './search-error.ts';
import { ExpressionReference, type SearchValue } from './search-value.ts';
import type { SyntaxNode } from './syntax.ts';

/** A compiled query. Holds no reference to the documents it searches. */
export class Query {
  readonly text: string;
  readonly root: SyntaxNode;

  constructor(text: string, root: SyntaxNode) {
    this.text = text;
    this.root = root;
  }

  /**
   * Returns the value; a list from `items` stays an `ObjectList`. Numbers have Go's types: `number` is float64,
   * `bigint` is int64, which most functions reject. `asDoubles` converts an admission document. `origin` is the source
   * of the document's members; only observers need it.
   */
  search(document: JsonValue, environment: SearchEnvironment, origin?: Origin): JsonValue | SearchError {
    try {
      return asJson(new Interpreter(environment, FUNCTIONS).search(this.root, document, origin));
    } catch (error) {
      if (error instanceof SearchError) return error;
      throw error;
    }
  }
}

/** An expression reference becomes an empty object. */
function asJson(value: SearchValue): JsonValue | SearchError {
  if (value instanceof PartialObject) return value.unknown;
  return value instanceof ExpressionReference ? new Map() : value;
}

/** Pure. Callers cache the result. */
export function compileQuery(text: string): Query | QueryError {
  const root = parseQuery(text);
  return root instanceof QueryError ? root : new Query(text, root);
}
