// Overloads such as `int < double`, which an environment may exclude (cel-go `CrossTypeNumericComparisons`).

const COMPARISONS = ['less', 'less_equals', 'greater', 'greater_equals'];
const NUMBERS = ['int64', 'uint64', 'double'];

export const CROSS_TYPE_COMPARISONS: ReadonlySet<string> = new Set(
  COMPARISONS.flatMap((comparison) =>
    NUMBERS.flatMap((left) =>
      NUMBERS.filter((right) => right !== left).map((right) => `${comparison}_${left}_${right}`),
    ),
  ),
);
