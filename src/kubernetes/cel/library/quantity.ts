// `quantity(…)`, its arithmetic and comparisons (apiserver `pkg/cel/library/quantity.go`, `pkg/cel/quantity.go`).
import { struct, type Type } from '../../../cel/check/type.ts';
import type { Library } from '../../../cel/declaration/library.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../cel/value/value.ts';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../../quantity/quantity.ts';
import { type Amount, signOf, toApproximateDouble, toDecimal, toInt64 } from '../../quantity/quantity-amount.ts';
import { declarationsOf } from './declaration.ts';
import { NOMINAL, reading } from './prices.ts';

const QUANTITY_TYPE: Type = struct('kubernetes.Quantity');

/**
 * A quantity as the API server holds it, including its mutability. Comparing an int64 amount with a decimal one converts it to a decimal,
 * and sums of decimals share their number with the first operand. Expressions can observe both effects.
 */
export class QuantityValue extends OpaqueValue {
  readonly type = QUANTITY_TYPE;
  readonly #cell: { amount: Amount };
  readonly #rest: Pick<Quantity, 'format' | 'text'>;
  /** Upstream, results of `add` and `sub` are pointers, and as a left operand they equal nothing. */
  readonly #isResult: boolean;

  constructor(quantity: Quantity, isResult = false, cell = { amount: quantity.amount }) {
    super();
    this.#cell = cell;
    this.#rest = quantity;
    this.#isResult = isResult;
  }

  get quantity(): Quantity {
    const { format, text } = this.#rest;
    return text === undefined ? { amount: this.#cell.amount, format } : { amount: this.#cell.amount, format, text };
  }

  override equals(other: Value): boolean | ErrorValue {
    if (!(other instanceof QuantityValue) || other.#isResult) return noSuchOverload();
    return compareQuantities(this.quantity, other.quantity) === 0;
  }

  compareTo(other: QuantityValue): number {
    if (other.#cell.amount.form === 'decimal') this.#cell.amount = toDecimal(this.#cell.amount);
    return compareQuantities(this.quantity, other.quantity);
  }

  /** The sum or difference; `shared` also writes it into this quantity's own decimal. */
  combine(quantity: Quantity | undefined, shared: boolean): Value {
    if (quantity === undefined) return new ErrorValue('quantity has too many digits for an offline evaluation');
    if (!shared || this.#cell.amount.form !== 'decimal') return new QuantityValue(quantity, true);
    this.#cell.amount = quantity.amount;
    return new QuantityValue(quantity, true, this.#cell);
  }

  override get goType(): string {
    return this.#isResult ? '*cel.Quantity' : 'cel.Quantity';
  }

  override get unadaptable(): string {
    return `(*resource.Quantity)${formatQuantity(this.quantity)}`;
  }
}

const TEXT_PRICE = reading(1);

export const QUANTITY_LIBRARY: Library = quantityLibrary({ sharedSums: false });

/** Up to Kubernetes 1.36. */
export const QUANTITY_LIBRARY_WITH_SHARED_SUMS: Library = quantityLibrary({ sharedSums: true });

function quantityLibrary({ sharedSums }: { readonly sharedSums: boolean }): Library {
  const add = (a: QuantityValue, b: Quantity): Value => a.combine(addQuantities(a.quantity, b), sharedSums);
  const subtract = (a: QuantityValue, b: Quantity): Value => a.combine(subtractQuantities(a.quantity, b), sharedSums);
  return {
    name: 'kubernetes.quantity',
    functions: declarationsOf([
      ['quantity', 'string_to_quantity', 'quantity(string) -> kubernetes.Quantity', TEXT_PRICE, toQuantity],
      [
        'isQuantity',
        'is_quantity_string',
        'isQuantity(string) -> bool',
        TEXT_PRICE,
        (text: string) => toQuantity(text) instanceof QuantityValue,
      ],
      [
        'sign',
        'quantity_sign',
        'sign(kubernetes.Quantity) -> int',
        NOMINAL,
        ({ quantity }: QuantityValue) => BigInt(signOf(quantity.amount)),
      ],
      [
        'isGreaterThan',
        'quantity_is_greater_than',
        'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity) -> bool',
        NOMINAL,
        (a: QuantityValue, b: QuantityValue) => a.compareTo(b) > 0,
      ],
      [
        'isLessThan',
        'quantity_is_less_than',
        'kubernetes.Quantity.isLessThan(kubernetes.Quantity) -> bool',
        NOMINAL,
        (a: QuantityValue, b: QuantityValue) => a.compareTo(b) < 0,
      ],
      [
        'compareTo',
        'quantity_compare_to',
        'kubernetes.Quantity.compareTo(kubernetes.Quantity) -> int',
        NOMINAL,
        (a: QuantityValue, b: QuantityValue) => BigInt(a.compareTo(b)),
      ],
      [
        'asApproximateFloat',
        'quantity_get_float',
        'kubernetes.Quantity.asApproximateFloat() -> double',
        NOMINAL,
        ({ quantity }: QuantityValue) => toApproximateDouble(quantity.amount),
      ],
      [
        'asInteger',
        'quantity_get_int',
        'kubernetes.Quantity.asInteger() -> int',
        NOMINAL,
        ({ quantity }: QuantityValue) => toInt64(quantity.amount) ?? new ErrorValue('cannot convert value to integer'),
      ],
      [
        'isInteger',
        'quantity_is_integer',
        'kubernetes.Quantity.isInteger() -> bool',
        NOMINAL,
        ({ quantity }: QuantityValue) => toInt64(quantity.amount) !== undefined,
      ],
      [
        'add',
        'quantity_add',
        'kubernetes.Quantity.add(kubernetes.Quantity) -> kubernetes.Quantity',
        NOMINAL,
        (a: QuantityValue, b: QuantityValue) => add(a, b.quantity),
      ],
      [
        'add',
        'quantity_add_int',
        'kubernetes.Quantity.add(int) -> kubernetes.Quantity',
        NOMINAL,
        (a: QuantityValue, b: bigint) => add(a, wholeQuantity(b)),
      ],
      [
        'sub',
        'quantity_sub',
        'kubernetes.Quantity.sub(kubernetes.Quantity) -> kubernetes.Quantity',
        NOMINAL,
        (a: QuantityValue, b: QuantityValue) => subtract(a, b.quantity),
      ],
      [
        'sub',
        'quantity_sub_int',
        'kubernetes.Quantity.sub(int) -> kubernetes.Quantity',
        NOMINAL,
        (a: QuantityValue, b: bigint) => subtract(a, wholeQuantity(b)),
      ],
    ]),
  };
}

function toQuantity(text: string): Value {
  const quantity = parseQuantity(text);
  return 'error' in quantity ? new ErrorValue(quantity.error) : new QuantityValue(quantity);
}

function wholeQuantity(value: bigint): Quantity {
  return { amount: { form: 'int64', value, scale: 0 }, format: 'DecimalExponent' };
}
