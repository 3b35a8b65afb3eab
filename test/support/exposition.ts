// A strict reader of Prometheus' text exposition format 0.0.4, with the rules of `promtool check metrics` for gauges.

export interface ReadMetric {
  readonly help: string;
  /** By labels, sorted by name: `{cluster="a"}`. */
  readonly samples: ReadonlyMap<string, number>;
}

const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** Throws at the first line that a Prometheus server or promtool would reject. */
export function readExposition(text: string): ReadonlyMap<string, ReadMetric> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const metrics = new Map<string, { help: string; samples: Map<string, number> }>();
  let current: { readonly name: string; readonly help: string; isTyped: boolean } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (metrics.has(name)) throw new Error(`\`${name}\` occurs in two places`);
      if (!NAME.test(name) || /_(?:total|count|sum|bucket|info_total)$/.test(name))
        throw new Error(`bad name \`${name}\``);
      if (rest === '' || /\\(?![\\n])/.test(rest)) throw new Error(`bad help of \`${name}\``);
      current = { name, help: rest, isTyped: false };
    } else if (keyword === 'TYPE') {
      if (current?.name !== name || current.isTyped || rest !== 'gauge') throw new Error(`bad type of \`${name}\``);
      current.isTyped = true;
    } else {
      if (line.startsWith('#') || line === '') throw new Error(`unexpected line: ${line}`);
      const sample = readSample(line);
      if (current === undefined || !current.isTyped || sample.name !== current.name) {
        throw new Error(`a sample without its type: ${line}`);
      }
      const metric = metrics.get(sample.name) ?? { help: current.help, samples: new Map<string, number>() };
      if (metric.samples.has(sample.labels)) throw new Error(`a series occurs twice: ${line}`);
      metric.samples.set(sample.labels, sample.value);
      metrics.set(sample.name, metric);
    }
  }
  return metrics;
}

function readSample(line: string): { readonly name: string; readonly labels: string; readonly value: number } {
  const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*/.exec(line)?.[0] ?? '';
  let at = name.length;
  const labels = new Map<string, string>();
  if (line[at] === '{') {
    at += 1;
    while (line[at] !== '}') {
      const label = /^([a-z_][a-z0-9_]*)="/.exec(line.slice(at));
      if (label === null || label[1]?.startsWith('__') === true) throw new Error(`bad label: ${line}`);
      at += label[0].length;
      let value = '';
      for (; line[at] !== '"'; at++) {
        if (at >= line.length) throw new Error(`a label without its end: ${line}`);
        if (line[at] === '\\') {
          at += 1;
          if (!'\\"n'.includes(line[at] ?? '?')) throw new Error(`bad escape: ${line}`);
        }
        value += line[at];
      }
      if (labels.has(label[1] as string)) throw new Error(`a label occurs twice: ${line}`);
      labels.set(label[1] as string, value);
      at += 1;
      if (line[at] === ',') at += 1;
      else if (line[at] !== '}') throw new Error(`labels without a comma: ${line}`);
    }
    at += 1;
  }
  const value = /^ (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line.slice(at))?.[1];
  if (name === '' || value === undefined) throw new Error(`bad sample: ${line}`);
  const sorted = [...labels].sort(([one], [other]) => (one < other ? -1 : 1));
  return { name, labels: `{${sorted.map(([label, text]) => `${label}="${text}"`).join(',')}}`, value: Number(value) };
}
