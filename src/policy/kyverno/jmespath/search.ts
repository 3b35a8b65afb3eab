// Compiles JMESPath queries as Kyverno understands them, and searches documents with them.
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

/** A compiled query; it keeps nothing of the documents it searches. */
export class Query {
  readonly text: string;
  readonly root: SyntaxNode;

  constructor(text: string, root: SyntaxNode) {
    this.text = text;
    this.root = root;
  }

  /**
   * The value found, a list from `items` still an `ObjectList`. Numbers count as Go's: a `number` is a float64, a `bigint`
   * an int64, which most functions refuse; `asDoubles` makes a document of admission. `origin` tells where the document's members
   * come from and only matters to an observer.
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

/** A reference to an expression is written as an empty object. */
function asJson(value: SearchValue): JsonValue | SearchError {
  if (value instanceof PartialObject) return value.unknown;
  return value instanceof ExpressionReference ? new Map() : value;
}

/** Pure; callers keep what they compile. */
export function compileQuery(text: string): Query | QueryError {
  const root = parseQuery(text);
  return root instanceof QueryError ? root : new Query(text, root);
}
