// Drops objects of an Application that a sync never applies: Helm tests, rollback hooks, and hooks marked `Skip`.
import { objectOrEmpty, textField } from '../../source/json/json-field.ts';
import type { Finished } from '../sources/controller.ts';
import { parseRendered } from '../sources/root/rendered-manifest.ts';

/** Helm events that have a phase in Argo CD. */
const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  'crd-install',
  'pre-install',
  'pre-upgrade',
  'post-install',
  'post-upgrade',
  'pre-delete',
  'post-delete',
]);

export function withoutUnappliedHooks(texts: readonly string[]): Finished {
  return { texts: texts.map((text) => (isNeverApplied(text) ? undefined : text)) };
}

function isNeverApplied(text: string): boolean {
  if (!/(?:argocd\.argoproj\.io|helm\.sh)\/hook/.test(text)) return false;
  const [document] = parseRendered(text).manifests;
  const metadata = objectOrEmpty(objectOrEmpty(document?.value).get('metadata'));
  const annotations = objectOrEmpty(metadata.get('annotations'));
  const own = eventsIn(textField(annotations, 'argocd.argoproj.io/hook'));
  if (own.length > 0) return own.length === 1 && own[0] === 'Skip';
  const events = eventsIn(textField(annotations, 'helm.sh/hook'));
  return events.length > 0 && !events.some((event) => KNOWN_EVENTS.has(event));
}

function eventsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((event) => event.trim())
    .filter((event) => event !== '');
}
