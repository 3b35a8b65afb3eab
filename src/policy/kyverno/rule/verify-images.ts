// Rules that ask for signatures: which images they are about is in the text, whether those are signed only a registry knows.
import { isJsonObject, type JsonObject } from '../../../source/json.ts';
import { objectItems, textField, textItems } from '../../../source/json-field.ts';
import { VariableError } from '../variables/variable-error.ts';
import { anyWildcardMatches } from '../wildcard.ts';
import type { PolicyContext } from './policy-context.ts';
import { answered, Undecided } from './rule-response.ts';

/** Throws `Undecided` if the rule is about any image of the object. */
export function verifyImages(rule: JsonObject, context: PolicyContext): undefined {
  const kind = context.kind.kind;
  if (isJsonObject(rule.get('imageExtractors'))) {
    throw new Undecided(`whether the images that the rule finds in the ${kind} are signed as it asks`);
  }
  const images = imagesOf(context);
  const asked = images.filter((image) =>
    objectItems(rule.get('verifyImages')).some((entry) => {
      const references = [...textItems(entry.get('imageReferences')), textField(entry, 'image')];
      return (
        anyWildcardMatches(references, image) && !anyWildcardMatches(textItems(entry.get('skipImageReferences')), image)
      );
    }),
  );
  if (asked.length === 0) return undefined;
  const listed = asked.join(', ');
  const subject = asked.length === 1 ? `the image ${listed} is` : `the images ${listed} are`;
  throw new Undecided(`whether ${subject} signed as the rule asks`);
}

/** With registry, tag and digest, each once. */
function imagesOf({ json }: PolicyContext): readonly string[] {
  const lists = json.query('images');
  if (lists instanceof VariableError) {
    answered(lists);
    return [];
  }
  if (!isJsonObject(lists)) return [];
  const found = [...lists.values()].flatMap((list) => (isJsonObject(list) ? objectItems([...list.values()]) : []));
  return [...new Set(found.map((image) => textField(image, 'reference')))];
}
