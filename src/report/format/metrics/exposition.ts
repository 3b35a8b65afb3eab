// The text exposition format of Prometheus, version 0.0.4: gauges with a bounded number of series.

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Gauge {
  /** Snake case, with the unit at the end if there is one. */
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Values of one label in one gauge. The samples of the other values are added up as `OTHER`, so that sums stay exact. */
const MAX_VALUES = 100;
const OTHER = '(other)';
const MAX_LENGTH = 200;

/** Gauges without samples are left out: Prometheus treats a missing series as unknown, not as zero. */
export function exposition(gauges: readonly Gauge[]): string {
  return gauges
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) => {
      const lines = Array.from(series(samples), ([labels, value]) => `${name}${labels} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
    })
    .join('');
}

/** Equal labels are added up, because a series may occur only once. */
function series(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const kept = keptValues(samples);
  const values = new Map<string, number>();
  for (const { labels, value } of samples) {
    const pairs = Object.entries(labels).map(([name, text]) => {
      const shown = shownValue(text);
      return `${name}="${escaped(kept.get(name)?.has(shown) === true ? shown : OTHER)}"`;
    });
    const key = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
    values.set(key, (values.get(key) ?? 0) + value);
  }
  return values;
}

/** The values of each label with the largest sums, then by name. */
function keptValues(samples: readonly Sample[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sums = new Map<string, Map<string, number>>();
  for (const { labels, value } of samples) {
    for (const [name, text] of Object.entries(labels)) {
      const ofLabel = sums.get(name) ?? new Map<string, number>();
      sums.set(name, ofLabel);
      ofLabel.set(shownValue(text), (ofLabel.get(shownValue(text)) ?? 0) + value);
    }
  }
  return new Map(
    Array.from(sums, ([name, ofLabel]) => {
      const most = [...ofLabel].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, MAX_VALUES);
      return [name, new Set(most.map(([text]) => text))];
    }),
  );
}

/** Without control characters and lone surrogates, which are not UTF-8. */
function shownValue(text: string): string {
  return [...text.replace(/[\p{Cc}\p{Cf}\p{Surrogate}\u2028\u2029]/gu, '\ufffd')].slice(0, MAX_LENGTH).join('');
}

/** The Actions runner executes `##[command]` anywhere in a line of the log. */
function escaped(text: string): string {
  return text.replaceAll('##[', '#\ufffd#[').replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
