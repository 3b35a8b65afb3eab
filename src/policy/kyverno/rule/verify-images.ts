// Rules that verify image signatures. Digests are checked here; only a registry knows the signatures (`validate_image.go`).

import { isJsonObject, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { anyWildcardMatches } from '../value/wildcard.ts';
import { VariableError } from '../variables/variable-error.ts';
import type { PolicyContext } from './policy-context.ts';
import { answered, type RuleResponse, Undecided } from './rule-response.ts';

type ImageAnswer = Pick<RuleResponse, 'status' | 'message' | 'paths'>;

/** Undefined if the rule matches no image of the object. Throws `Undecided` if only a registry can answer. */
export function verifyImages(rule: JsonObject, context: PolicyContext): ImageAnswer | undefined {
  const kind = context.kind.kind;
  if (isJsonObject(rule.get('imageExtractors'))) {
    throw new Undecided(`whether the images that the rule finds in the ${kind} are signed as it requires`);
  }
  const images = imagesOf(context);
  const unsigned: string[] = [];
  const undigested: string[] = [];
  let isAsked = false;
  for (const entry of objectItems(rule.get('verifyImages'))) {
    for (const image of images.filter(({ reference }) => isAbout(entry, reference))) {
      isAsked = true;
      if (asksForSignatures(entry)) unsigned.push(image.reference);
      else if (image.digest === '' && entry.get('mutateDigest') !== false) undigested.push(image.reference);
      else if (image.digest === '' && entry.get('verifyDigest') !== false) {
        return { status: 'fail', message: `missing digest for ${image.reference}`, paths: [image.path] };
      } else if (entry.get('required') !== false && !isAnnotated(context)) {
        return { status: 'fail', message: `unverified image ${image.reference}`, paths: [image.path] };
      } else if (entry.get('required') !== false) unsigned.push(image.reference);
    }
  }
  if (!isAsked) return undefined;
  if (unsigned.length > 0) throw new Undecided(`whether ${listed(unsigned)} signed as the rule requires`);
  if (undigested.length > 0)
    throw new Undecided(`which digest a registry returns for ${[...new Set(undigested)].join(', ')}`);
  return { status: 'pass', message: 'image verified' };
}

function listed(references: readonly string[]): string {
  const distinct = [...new Set(references)];
  return distinct.length === 1 ? `the image ${distinct[0]} is` : `the images ${distinct.join(', ')} are`;
}

function isAbout(entry: JsonObject, reference: string): boolean {
  const references = [...textItems(entry.get('imageReferences')), textField(entry, 'image')];
  if (!anyWildcardMatches(references, reference)) return false;
  return !anyWildcardMatches(textItems(entry.get('skipImageReferences')), reference);
}

/** Includes the older fields, which Kyverno reads as attestors. */
function asksForSignatures(entry: JsonObject): boolean {
  const lists = ['attestors', 'attestations'].some((field) => objectItems(entry.get(field)).length > 0);
  return lists || ['key', 'roots', 'subject', 'issuer'].some((field) => textField(entry, field) !== '');
}

/** Kyverno annotates the object with the images that it has verified. */
function isAnnotated({ object }: PolicyContext): boolean {
  const metadata = objectOrEmpty(objectOrEmpty(object).get('metadata'));
  return objectOrEmpty(metadata.get('annotations')).has('kyverno.io/verify-images-scoped');
}

interface FoundImage {
  /** With registry, tag and digest. */
  readonly reference: string;
  readonly digest: string;
  readonly path: FieldPath;
}

/** Distinct references. */
function imagesOf({ json }: PolicyContext): readonly FoundImage[] {
  const lists = json.query('images');
  if (lists instanceof VariableError) {
    answered(lists);
    return [];
  }
  if (!isJsonObject(lists)) return [];
  const found = [...lists.values()].flatMap((list) => (isJsonObject(list) ? objectItems([...list.values()]) : []));
  const images = found.map((image): [string, FoundImage] => {
    const reference = textField(image, 'reference');
    const steps = textField(image, 'jsonPointer').split('/').slice(1);
    const path = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    return [reference, { reference, digest: textField(image, 'digest'), path }];
  });
  return [...new Map(images).values()];
}
