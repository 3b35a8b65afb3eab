// `npm run render-engine`: compiles render/ to WebAssembly, and writes render/engine.wasm.br and its licences. `-- --check` only compares
// the committed module with the sources.
import { join } from 'node:path';
import { writeModule } from './go-module.ts';

/** The release that contains this api module and its sort order. Objects show it if `buildMetadata` contains `managedByLabel`. */
const KUSTOMIZE = 'kustomize/v5.7.1';

writeModule({
  folder: join(import.meta.dirname, '../render'),
  name: 'engine',
  script: 'render-engine',
  linker: `-X sigs.k8s.io/kustomize/api/provenance.version=${KUSTOMIZE}`,
});
