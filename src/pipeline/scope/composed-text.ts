// Whether a text may put a field's value together, so that the value stands nowhere: in templates, with variables, by patches.

/** What templates, Flux and kustomize put values in place of; an alias stands for what is elsewhere in the text. */
const MARK = /\{\{|\}\}|\$\{|\$\(/;
/** Where no template begins, what ends one ends two maps. */
const MARK_OUTSIDE_TEMPLATES = /\$\{|\$\(/;
const ALIAS = /:[ \t]*\*/;
/** The value may follow on the next line. */
const OPEN_END = /:[ \t]*(?:[|>][-+0-9]*)?[ \t]*(?:#.*)?$/;
/** What the release says of itself is known before anything is rendered. */
const RELEASE_NAMESPACE = /\{\{-?[ \t]*\$?\.Release\.Namespace[ \t]*(?:\|[ \t]*quote[ \t]*)?-?\}\}/g;
/** A patch that makes an object another one. */
const PATCHED_KIND = /["' \t]\/(?:kind|apiVersion)["',} \t\r\n]|allowKindChange/;
/** A template that takes whole objects from elsewhere. */
const TAKES_FILES = /\{\{[^}\r\n]{0,200}\.Files\./;

/** True if a line about the field has what something else is put in place of; linear in the text, whatever it is. */
export function hasComposed(text: string, field: string): boolean {
  if (!text.includes(field)) return false;
  const mark = text.includes('{{') ? MARK : MARK_OUTSIDE_TEMPLATES;
  const hasMarks = mark.test(text);
  if (!hasMarks && !ALIAS.test(text)) return false;
  let isOpen = false;
  for (const line of text.split(/[\r\n\u0085\u2028\u2029]+/)) {
    const isAbout = line.includes(field);
    if ((isAbout && (ALIAS.test(line) || mark.test(line))) || (isOpen && mark.test(line))) return true;
    isOpen = isAbout && OPEN_END.test(line);
  }
  return false;
}

export function hasComposedKind(text: string): boolean {
  if (PATCHED_KIND.test(text) || replacesFields(text)) return true;
  return hasComposed(text, 'kind') || (TAKES_FILES.test(text) && !text.includes('kind:'));
}

export function hasComposedNamespace(text: string): boolean {
  if (replacesFields(text)) return true;
  return hasComposed(text.includes('.Release.Namespace') ? text.replace(RELEASE_NAMESPACE, '') : text, 'namespace');
}

/** kustomize's replacements, which may cut a value and put it together. */
export function replacesFields(text: string): boolean {
  return text.includes('fieldPaths');
}
