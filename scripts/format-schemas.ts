// Fetches the published schemas of report formats into the temporary folder, for test/report: `npx tsx scripts/format-schemas.ts`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHED_SCHEMAS, SCHEMA_FOLDER } from '../test/support/format-schemas.ts';

mkdirSync(SCHEMA_FOLDER, { recursive: true });
for (const [file, url] of Object.entries(PUBLISHED_SCHEMAS)) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  writeFileSync(join(SCHEMA_FOLDER, file), await response.text());
}
console.log(SCHEMA_FOLDER);
