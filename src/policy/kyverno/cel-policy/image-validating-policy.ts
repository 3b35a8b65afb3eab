// ImageValidatingPolicy and NamespacedImageValidatingPolicy, as far as they need no registry (Kyverno `pkg/image/verification/evaluator`).
import { DYN, listOf, STRING } from '../../../cel/check/type.ts';
import type { Read } from '../../../cel/value/trace.ts';
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import { invalid } from '../../../kubernetes/validation/field-error.ts';
import { isJsonArray, type JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { MatchResources } from '../../matching/match-resources.ts';
import { Undecided } from '../rule/rule-response.ts';
import { parseImageReference, type RegistrySettings } from '../value/image-reference.ts';
import { validatingVariants } from './cel-autogen.ts';
import { type CelException, compileExceptions, exceptionsNaming } from './cel-exceptions.ts';
import { readCelPolicy, type WrittenCelPolicy } from './cel-policy.ts';
import { type CelRefusal, CompileFailure, compiledOrRefused } from './cel-refusal.ts';
import { type CelPolicySubject, type CelResponse, responseData } from './cel-response.ts';
import { imageGlob } from './image-glob.ts';
import { builtinExtractors, placesOf, podSpecPath } from './image-places.ts';
import type { KyvernoEnvironments } from './kyverno-environment.ts';
import { writtenDigest } from './library/image.ts';
import { matchesConstraints, readMatchConstraints } from './match-constraints.ts';
import { evaluateBoolean, evaluateCelConditions, PolicyActivation, type PolicyData } from './policy-activation.ts';
import { type CelProgram, type CelValidation, ProgramCompiler } from './program-compiler.ts';
import { annotationProblem, explainProgram, messageOf } from './validating-policy.ts';

export interface ImageSurroundings {
  /** Settings of the mutating webhook, which resolves references and adds digests first. Undefined without it, as in Kyverno's CLI. */
  readonly registry: RegistrySettings | undefined;
  /** Another policy runs with it and may verify the images. */
  readonly isVerifiedElsewhere: boolean;
}

/** True if an entry of `matchImageReferences` matches the image. */
type ImageMatcher = (image: string) => boolean | ErrorValue;

interface Variant {
  readonly spec: JsonObject;
  readonly constraints: MatchResources | undefined;
  readonly matchConditions: readonly CelProgram[];
  readonly matchers: readonly ImageMatcher[];
  /** The policy's own extractors. Built-in ones are compiled on first use of a kind. */
  readonly extractors: ReadonlyMap<string, CelProgram>;
  readonly builtin: (podSpec: readonly string[]) => ReadonlyMap<string, CelProgram>;
  readonly variables: ReadonlyMap<string, CelProgram>;
  readonly validations: readonly CelValidation[];
  readonly auditAnnotations: ReadonlyMap<string, CelProgram>;
  readonly exceptions: readonly CelException[];
}

export function compileImageValidatingPolicy(
  document: JsonObject,
  exceptions: readonly JsonObject[],
  environments: KyvernoEnvironments,
): ImageValidatingPolicy | CelRefusal {
  const written = readCelPolicy(document);
  const named = exceptionsNaming(exceptions, written.kind, written.name);
  return compiledOrRefused(undefined, () => {
    const specs = [
      written.spec,
      ...validatingVariants(written.spec)
        .filter(({ form }) => form !== 'extract')
        .map(({ spec }) => spec),
    ];
    const variants = specs.map((spec) => compileVariant(spec, written.namespace, named, environments));
    return new ImageValidatingPolicy(written, variants, environments);
  });
}

const IMAGE_LISTS = [listOf(STRING), DYN, listOf(DYN)];

function compileVariant(
  spec: JsonObject,
  namespace: string,
  exceptions: readonly JsonObject[],
  environments: KyvernoEnvironments,
): Variant {
  const declarations = { namespace, hasPatchTypes: false, hasGenerator: false, hasImages: true };
  const compiler = new ProgramCompiler(environments, declarations);
  const builtins = new Map<string, ReadonlyMap<string, CelProgram>>();
  const builtin = (podSpec: readonly string[]): ReadonlyMap<string, CelProgram> => {
    const key = podSpec.join('.');
    const known =
      builtins.get(key) ??
      new Map(
        builtinExtractors(podSpec).map(([name, text]) => [
          name,
          compiler.compile(text, IMAGE_LISTS, ['spec', 'images']),
        ]),
      );
    builtins.set(key, known);
    return known;
  };
  const matchConditions = compiler.matchConditions(objectItems(spec.get('matchConditions')));
  const matchers = compileMatchers(spec, compiler, environments);
  const extractors = new Map(
    objectItems(spec.get('images')).map((extractor, index) => {
      const path = ['spec', 'images', index, 'expression'];
      const text = textField(extractor, 'expression');
      const expected = 'output is expected to be of type list';
      return [textField(extractor, 'name'), compiler.compile(text, IMAGE_LISTS, path, expected)];
    }),
  );
  compiler.compileVariables(spec);
  return {
    spec,
    constraints: readMatchConstraints(spec.get('matchConstraints')),
    matchConditions,
    matchers,
    extractors,
    builtin,
    variables: compiler.variables,
    validations: compiler.validations(spec),
    auditAnnotations: compiler.auditAnnotations(spec),
    exceptions: compileExceptions(exceptions, compiler),
  };
}

function compileMatchers(
  spec: JsonObject,
  compiler: ProgramCompiler,
  environments: KyvernoEnvironments,
): readonly ImageMatcher[] {
  return objectItems(spec.get('matchImageReferences')).map((reference, index): ImageMatcher => {
    const path = ['spec', 'matchImageReferences', index];
    const glob = textField(reference, 'glob');
    if (glob !== '') {
      const matches = imageGlob(glob);
      return (
        matches ??
        (() => {
          throw new Undecided(`which images the glob ${glob} matches`);
        })
      );
    }
    const expression = textField(reference, 'expression');
    if (expression === '') {
      throw new CompileFailure([invalid(path, reference, 'either glob or expression must be set')]);
    }
    const program = compiler.compileReference(expression, [...path, 'expression']);
    return (image) => {
      const data = new Map<string, Value>([['ref', image]]);
      return evaluateBoolean(program, new PolicyActivation(data, environments.sources as CelPolicySubject['sources']));
    };
  });
}

interface MatchedImage {
  readonly list: string;
  readonly image: string;
}

type Answer = Omit<CelResponse, 'type'> | undefined;

export class ImageValidatingPolicy {
  readonly written: WrittenCelPolicy;
  readonly #variants: readonly Variant[];
  readonly #environments: KyvernoEnvironments;

  constructor(written: WrittenCelPolicy, variants: readonly Variant[], environments: KyvernoEnvironments) {
    this.written = written;
    this.#variants = variants;
    this.#environments = environments;
  }

  /**
   * Empty if the policy does not match. Assumes that the images exist: Kyverno looks up each image before the first
   * validation. Throws `Undecided` if the result depends on a registry, for example on signatures or digests.
   */
  evaluate(subject: CelPolicySubject, surroundings: ImageSurroundings): readonly CelResponse[] {
    return this.#variants.flatMap((variant) => {
      const answer = this.#answer(variant, subject, surroundings);
      return answer === undefined ? [] : { type: 'ImageVerify', ...answer };
    });
  }

  #answer(variant: Variant, subject: CelPolicySubject, surroundings: ImageSurroundings): Answer {
    const { request, namespaceLabels, openNamespace } = subject;
    this.#environments.sources = subject.sources;
    const isMatched = matchesConstraints(variant.constraints, request, namespaceLabels, openNamespace);
    if (isMatched === false) return undefined;
    if (isMatched !== true) {
      return { rule: 'match', status: 'error', message: `failed to execute matching: ${isMatched.error}` };
    }
    // Reading an open field of the request throws `Undecided`.
    const data = responseData({ ...subject, open: undefined });
    const conditions = new PolicyActivation(data, subject.sources);
    const applies = this.#conditionsHold(variant.matchConditions, conditions);
    if (typeof applies === 'object') return applies;
    if (!applies) return undefined;
    const exempting: CelException[] = [];
    for (const exception of variant.exceptions) {
      const answer = this.#conditionsHold(exception.matchConditions, conditions);
      if (typeof answer === 'object') return answer;
      if (answer) exempting.push(exception);
    }
    if (exempting.length > 0) {
      const exceptions = exempting.map(({ key }) => key);
      const message = `rule is skipped due to policy exception: ${exceptions.join(', ')}`;
      return { rule: 'exception', status: 'skip', message, exceptions };
    }
    return this.#validate(variant, subject, data, surroundings);
  }

  #conditionsHold(conditions: readonly CelProgram[], activation: PolicyActivation): boolean | NonNullable<Answer> {
    const answer = evaluateCelConditions(conditions, activation);
    if (typeof answer === 'boolean') return answer;
    return textField(this.written.spec, 'failurePolicy') === 'Ignore' ? false : unevaluated(answer.error);
  }

  #validate(
    variant: Variant,
    subject: CelPolicySubject,
    data: PolicyData,
    { registry, isVerifiedElsewhere }: ImageSurroundings,
  ): Answer {
    const { request } = subject;
    const podSpec = podSpecPath(request.resource);
    const extracted = extractImages(variant, new PolicyActivation(data, subject.sources), podSpec);
    if (extracted instanceof ErrorValue) return unevaluated(extracted.message);
    const configuration = objectOrEmpty(variant.spec.get('validationConfigurations'));
    const images: MatchedImage[] = [];
    const unpinned: string[] = [];
    for (const { list, image } of extracted) {
      const isChosen = choosesImage(variant.matchers, image);
      if (isChosen instanceof ErrorValue) return unevaluated(isChosen.message);
      if (registry !== undefined && configuration.get('mutateDigest') !== false && podSpec !== undefined) {
        if (isPinned(image, variant.matchers, registry)) unpinned.push(image);
      }
      if (isChosen) images.push({ list, image });
    }
    const source = request.object ?? new Map();
    const placesIn = (references: readonly string[]): readonly Read[] =>
      podSpec === undefined
        ? []
        : [...new Set(references)].flatMap((image) =>
            placesOf(image, source, podSpec).map((path): Read => ({ root: 'object', path, found: true })),
          );
    const places =
      (image: string): (() => readonly Read[]) =>
      () =>
        placesIn([image]);
    const asked = (): readonly Read[] => placesIn(images.map(({ image }) => image));
    if (unpinned.length > 0) {
      throw new Undecided(`which digest a registry returns for ${distinctText(unpinned)}`, placesIn(unpinned));
    }
    if (configuration.get('verifyDigest') !== false) {
      for (const { image } of images) {
        const digest = writtenDigest(image);
        const unreadable = `failed to parse image reference ${image}: could not parse reference: ${image}`;
        if (digest === undefined) return { ...unevaluated(unreadable), explain: places(image) };
        if (digest !== '') continue;
        const message = `image ${image} does not have a digest`;
        return { rule: this.written.name, status: 'fail', message, path: CONFIGURATION, explain: places(image) };
      }
    }
    const failure = this.#runValidations(variant, subject, data, extracted, images, asked);
    if (failure !== undefined) return failure;
    const [first] = images;
    if (first !== undefined && configuration.get('required') !== false) {
      if (isVerifiedElsewhere) throw new Undecided(whetherSigned(images), asked());
      const why = 'no policy performed a signature or attestation check on it';
      const message = `image ${first.image} is not verified: ${why}`;
      return { rule: this.written.name, status: 'fail', message, path: CONFIGURATION, explain: places(first.image) };
    }
    return { rule: this.written.name, status: 'pass', message: 'success' };
  }

  #runValidations(
    variant: Variant,
    subject: CelPolicySubject,
    data: PolicyData,
    extracted: readonly MatchedImage[],
    images: readonly MatchedImage[],
    asked: () => readonly Read[],
  ): Answer {
    const whole = new Map<string, Value>(data);
    const lists = new Map<string, string[]>();
    for (const name of [...this.#listsOf(variant, subject), ...extracted.map(({ list }) => list)]) lists.set(name, []);
    for (const { list, image } of images) lists.get(list)?.push(image);
    whole.set('images', lists);
    whole.set(
      'attestors',
      byName(variant.spec, 'attestors', (attestor) => attestor),
    );
    const attestations = byName(variant.spec, 'attestations', (_, name) => name);
    whole.set('attestations', attestations);
    const sources = {
      ...subject.sources,
      verification: {
        attestations: new Set(attestations.keys()),
        matches: (image: string) => choosesImage(variant.matchers, image),
        ask: (image: string): never => {
          throw new Undecided(whetherSigned(images.length === 0 ? [{ list: '', image }] : images), asked());
        },
      },
    };
    this.#environments.sources = sources;
    const activation = new PolicyActivation(whole, sources);
    activation.bindVariables(variant.variables);
    for (const [index, validation] of variant.validations.entries()) {
      const outcome = evaluateBoolean(validation.program, activation);
      if (outcome === true) continue;
      const { path } = validation.program;
      const explain = (): readonly Read[] => {
        const traced = new PolicyActivation(whole, sources, true);
        const reads = explainProgram(validation.program, traced, variant.variables);
        // The expression sees images, not the object. If there is only one image, it decided.
        return reads.length === 0 && images.length === 1 ? asked() : reads;
      };
      if (outcome instanceof ErrorValue) return { ...unevaluated(outcome.message), path, explain };
      const message = messageOf(validation, activation) || `CEL expression validation failed at index ${index}`;
      const problem = annotationProblem(variant.auditAnnotations, activation);
      if (problem !== undefined) return { ...unevaluated(problem), path };
      return { rule: this.written.name, status: 'fail', message, path, explain };
    }
    const problem = annotationProblem(variant.auditAnnotations, activation);
    return problem === undefined ? undefined : unevaluated(problem);
  }

  /** Includes lists without images: expressions see them as empty. */
  #listsOf(variant: Variant, { request }: CelPolicySubject): readonly string[] {
    const podSpec = podSpecPath(request.resource);
    return [...(podSpec === undefined ? [] : variant.builtin(podSpec).keys()), ...variant.extractors.keys()];
  }
}

