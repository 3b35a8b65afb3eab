// How the server handles unknown and duplicate fields.

/** The query parameter `fieldValidation`. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';
