// What the registry's answer means for an object with open fields, and when validation stops.
import { describe, expect, test } from 'vitest';
import { typedConverter } from '../../../src/engine/conversion/typed-converter.ts';
import { type Resource, resourcesOf } from '../../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../../src/kubernetes/api/version.ts';
import { builtinResources } from '../../../src/kubernetes/schema/resources.ts';
import { readManifests } from '../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';
import {
  type RegistryAnswer,
  type ServerValidation,
  type ValidationRequest,
  ValidationStop,
} from '../../../src/validation/server-validation.ts';

const INVALID: RegistryAnswer = {
  code: 422,
  reason: 'Invalid',
  message: 'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  causes: [
    {
      field: 'spec.replicas',
      reason: 'FieldValueInvalid',
      message: 'Invalid value: -1: must be greater than or equal to 0',
    },
  ],
  warnings: [],
};
const VALID: RegistryAnswer = { code: 201, reason: '', message: '', causes: [], warnings: [] };

function answering(answer: RegistryAnswer | Error): ServerValidation & { readonly asked: ValidationRequest[] } {
  const asked: ValidationRequest[] = [];
  return {
    asked,
    validate: (request) => {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    convert: () => undefined,
  };
}

function deployment(image = 'web:1', replicas = '-1'): Resource {
  const text = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: '${image}'}]}}
`;
  const { manifests } = readManifests(new SourceFile('web.yaml', text));
  const [resource] = manifests.flatMap(resourcesOf).flatMap((each) => ('resource' in each ? [each.resource] : []));
  return resource as Resource;
}

function validity(serverValidation: ServerValidation, resource: Resource, release?: string, gates?: readonly string[]) {
  const kubernetesVersion = (release === undefined ? undefined : parseKubernetesVersion(release)) ?? DEFAULT_VERSION;
  const converter = typedConverter({
    kubernetesVersion,
    facts: [],
    serverValidation,
    ...(gates && { featureGates: new Map(gates.map((gate) => [gate, true])) }),
  });
  const mapping = builtinResources(36).resourceForKind(resource.gvk);
  if (mapping === undefined) throw new Error('unknown kind');
  return converter.validate(resource, undefined, { ...mapping, origin: 'builtin' } as never, 'shop');
}

describe('registry validation', () => {
  test('refuses with the message of the server, on the line of the cause', () => {
    const { refusals, unknowns } = validity(answering(INVALID), deployment());
    expect(unknowns).toEqual([]);
    expect(refusals.map(({ message, primary }) => [message, primary?.range.start])).toEqual([
      [INVALID.message, deployment().locate(['spec', 'replicas'], 'value').range.start],
    ]);
  });

  test('leaves out the sentence about all causes if one of them is not certain', () => {
    const uncertain = { field: 'spec.x', reason: 'FieldValueInvalid', message: 'x', depends: 'the feature gate X' };
    const answer = { ...INVALID, message: 'both', causes: [...INVALID.causes, uncertain] };
    const { refusals, unknowns } = validity(answering(answer), deployment());
    expect(refusals.map(({ message, serverMessage }) => [message, serverMessage])).toEqual([
      [INVALID.message, undefined],
    ]);
    expect(unknowns).toEqual(['whether the server accepts Deployment web depends on the feature gate X']);
  });

  test('refuses nothing if every cause depends on the configuration of the server', () => {
    const causes = INVALID.causes.map((cause) => ({ ...cause, depends: 'the IP families of the cluster' }));
    const { refusals, unknowns } = validity(answering({ ...INVALID, causes }), deployment());
    expect(refusals).toEqual([]);
    expect(unknowns).toEqual(['whether the server accepts Deployment web depends on the IP families of the cluster']);
  });

  test('refuses no object with a placeholder', () => {
    const { refusals, unknowns } = validity(answering(INVALID), deployment(`web:\${TAG}`));
    expect(refusals).toEqual([]);
    expect(unknowns).toEqual([
      `whether the server accepts Deployment web depends on \${TAG} in spec.template.spec.containers[0].image`,
    ]);
  });

  test('reports a refusal without causes at the object', () => {
    const answer = { ...INVALID, code: 400, reason: 'BadRequest', message: 'no', causes: [] };
    expect(validity(answering(answer), deployment()).refusals.map(({ message }) => message)).toEqual(['no']);
  });

  test('reports warnings of accepted objects, but none about a placeholder', () => {
    const about = 'spec.template.spec.containers[0].image: odd';
    const warned = { ...VALID, warnings: ['spec.replicas: many', about] };
    const texts = (resource: Resource): readonly string[] =>
      (validity(answering(warned), resource).warnings ?? []).map(({ message }) => message);
    expect(texts(deployment('web:1', '9'))).toEqual(warned.warnings);
    expect(texts(deployment(`web:\${TAG}`, '9'))).toEqual(['spec.replicas: many']);
  });

  test.each([
    ['1.20', '1.31'],
    ['1.34', '1.34'],
    ['1.37', '1.37'],
  ])('asks about %s as %s', (release, emulated) => {
    const server = answering(VALID);
    validity(server, deployment(), release, ['HPAScaleToZero']);
    expect(server.asked.map((request) => [request.release, request.featureGates])).toEqual([
      [emulated, new Map([['HPAScaleToZero', true]])],
    ]);
  });

  test.each([
    ['limit', /^the server's validation of Deployment "web" reached a limit: slow$/, /make the object smaller/],
    ['crash', /^the server's validation of Deployment "web" failed: slow$/, /mistake in Preadmit/],
  ] as const)('neither refuses nor accepts an object after a %s', (reason, message, help) => {
    const { refusals, stopped } = validity(answering(new ValidationStop(reason, 'slow')), deployment());
    expect(refusals).toEqual([]);
    expect(stopped).toMatchObject({ code: 'undecided-object', message: expect.stringMatching(message) });
    expect(stopped?.help).toMatch(help);
  });

  test('reports other errors as errors', () => {
    expect(() => validity(answering(new TypeError('broken')), deployment())).toThrow('broken');
  });
});
