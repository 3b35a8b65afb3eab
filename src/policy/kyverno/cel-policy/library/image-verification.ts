// `verifyImageSignatures`, `verifyAttestationSignatures`, `getImageData`, `extractPayload` (Kyverno `pkg/cel/libs/imageverify`).
import type { Library } from '../../../../cel/declaration/library.ts';
import { ErrorValue, type ListValue, type Value } from '../../../../cel/value/value.ts';
import { declarationsOf } from '../../../../kubernetes/cel/library/declaration.ts';
import type { CelSources, ImageVerification } from '../sources.ts';

/** `sources` returns those of the current evaluation. */
export function imageVerificationLibrary(sources: () => CelSources): Library {
  const verification = (): ImageVerification =>
    sources().verification ?? sources().unforeseeable('the registry data of images');
  const isAttestation = (name: string): boolean => verification().attestations.has(name);
  const unknownAttestation = (name: string): ErrorValue => new ErrorValue(`attestation not found in policy: ${name}`);
  return {
    name: 'kyverno.imageverify',
    functions: declarationsOf([
      [
        'verifyImageSignatures',
        'verify_image_signature_string_stringarray',
        'verifyImageSignatures(string, list(dyn)) -> int',
        'unit',
        (image: string, _attestors: ListValue): Value => {
          const isMatched = verification().matches(image);
          return typeof isMatched === 'boolean' && isMatched ? verification().ask(image) : isMatched || 0n;
        },
      ],
      [
        'verifyAttestationSignatures',
        'verify_image_attestations_string_string_stringarray',
        'verifyAttestationSignatures(string, string, list(dyn)) -> int',
        'unit',
        (image: string, attestation: string, _attestors: ListValue): Value => {
          const isMatched = verification().matches(image);
          if (isMatched instanceof ErrorValue) return isMatched;
          if (!isMatched) return 0n;
          return isAttestation(attestation) ? verification().ask(image) : unknownAttestation(attestation);
        },
      ],
      [
        'getImageData',
        'get_image_data_string',
        'getImageData(string) -> dyn',
        'unit',
        (image: string): Value => sources().imageData(image),
      ],
      [
        'extractPayload',
        'payload_string_string',
        'extractPayload(string, string) -> dyn',
        'unit',
        (image: string, attestation: string): Value =>
          isAttestation(attestation) ? verification().ask(image) : unknownAttestation(attestation),
      ],
    ]),
  };
}
