// Takes JSON reports one by one: shards of one repository become its report, reports of several repositories are joined.
import { append } from '../../go/slices/append.ts';
import { placeName, placePath } from '../../source/manifest/relocated-manifest.ts';
import type { Report } from '../report.ts';
import { JoinedRepositories } from './join-repositories.ts';
import { type MergeResult, mergeReports, type ShardReport } from './merge.ts';

interface MergerOptions {
  /** Version that joins. */
  readonly preadmit: string;
  /** Repositories that must have a report. */
  readonly expected: readonly string[];
}

export class ReportMerger {
  readonly #options: MergerOptions;
  readonly #joined: JoinedRepositories;
  /** Files by repository. */
  readonly #files = new Map<string, string>();
  /** Shards by repository; empty name: unknown. */
  readonly #shards = new Map<string, ShardReport[]>();
  readonly #problems: string[] = [];

  constructor(options: MergerOptions) {
    this.#options = options;
    this.#joined = new JoinedRepositories(options.preadmit);
  }

  /** `file`: names the report in messages, and the repository if the report does not. */
  add(file: string, report: Report): void {
    if (report.comparison !== undefined) {
      this.#problems.push(`\`${file}\` compares two states, which cannot be merged`);
    } else if (report.repositories !== undefined) {
      this.#problems.push(`\`${file}\` is a joined report: join the reports of the repositories`);
    } else if (report.shard === undefined) {
      this.#addWhole(report.repository ?? nameOf(file), file, report);
    } else {
      const name = report.repository ?? '';
      const known = this.#shards.get(name);
      if (known === undefined) this.#shards.set(name, [{ name: file, report }]);
      else known.push({ name: file, report });
      // A complete repository is joined at once, so that its shards do not stay in memory.
      if (this.#files.size + this.#shards.size > 1) this.#joinComplete();
    }
  }

  result(): MergeResult {
    const [only] = this.#shards.values();
    const isOne = this.#files.size === 0 && this.#shards.size < 2 && this.#options.expected.length === 0;
    if (isOne) return this.#problems.length > 0 ? { problems: this.#problems } : mergeReports(only ?? []);
    for (const [name, shards] of this.#shards) this.#join(name, shards);
    for (const name of this.#options.expected) {
      if (!this.#files.has(name)) this.#joined.addMissing(name);
    }
    return this.#problems.length > 0 ? { problems: this.#problems } : { report: this.#joined.build() };
  }

  #joinComplete(): void {
    for (const [name, shards] of this.#shards) {
      const indices = new Set(shards.map(({ report }) => report.shard?.index));
      if (name === '' || indices.size !== shards[0]?.report.shard?.count) continue;
      this.#shards.delete(name);
      this.#join(name, shards);
    }
  }

  #join(name: string, shards: readonly ShardReport[]): void {
    const [first] = shards;
    if (name === '' && first !== undefined) {
      this.#problems.push(`\`${first.name}\` does not name its repository, so it cannot be joined with other reports`);
      return;
    }
    const merged = mergeReports(shards);
    if ('problems' in merged) append(this.#problems, merged.problems);
    else this.#addWhole(name, first?.name ?? name, merged.report);
  }

  #addWhole(name: string, file: string, report: Report): void {
    const known = this.#files.get(name);
    if (known !== undefined) this.#problems.push(`\`${known}\` and \`${file}\` are both reports of \`${name}\``);
    else if (placeName(placePath(name, '')) !== name) {
      this.#problems.push(`\`${file}\` has no usable repository name: \`${name}\``);
    } else {
      this.#files.set(name, file);
      this.#joined.add(name, report);
    }
  }
}

/** `reports/acme-shop.json` → `acme-shop`. */
function nameOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.json$/, '');
}
