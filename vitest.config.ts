// Test runner settings: plain Node, one pool of forked processes, no watch.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { mayLack } from './test/support/evidence-table.ts';

// Rejects unknown names before any test runs.
mayLack();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [
      'default',
      ...(process.env['GITHUB_ACTIONS'] === 'true' ? ['github-actions'] : []),
      './test/support/evidence-reporter.ts',
    ],
    environment: 'node',
    // Files of one worker share what they load: no module of src has state.
    isolate: false,
    // The least that continuous integration has; of two cores vitest would take one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests that run at the same time wait for GitHub's limits most of the time.
    maxConcurrency: 10,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
