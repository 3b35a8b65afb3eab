// `format.named(…)`, `format.dns1123Label()` … and `validate` (apiserver `pkg/cel/library/format.go`, `pkg/cel/format.go`).
import { struct, type Type } from '../../../cel/check/type.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import type { NamePrice } from '../../../cel/declaration/price.ts';
import { estimatedSize } from '../../../cel/estimate/cost-model.ts';
import { scaled } from '../../../cel/estimate/range.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { PATTERN, TEXT } from '../../../cel/library/standard-prices.ts';
import { unhashable } from '../../../cel/value/keyed-map.ts';
import { type ErrorValue, OpaqueValue, Optional, type Value } from '../../../cel/value/value.ts';
import {
  NAMED_FORMATS,
  NAMED_FORMATS_1_34,
  NAMED_FORMATS_1_35,
  type NamedFormat,
  type NamedFormats,
} from '../named-format.ts';
import { declarationsOf, type FunctionRow } from './declaration.ts';
import { NOMINAL, patternCost } from './prices.ts';

const FORMAT_TYPE: Type = struct('kubernetes.NamedFormat');

export class FormatValue extends OpaqueValue {
  readonly type = FORMAT_TYPE;
  readonly format: NamedFormat;

  constructor(format: NamedFormat) {
    super();
    this.format = format;
  }

  override equals(other: Value): boolean | ErrorValue {
    return other instanceof FormatValue ? this.format.name === other.format.name : noSuchOverload();
  }

  override get goType(): string {
    return 'cel.Format';
  }

  override get identity(): never {
    throw unhashable(this.goType);
  }
}

/** Length limit of a named format's pattern. */
const MAX_PATTERN = 128;

const VALIDATION: NamePrice = {
  run: ([format, text]) =>
    format instanceof FormatValue && text !== undefined ? patternCost(text, format.format.regexSize) : undefined,
  estimate: ({ args: [text] }, model) => {
    const traversal = text && scaled(estimatedSize(text, model), TEXT);
    return traversal && { cost: scaled(traversal, MAX_PATTERN * PATTERN) };
  },
};

export const FORMAT_LIBRARY: Library = formatLibrary(NAMED_FORMATS);
export const FORMAT_LIBRARY_1_35: Library = formatLibrary(NAMED_FORMATS_1_35);
export const FORMAT_LIBRARY_1_34: Library = formatLibrary(NAMED_FORMATS_1_34);

function formatLibrary(formats: NamedFormats): Library {
  const values = new Map([...formats].map(([name, format]) => [name, new FormatValue(format)]));
  return {
    name: 'kubernetes.format',
    functions: declarationsOf([
      [
        'validate',
        'format-validate',
        'kubernetes.NamedFormat.validate(string) -> optional_type(list(string))',
        VALIDATION,
        ({ format }: FormatValue, text: string) => {
          const problems = format.validate(text);
          return problems.length === 0 ? Optional.none : Optional.of(problems);
        },
      ],
      [
        'format.named',
        'format-named',
        'format.named(string) -> optional_type(kubernetes.NamedFormat)',
        NOMINAL,
        (name: string) => {
          const value = values.get(name);
          return value === undefined ? Optional.none : Optional.of(value);
        },
      ],
      ...[...values].map(([key, value]): FunctionRow => {
        const name = `format.${key}`;
        return [name, name, `${name}() -> kubernetes.NamedFormat`, 'unit', () => value];
      }),
    ]),
  };
}
