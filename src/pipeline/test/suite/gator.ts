// Lists the tests of Gatekeeper's `gator verify`, which cannot run: Gatekeeper's templates are not policies of the API server.
import type { PolicyTest } from '../../../report/explanation/policy-test.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { Manifest } from '../../../source/manifest/manifest.ts';
import type { SuiteTester } from './suite-tester.ts';

export function isGatorSuite(document: JsonObject): boolean {
  return textField(document, 'kind') === 'Suite' && textField(document, 'apiVersion').startsWith('test.gatekeeper.sh/');
}

export function runGatorSuite(tester: SuiteTester, manifest: Manifest): readonly PolicyTest[] {
  return objectItems(objectOrEmpty(manifest.value).get('tests')).flatMap((test, testIndex) =>
    objectItems(test.get('cases')).flatMap((each, index) => {
      const place = tester.place(manifest, ['tests', testIndex, 'cases', index]);
      const name = `${textField(test, 'name')}: ${textField(each, 'name')}`;
      return tester.test(name, place, () => ({ notRun: reason(tester, textField(test, 'template')) }));
    }),
  );
}

function reason(tester: SuiteTester, path: string): string {
  const template = tester.objects([path]).found.find(({ gvk }) => gvk.kind === 'ConstraintTemplate');
  if (template === undefined) return `the ConstraintTemplate \`${path}\` does not exist`;
  const targets = objectItems(objectOrEmpty(template.value.get('spec')).get('targets'));
  const engines = targets.flatMap((target) => objectItems(target.get('code')).map((code) => textField(code, 'engine')));
  return engines.includes('K8sNativeValidation')
    ? `the ConstraintTemplate ${template.name} becomes a policy of the API server only inside Gatekeeper`
    : `the ConstraintTemplate ${template.name} is written in Rego, which is not evaluated here`;
}
