// Names of the kinds that policies can be migrated to. Help pages import only these names, not the migration code.

/** Only the second kind needs a binding. */
export const MIGRATION_TARGETS = ['ValidatingPolicy', 'ValidatingAdmissionPolicy'] as const;

export type MigrationTarget = (typeof MIGRATION_TARGETS)[number];
