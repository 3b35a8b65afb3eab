// `metadata` of objects and templates (apimachinery `pkg/api/validation/objectmeta.go`).
import { isLabel } from './formats.ts';
import { annotations, labels } from './labels.ts';
import { anyText, longCount, type PlainRule, structOf, textThat } from './rule.ts';

/** Prefixes of annotations that the server reads, converts or warns about. */
const READ_PREFIXES = [
  'autoscaling.alpha.kubernetes.io/',
  'batch.kubernetes.io/',
  'container.apparmor.security.beta.kubernetes.io/',
  'container.seccomp.security.alpha.kubernetes.io/',
  'controller.kubernetes.io/pod-deletion-cost',
  'deprecated.',
  'kubernetes.io/config.',
  'kubernetes.io/enforce-mountable-secrets',
  'kubernetes.io/ingress.class',
  'pod.alpha.kubernetes.io/',
  'pod.beta.kubernetes.io/',
  'scheduler.alpha.kubernetes.io/',
  'seccomp.security.alpha.kubernetes.io/',
  'security.alpha.kubernetes.io/',
  'service.alpha.kubernetes.io/',
  'service.beta.kubernetes.io/load-balancer-source-ranges',
  'service.kubernetes.io/topology-',
  'volume.alpha.kubernetes.io/',
  'volume.beta.kubernetes.io/',
];

function isPlain(key: string): boolean {
  return !READ_PREFIXES.some((prefix) => key.startsWith(prefix));
}

const plainAnnotations = annotations(isPlain);

/** Set by the server; a real time stamp, or Go cannot read it. */
const time = textThat((value) => /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T[01]\d:[0-5]\d:[0-5]\dZ$/.test(value));

const FIELDS = { labels, annotations: plainAnnotations, creationTimestamp: time };

/** Of a Pod template or a job template. Its name is not validated. */
export const templateMetadata = structOf({ ...FIELDS, name: anyText, namespace: anyText });

export interface MetadataRules {
  readonly isNamespaced: boolean;
  /** Accepts an annotation that `plainAnnotations` does not. */
  readonly isKnownAnnotation?: (key: string, value: string) => boolean;
  readonly finalizers?: PlainRule;
}

const namespace = textThat((value) => value === '' || isLabel(value));

/** `name` is the format of the kind's names. `generateName`, owners and other finalizers are not proven. */
export function metadata(name: (value: string) => boolean, rules: MetadataRules): PlainRule {
  const { isNamespaced, isKnownAnnotation, finalizers } = rules;
  return structOf(
    {
      ...FIELDS,
      name: textThat(name),
      uid: anyText,
      generation: longCount,
      ...(isNamespaced && { namespace }),
      ...(finalizers !== undefined && { finalizers }),
      ...(isKnownAnnotation !== undefined && {
        annotations: annotations((key, value) => isPlain(key) || isKnownAnnotation(key, value)),
      }),
    },
    'name',
  );
}
