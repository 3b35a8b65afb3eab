// Writes the schemas of `.preadmit.yaml`, of the baseline and of policy tests from their readers: `npx tsx scripts/configuration-schema.ts`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baselineSchema } from '../src/settings/baseline-shape.ts';
import { configurationSchema } from '../src/settings/configuration-schema.ts';
import { policyTestSchema } from '../src/settings/policy-test-shape.ts';

const SCHEMAS = { preadmit: configurationSchema(), baseline: baselineSchema(), 'policy-test': policyTestSchema() };

for (const [name, schema] of Object.entries(SCHEMAS)) {
  const file = join(import.meta.dirname, `../docs/schema/${name}.schema.json`);
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}
