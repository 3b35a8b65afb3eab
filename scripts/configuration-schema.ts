// Writes docs/schema/preadmit.schema.json from the reader of `.preadmit.yaml`: `npx tsx scripts/configuration-schema.ts`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationSchema } from '../src/workspace/configuration/configuration-schema.ts';

const file = join(import.meta.dirname, '../docs/schema/preadmit.schema.json');
writeFileSync(file, `${JSON.stringify(configurationSchema(), null, 2)}\n`);
