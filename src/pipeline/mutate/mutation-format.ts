// The names of the formats of `preadmit mutate`, apart from what writes them: help pages need the names alone.

export const MUTATION_FORMATS = ['yaml', 'json', 'diff', 'json-patch'] as const;

export type MutationFormat = (typeof MUTATION_FORMATS)[number];
