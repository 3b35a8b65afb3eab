// Booleans as Go reads them.

const TRUE_TEXTS: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE_TEXTS: readonly string[] = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

/** `strconv.ParseBool`; undefined for other texts. */
export function parseBool(text: string): boolean | undefined {
  if (TRUE_TEXTS.includes(text)) return true;
  return FALSE_TEXTS.includes(text) ? false : undefined;
}
