// Detects texts that may compose a field's value from templates, variables or patches, so that no file contains the value.

/** Placeholders of templates, Flux and kustomize, and YAML aliases. */
const MARK = /\{\{|\}\}|\$\{|\$\(/;
/** Without an opening template mark, `}}` closes two maps. */
const MARK_OUTSIDE_TEMPLATES = /\$\{|\$\(/;
const ALIAS = /:[ \t]*\*/;
/** The value may be on the next line. */
const OPEN_END = /:[ \t]*(?:[|>][-+0-9]*)?[ \t]*(?:#.*)?$/;
/** The namespace of a release is known before rendering. */
const RELEASE_NAMESPACE = /\{\{-?[ \t]*\$?\.Release\.Namespace[ \t]*(?:\|[ \t]*quote[ \t]*)?-?\}\}/g;
/** A patch that changes the kind of an object. */
const PATCHED_KIND = /["' \t]\/(?:kind|apiVersion)["',} \t\r\n]|allowKindChange/;
/** A template that reads whole objects from files. */
const TAKES_FILES = /\{\{[^}\r\n]{0,200}\.Files\./;

/** True if a line with the field contains a placeholder. Takes linear time for any text. */
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

/** True for kustomize replacements, which may cut and join values. */
export function replacesFields(text: string): boolean {
  return text.includes('fieldPaths');
}
