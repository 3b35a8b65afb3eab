// How a client wants its objects to be read.

/** The query parameter `fieldValidation`: what becomes of fields that the server does not know, and of fields written twice. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';
