// Detects from words whether a file may contain a policy, declare a root or classify other files.
import { OTHER_POLICIES, type OtherPolicies } from '../../engine/unknown/other-policies.ts';
import type { PolicyLanguage } from '../../policy/language/policy-language.ts';
import { KUSTOMIZATION_NAMES } from '../../settings/selection.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { AskText } from '../../source/text/text-answers.ts';
import type { TextWords } from './text-words.ts';

/** Words of files that classify other files. */
const REFERRING_WORDS = ['kustomize.config.k8s.io', 'chainsaw.kyverno.io', 'cli.kyverno.io'];
/** Kinds whose objects declare what a controller applies. */
export const DECLARATIONS: readonly { readonly group: string; readonly kinds: readonly string[] }[] = [
  { group: 'toolkit.fluxcd.io', kinds: ['Kustomization', 'HelmRelease'] },
  { group: 'fluxcd.controlplane.io', kinds: ['FluxInstance', 'ResourceSet'] },
  { group: 'argoproj.io', kinds: ['Application', 'ApplicationSet'] },
];

/** Words of files that set flags of API servers (`inventory/declared-server.ts`). */
const SERVER_WORDS = [
  'apiServer',
  'kubeAPIServer',
  'KubeAPIServerConfig',
  'kube-apiserver-arg',
  'serviceSubnet',
  'service-cidr',
  'service-node-port-range',
  'serviceNetwork',
  'serviceClusterIPRange',
  'kubernetesNetworkConfig',
  'clusterNetwork',
  'talosVersion',
  'kind.x-k8s.io',
];

export class TextSigns {
  readonly #words: TextWords;
  readonly #languages: readonly PolicyLanguage[];
  readonly #isPolicy: AskText;
  readonly #refers: AskText;
  readonly #declares: AskText;
  readonly #server: AskText;

  constructor(words: TextWords, languages: readonly PolicyLanguage[]) {
    this.#words = words;
    this.#languages = languages;
    this.#isPolicy = words.asked(`policy of ${JSON.stringify(languages.map(({ word, kinds }) => [word, kinds]))}`);
    this.#refers = words.asked('refers');
    this.#declares = words.asked(`declares ${JSON.stringify(DECLARATIONS)}`);
    this.#server = words.asked(`server ${JSON.stringify(SERVER_WORDS)}`);
  }

  mayHavePolicy(file: SourceFile): boolean {
    return this.#isPolicy(file, () => this.#findPolicy(file));
  }

  #findPolicy(file: SourceFile): boolean {
    const words = this.#words;
    const isOf = ({ kinds, word }: Pick<PolicyLanguage, 'kinds' | 'word'>): boolean =>
      (word === undefined || words.mayMention(file, word)) && kinds.some((kind) => words.mayHaveKind(file, kind));
    // The report lists policies of other tools, and what they may change.
    const isOther = ({ group, kinds }: OtherPolicies): boolean =>
      words.mayMention(file, group) && (kinds === undefined || kinds.some((kind) => words.mayHaveKind(file, kind)));
    return this.#languages.some(isOf) || OTHER_POLICIES.some(isOther);
  }

  /** Rendering may compose the kind and the version. */
  mayMakePolicy(file: SourceFile): boolean {
    if (this.mayHavePolicy(file)) return true;
    if (!this.#words.mayComposeKind(file)) return false;
    const words = this.#languages.flatMap(({ word }) => word ?? []);
    return (
      this.#words.mayComposeVersion(file) ||
      [...words, ...OTHER_POLICIES.map(({ group }) => group)].some((word) => this.#words.mayMention(file, word))
    );
  }

  isReferring(file: SourceFile): boolean {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    if (KUSTOMIZATION_NAMES.has(name)) return true;
    return this.#refers(file, () => REFERRING_WORDS.some((word) => this.#words.mayMention(file, word)));
  }

  /** True if the file may declare a root: which files are applied, and how. */
  mayDeclare(file: SourceFile): boolean {
    const words = this.#words;
    return this.#declares(file, () =>
      DECLARATIONS.some(
        ({ group, kinds }) => words.mayMention(file, group) && kinds.some((kind) => words.mayHaveKind(file, kind)),
      ),
    );
  }

  /** True if the file may set flags of an API server. */
  maySetUpServer(file: SourceFile): boolean {
    return this.#server(file, () => SERVER_WORDS.some((word) => this.#words.mayMention(file, word)));
  }
}
