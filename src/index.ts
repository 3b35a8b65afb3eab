// The library's door: what runs everywhere, and the check of a repository on disk, which needs Node.
export * from './browser.ts';
export { type CheckOptions, type CheckResult, checkRepository } from './door/run/check-repository.ts';
export { WorkspaceError } from './workspace/workspace-error.ts';
