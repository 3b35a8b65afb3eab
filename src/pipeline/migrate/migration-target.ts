// What policies may be migrated to, apart from what migrates them: help pages need the names alone.

/** Kinds; the second comes with a binding. */
export const MIGRATION_TARGETS = ['ValidatingPolicy', 'ValidatingAdmissionPolicy'] as const;

export type MigrationTarget = (typeof MIGRATION_TARGETS)[number];
