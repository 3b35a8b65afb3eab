// The JSON Schema of `.preadmit.yaml` for editors; source of docs/schema/preadmit.schema.json.
import { configurationShape } from './configuration-shape.ts';
import type { JsonSchema } from './shape.ts';

export function configurationSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://raw.githubusercontent.com/preadmit/preadmit/main/docs/schema/preadmit.schema.json',
    title: 'Preadmit configuration',
    ...configurationShape().schema,
  };
}
