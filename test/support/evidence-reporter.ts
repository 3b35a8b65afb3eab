// A vitest reporter that ends each run with the tests that did not run, and the evidence that they lack.
import type { TestCase, TestModule } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';
import { absenceIn, EVIDENCE, type Evidence } from './evidence-table.ts';

export default class EvidenceReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<Evidence, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const name = absenceOf(test);
        if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    console.log('Tests that did not run, and what they need:');
    for (const [name, count] of counts) console.log(`  ${name} (${count}): ${EVIDENCE[name].what}`);
  }
}

function absenceOf(test: TestCase): Evidence | undefined {
  for (let at: TestCase['parent'] | TestCase | TestModule = test; at.type !== 'module'; at = at.parent) {
    const name = absenceIn(at.name);
    if (name !== undefined) return name;
  }
  return undefined;
}
