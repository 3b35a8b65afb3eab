import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import {
  SourceFile,
  WorkspaceError,
  checkRepository,
  checkState,
  defaultConfiguration,
  loadConfiguration,
  reporters
} from "./chunks/chunk-HHDPM2AY.js";
export {
  SourceFile,
  WorkspaceError,
  checkRepository,
  checkState,
  defaultConfiguration,
  loadConfiguration,
  reporters
};
