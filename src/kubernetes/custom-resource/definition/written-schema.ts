// A schema of a definition while it is checked, and what the schemas around it mean for it.
import type { JsonObject } from '../../../source/json/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { ServerPath } from '../server-path.ts';
import type { RulePlace } from './rule-cardinality.ts';

/** A schema as it is written and as it was read. */
export interface WrittenSchema {
  readonly json: JsonObject;
  readonly schema: Schema;
}

/** What holds for a schema because of those around it. */
export interface SchemaContext {
  readonly isRoot: boolean;
  /** Within apiVersion, kind or metadata of a resource. */
  readonly isMeta: boolean;
  /** Why there may be no default; undefined if there may. */
  readonly defaultsForbidden: string | undefined;
  /** The outermost schema around whose parts cannot be found again after an update. */
  readonly uncorrelated: ServerPath | undefined;
  /** Undefined where rules are not looked at. */
  readonly place: RulePlace | undefined;
}
