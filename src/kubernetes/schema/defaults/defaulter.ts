// Completes decoded objects with the API's defaults and with the effects of the internal version.
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { isServed } from '../minor-range.ts';
import type { Field, FieldType, Struct } from '../struct.ts';
import { StructWalk, type Visit } from '../struct-walk.ts';
import { isNil, isZero, type MutableObject } from '../typed-field.ts';
import { zeroStruct } from '../zero-value.ts';
import { CORE_DEFAULTS } from './core-defaults.ts';
import type { DefaultContext, DefaultFunctions } from './default-function.ts';
import { FIXED_VALUES } from './fixed-values.ts';
import { OTHER_DEFAULTS } from './other-defaults.ts';
import { POD_DEFAULTS } from './pod-defaults.ts';
import { roundResources } from './resource-list.ts';
import { ROUND_TRIP } from './round-trip.ts';
import { WORKLOAD_DEFAULTS } from './workload-defaults.ts';

/** If several functions apply to one struct, the earlier one runs first. */
const FUNCTIONS: readonly DefaultFunctions[] = [
  CORE_DEFAULTS,
  POD_DEFAULTS,
  WORKLOAD_DEFAULTS,
  OTHER_DEFAULTS,
  ROUND_TRIP,
];

/** RuntimeClasses have resource amounts, but no defaulting that rounds them. */
const UNDEFAULTED_PACKAGE = 'node/';

interface FixedValue {
  readonly field: Field;
  readonly text: string;
}

/** The defaults of one release, for one run. */
export class Defaulter {
  readonly #context: DefaultContext;
  readonly #fixedTexts: ReadonlyMap<string, readonly string[]>;
  readonly #walk: StructWalk;

  constructor(context: DefaultContext) {
    this.#context = context;
    this.#fixedTexts = new Map(FIXED_VALUES.map((line) => line.split(' ')).map(([name = '', ...rest]) => [name, rest]));
    this.#walk = new StructWalk({
      visitStruct: (struct) => this.#completionOf(struct),
      visitMap: (goName) => (goName === 'v1.ResourceList' ? roundResources : undefined),
    });
  }

  /**
   * Completes an object from `decodeTyped` in place. Parts that it shares with `completed`, at the same path, are
   * already complete and stay unchanged.
   */
  complete(object: MutableObject, struct: Struct, completed?: JsonObject): void {
    if (struct.name.startsWith(UNDEFAULTED_PACKAGE)) return;
    this.#walk.walk(object, struct, completed);
  }

  #completionOf(struct: Struct): Visit | undefined {
    const fixed = this.#fixedValues(struct);
    const functions = FUNCTIONS.flatMap((table) => table.get(struct.name) ?? []);
    if (fixed.length === 0 && functions.length === 0) return undefined;
    return (object) => {
      for (const { field, text } of fixed) {
        const isUnset = field.isPointer ? isNil(object, field.name) : isZero(object, field.name);
        if (isUnset) object.set(field.name, parseValue(text, field.type));
      }
      for (const complete of functions) complete(object, this.#context);
    };
  }

  /** Upstream's `+default` markers, from the table of structs, and the values in its defaulting functions. */
  #fixedValues(struct: Struct): readonly FixedValue[] {
    const texts = new Map<string, string>();
    for (const field of struct.fields.values()) if (field.default !== undefined) texts.set(field.name, field.default);
    for (const column of this.#fixedTexts.get(struct.name) ?? []) {
      const [, name = '', text = '', minors] = /^(\w+)=([^@]*)(?:@(.+))?$/.exec(column) ?? [];
      if (isServed(minors, this.#context.minor)) texts.set(name, text);
    }
    return [...texts].flatMap(([name, text]) => {
      const field = struct.fields.get(name);
      return field === undefined ? [] : [{ field, text }];
    });
  }
}

function parseValue(text: string, type: FieldType): JsonValue {
  switch (type.form) {
    case 'bool':
      return text === 'true';
    case 'integer':
      return BigInt(text);
    case 'struct':
      return zeroStruct(type.struct);
    case 'list':
      return text.slice(1, -1).split(',');
    case 'custom':
      return /^\d+$/.test(text) ? BigInt(text) : text;
    default:
      return text;
  }
}