const CONFIGURATION: FieldPath = ['spec', 'validationConfigurations'];

function unevaluated(error: string): NonNullable<Answer> {
  return { rule: 'evaluation', status: 'error', message: `failed to evaluate policy: ${error}` };
}

/** A policy's own extractor replaces a built-in one of the same name. */
function extractImages(
  variant: Variant,
  activation: PolicyActivation,
  podSpec: readonly string[] | undefined,
): readonly MatchedImage[] | ErrorValue {
  const found: MatchedImage[] = [];
  const extractors = new Map([...(podSpec === undefined ? [] : variant.builtin(podSpec)), ...variant.extractors]);
  activation.bindVariables(variant.variables);
  for (const [list, { program }] of extractors) {
    const { value } = activation.run(program);
    if (value instanceof ErrorValue) return value;
    if (!isJsonArray(value as JsonObject)) return new ErrorValue('unsupported type conversion to a list of images');
    for (const image of value as readonly Value[]) {
      if (typeof image !== 'string') return new ErrorValue('unsupported type conversion of an image to string');
      found.push({ list, image });
    }
  }
  return found;
}

/** Without entries, every image matches. */
function choosesImage(matchers: readonly ImageMatcher[], image: string): boolean | ErrorValue {
  if (matchers.length === 0) return true;
  for (const matches of matchers) {
    const answer = matches(image);
    if (answer !== false) return answer;
  }
  return false;
}

/** Kyverno resolves the normalized reference to a digest with a registry. */
function isPinned(image: string, matchers: readonly ImageMatcher[], registry: RegistrySettings): boolean {
  const parsed = parseImageReference(image, registry);
  if ('error' in parsed) throw new Undecided(`which image ${image} is: ${parsed.error}`);
  return parsed.digest === '' && choosesImage(matchers, parsed.reference) !== false;
}

function byName<T extends Value>(
  spec: JsonObject,
  list: string,
  take: (entry: JsonObject, name: string) => T,
): ReadonlyMap<string, T> {
  return new Map(
    objectItems(spec.get(list)).map((entry) => {
      const name = textField(entry, 'name');
      return [name, take(entry, name)];
    }),
  );
}

function distinctText(images: readonly string[]): string {
  return [...new Set(images)].join(', ');
}

function whetherSigned(images: readonly MatchedImage[]): string {
  const names = new Set(images.map(({ image }) => image));
  const subject = names.size === 1 ? 'the image' : 'the images';
  return `whether ${subject} ${[...names].join(', ')} ${names.size === 1 ? 'is' : 'are'} signed as the policy requires`;
}
