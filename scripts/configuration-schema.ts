// Writes the schemas of `.preadmit.yaml` and of the baseline from their readers: `npx tsx scripts/configuration-schema.ts`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baselineSchema } from '../src/settings/baseline-shape.ts';
import { configurationSchema } from '../src/settings/configuration-schema.ts';

const SCHEMAS = { preadmit: configurationSchema(), baseline: baselineSchema() };

for (const [name, schema] of Object.entries(SCHEMAS)) {
  const file = join(import.meta.dirname, `../docs/schema/${name}.schema.json`);
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
}
