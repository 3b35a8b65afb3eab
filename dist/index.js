import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  SourceFile,
  WorkspaceError,
  checkRepository,
  defaultConfiguration,
  reporters,
  run
} from "./chunks/chunk-FVYAUJNM.js";
export {
  SourceFile,
  WorkspaceError,
  checkRepository,
  defaultConfiguration,
  reporters,
  run
};
