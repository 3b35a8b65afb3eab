// Tests of the CEL specification that cel-go with Kubernetes' configuration fails too.

const REASONS: Readonly<Record<string, readonly string[]>> = {
  'with constants folded, as Kubernetes has it, the bad key is an error of the program, which `||` and `&&` cannot absorb':
    ['fields/map_fields/map_bad_key_type_or_true', 'fields/map_fields/map_bad_key_type_and_false'],
  'a field of a scalar behind an optional is absent unless `EnableErrorOnBadPresenceTest` is on, which it is not in Kubernetes':
    ['optionals/optionals/map_null_entry_no_such_key', 'optionals/optionals/map_present_key_invalid_field'],
  'cel-go 0.26 deduces null_type': [
    'type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate',
  ],
};

/** Reasons by test id. */
export const SPEC_SKIPS: ReadonlyMap<string, string> = new Map(
  Object.entries(REASONS).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
);
