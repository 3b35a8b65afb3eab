// Explains whether a match or exclude block matches an object: the first criterion of each filter that fails.
import { objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { type OpenMatch, openReason } from './match-answer.ts';
import { type FilterBlock, filterExcludes, type MatchSubject, type ResourceFilter } from './resource-filter.ts';

export interface FilterReason {
  /** Path below `match` or `exclude`. */
  readonly field: readonly (string | number)[];
  /** Undefined if the filter matches. */
  readonly mismatch: string | undefined;
}

/** The filters in order, up to the one that decides. */
export function explainBlock(
  { form, filters }: FilterBlock,
  subject: MatchSubject,
  isMatch: boolean,
): readonly FilterReason[] {
  const reasons: FilterReason[] = [];
  for (const [index, filter] of filters.entries()) {
    const { attribute, mismatch } = mismatchOf(filter, subject, isMatch);
    const place = form === 'direct' ? [] : [form, index];
    reasons.push({ field: [...place, ...attribute], mismatch });
    if ((form === 'any') === (mismatch === undefined)) break;
  }
  return reasons;
}

const NOTHING: ResourceFilter = {
  operations: [],
  kinds: [],
  name: '',
  names: [],
  namespaces: [],
  annotations: [],
  selector: undefined,
  namespaceSelector: undefined,
  user: { roles: [], clusterRoles: [], subjects: [] },
  isOfKindsAlone: false,
  hasNoDescription: false,
  hasNoUser: true,
};

function mismatchOf(
  filter: ResourceFilter,
  subject: MatchSubject,
  isMatch: boolean,
): { readonly attribute: readonly string[]; readonly mismatch: string | undefined } {
  const metadata = objectOrEmpty(subject.object.get('metadata'));
  const name = textField(metadata, 'name') || textField(metadata, 'generateName');
  const namespace = subject.kind.kind === 'Namespace' ? name : textField(metadata, 'namespace');
  const { requestInfo } = subject;
  const kinds = filter.kinds.map(({ kind, subresource }) => (subresource === '' ? kind : `${kind}/${subresource}`));
  const isUserAsked = !(isMatch && requestInfo.isEmpty);
  if (filter.hasNoDescription && (filter.hasNoUser || !isUserAsked))
    return { attribute: [], mismatch: 'it has no criteria' };
  const user = `the user ${requestInfo.username}`;
  const asked: readonly (readonly [string, Partial<ResourceFilter>, string])[] = [
    ['operations', { operations: filter.operations }, `${filter.operations.join(', ')} is not ${subject.operation}`],
    ['kinds', { kinds: filter.kinds }, `${kinds.join(', ')} is not ${subject.kind.kind}`],
    ['name', { name: filter.name }, `${filter.name} is not ${name}`],
    ['names', { names: filter.names }, `${filter.names.join(', ')} is not ${name}`],
    [
      'namespaces',
      { namespaces: filter.namespaces },
      `${filter.namespaces.join(', ')} is not ${namespace || 'a cluster-scoped object'}`,
    ],
    [
      'annotations',
      { annotations: filter.annotations },
      `${filter.annotations.map((entry) => entry.join(': ')).join(', ')} is not among its annotations`,
    ],
    ['selector', { selector: filter.selector }, 'its labels do not match'],
    [
      'namespaceSelector',
      { namespaceSelector: filter.namespaceSelector },
      `the labels of the Namespace ${namespace} do not match`,
    ],
  ];
  for (const [attribute, part, mismatch] of asked) {
    const answer = filterExcludes({ ...NOTHING, ...part }, subject);
    if (answer !== true) return { attribute: ['resources', attribute], mismatch: reasonOf(answer, mismatch) };
  }
  const { roles, clusterRoles, subjects } = filter.user;
  const ofUser: readonly (readonly [string, Partial<ResourceFilter['user']>, string])[] = [
    ['roles', { roles }, `${user} has none of ${roles.join(', ')}`],
    ['clusterRoles', { clusterRoles }, `${user} has none of ${clusterRoles.join(', ')}`],
    ['subjects', { subjects }, `${user} is none of ${subjects.map((each) => `${each.kind} ${each.name}`).join(', ')}`],
  ];
  for (const [attribute, part, mismatch] of isUserAsked ? ofUser : []) {
    const user_ = { ...NOTHING.user, ...part };
    const answer = filterExcludes({ ...NOTHING, user: user_, hasNoUser: false }, subject);
    if (answer !== true) return { attribute: [attribute], mismatch: reasonOf(answer, mismatch) };
  }
  return { attribute: [], mismatch: undefined };
}

function reasonOf(answer: false | OpenMatch, mismatch: string): string {
  return answer === false ? mismatch : `this depends on ${openReason(answer)}`;
}
