// Roles and their bindings (pkg/apis/rbac/validation).
import { isJsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { isPathSegment, isSubdomain } from './formats.ts';
import { anyUpdate, keepsFields, objectOf, type PlainKind } from './kind.ts';
import { selector } from './labels.ts';
import { metadata } from './metadata.ts';
import { anyText, filledText, list, oneOf, type PlainRule, structOf, textThat } from './rule.ts';

const GROUP = 'rbac.authorization.k8s.io';
const texts = list(anyText);

function length(value: JsonValue | undefined): number {
  return isJsonArray(value) ? value.length : 0;
}

function policyRule(isNamespaced: boolean): PlainRule {
  return structOf(
    { verbs: list(anyText, 1), apiGroups: texts, resources: texts, resourceNames: texts, nonResourceURLs: texts },
    'verbs',
    (rule) => {
      const [groups, resources] = [length(rule.get('apiGroups')), length(rule.get('resources'))];
      if (length(rule.get('nonResourceURLs')) === 0) return groups > 0 && resources > 0;
      return !isNamespaced && groups + resources + length(rule.get('resourceNames')) === 0;
    },
  );
}

const namespaced = metadata(isPathSegment, { isNamespaced: true });
const ofCluster = metadata(isPathSegment, { isNamespaced: false });

export const role: PlainKind = {
  rule: objectOf({ metadata: namespaced, rules: list(policyRule(true)) }),
  allowsUpdate: anyUpdate,
};

export const clusterRole: PlainKind = {
  rule: objectOf({
    metadata: ofCluster,
    rules: list(policyRule(false)),
    aggregationRule: structOf({ clusterRoleSelectors: list(selector, 1) }, 'clusterRoleSelectors'),
  }),
  allowsUpdate: anyUpdate,
};

function subjects(isNamespaced: boolean): PlainRule {
  return list(
    structOf({ kind: anyText, apiGroup: anyText, name: filledText, namespace: anyText }, 'kind name', (subject) => {
      const group = subject.get('apiGroup') ?? '';
      if (subject.get('kind') !== 'ServiceAccount') {
        return (subject.get('kind') === 'User' || subject.get('kind') === 'Group') && (group === '' || group === GROUP);
      }
      const hasNamespace = (subject.get('namespace') ?? '') !== '';
      return group === '' && isSubdomain(subject.get('name') as string) && (isNamespaced || hasNamespace);
    }),
  );
}

function binding(name: PlainRule, isNamespaced: boolean, ...kinds: readonly string[]): PlainKind {
  const roleRef = structOf(
    { apiGroup: oneOf('', GROUP), kind: oneOf(...kinds), name: textThat(isPathSegment) },
    'kind name',
  );
  return {
    rule: objectOf({ metadata: name, roleRef, subjects: subjects(isNamespaced) }, 'metadata roleRef'),
    allowsUpdate: (object: JsonObject, old: JsonObject) => keepsFields(object, old, ['roleRef']),
  };
}

export const roleBinding = binding(namespaced, true, 'Role', 'ClusterRole');
export const clusterRoleBinding = binding(ofCluster, false, 'ClusterRole');
