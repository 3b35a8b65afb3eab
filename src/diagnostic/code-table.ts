// Every code a finding or diagnostic can have, with the sentence that explains it; each has a page in docs/codes.

export const CODES = {
  'failed-validation': 'a validation of a policy is false for this resource',
  'failed-evaluation': 'an expression of a policy cannot be evaluated on this resource, and failurePolicy decides',
  'misconfigured-policy': 'a policy matches this resource but cannot be configured for it, and failurePolicy decides',
  'undecided-rule': 'whether a rule of a policy fails depends on what the repository does not tell',
  'invalid-policy': 'the API server refuses this policy',
  'invalid-binding': 'the API server refuses this binding',
  'invalid-expression': 'an expression of a policy does not compile',
  'ill-typed-expression': 'an expression of a policy cannot work for a kind the policy is about',
  'unmatchable-rule': 'a rule that no request can match',
  'unused-variable': 'a variable that no expression reads',
  'shadowed-variable': 'a variable that another one of the same name hides',
  'needs-newer-kubernetes': 'an expression that only newer releases of Kubernetes accept',
  'unbound-policy': 'a policy without a binding has no effect',
  'dangling-binding': 'a binding names a policy that is not in the repository',
  'duplicate-policy': 'two policies or bindings have the same name',
  'unserved-kind': "a kind or version of Kubernetes' own groups that the target does not serve",
  'refused-object': 'the API server refuses this object before any policy sees it',
  'invalid-object': 'the API server refuses this object for what one of its fields says, before any policy sees it',
  'invalid-definition': 'the API server refuses this CustomResourceDefinition',
  'unknown-field': 'a field that the API server does not know',
  'duplicate-field': 'a field that is written twice',
  'does-not-parse': 'a manifest that is not valid YAML or JSON',
  'expired-baseline-entry': 'an entry of the baseline whose last day is over',
  'unused-baseline-entry': 'an entry of the baseline that no finding is left for',
  'invalid-suppression': 'a suppression without a policy, a reason or a proper day',
  'expired-suppression': 'a suppression whose last day is over',
  'unused-suppression': 'a suppression of something no policy says of the object',
  'suppression-of-the-change': 'a suppression in the very change that adds it',
  'suppression-not-allowed': 'a suppression in a repository that allows none',
  suppression: 'a suppression in use, where the configuration wants each reported',
  'not-compared': 'a change whose base cannot be read, so that nothing can be said of it',
  'configuration-does-not-parse': 'the configuration is not valid YAML',
  'configuration-repeated-key': 'a key of the configuration is written twice',
  'configuration-unknown-key': 'a key that the configuration does not have',
  'configuration-missing-key': 'a key that the configuration needs',
  'configuration-wrong-type': 'a value of the configuration of another type than expected',
  'configuration-wrong-value': 'a value of the configuration that has no meaning there',
  'configuration-too-large': 'a configuration larger than any person writes',
} as const satisfies Record<string, string>;

export type Code = keyof typeof CODES;

export function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}
