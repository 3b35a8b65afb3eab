// Library entry point: everything in browser.ts, plus the check of a repository on disk, which needs Node.
export * from './browser.ts';
export { type CheckOptions, type CheckResult, checkRepository } from './door/run/check-repository.ts';
export { WorkspaceError } from './workspace/workspace-error.ts';
