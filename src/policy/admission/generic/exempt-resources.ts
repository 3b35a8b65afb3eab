// Resources that admission policies never apply to.

/**
 * Admission policies and bindings (apiserver `generic/plugin.go`), and authentication and authorization reviews
 * (`pkg/kubeapiserver/admission/exclusion/resources.go`), in any version.
 */
const EXEMPT: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'admissionregistration.k8s.io',
    [
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
    ],
  ],
  ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.k8s.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
]);

export function isExempt({ group, resource }: { readonly group: string; readonly resource: string }): boolean {
  return EXEMPT.get(group)?.includes(resource) ?? false;
}
