// Names of the formats of `preadmit mutate`. Help pages import only these names, not the code that writes the formats.

export const MUTATION_FORMATS = ['yaml', 'json', 'diff', 'json-patch'] as const;

export type MutationFormat = (typeof MUTATION_FORMATS)[number];
