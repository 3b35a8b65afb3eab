// The commands that are read together.
export { baselineCommand } from './baseline-command.ts';
export { celCommand } from './cel-command.ts';
export { completionCommand } from './completion-command.ts';
export { diffCommand } from './diff-command.ts';
export { mergeCommand } from './merge-command.ts';
export { migrateCommand } from './migrate-command.ts';
export { mutateCommand } from './mutate-command.ts';
export { policiesCommand } from './policies-command.ts';
export { renderCommand } from './render-command.ts';
export { reviewCommand } from './review-command.ts';
export { whyCommand } from './why-command.ts';
