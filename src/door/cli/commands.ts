// The commands that are loaded together as one chunk.
export { auditCommand } from './command/audit-command.ts';
export { baselineCommand } from './command/baseline-command.ts';
export { celCommand } from './command/cel-command.ts';
export { completionCommand } from './command/completion-command.ts';
export { diffCommand } from './command/diff-command.ts';
export { mergeCommand } from './command/merge-command.ts';
export { migrateCommand } from './command/migrate-command.ts';
export { mutateCommand } from './command/mutate-command.ts';
export { policiesCommand } from './command/policies-command.ts';
export { renderCommand } from './command/render-command.ts';
export { reportCommand } from './command/report-command.ts';
export { reviewCommand } from './command/review-command.ts';
export { whyCommand } from './command/why-command.ts';
