// Options of `--fetch-charts` from the environment, and the download of charts until none is missing.

import type { RenderEngine } from '../../render/engine/render-engine.ts';
import type { ChartReference, FetchedCharts } from '../../render/sources/chart-reference.ts';
import { ChartFetcher, type ChartFetching } from '../../workspace/charts/fetch-charts.ts';
import type { SchemaFetching } from '../../workspace/schemas/fetch-schemas.ts';

export type ChartOptions = Omit<ChartFetching, 'engine' | 'root'>;
export type SchemaOptions = Omit<SchemaFetching, 'root'>;

/** One `host=user:password` or `host=Bearer token` per line. */
const CREDENTIALS = 'PREADMIT_CHART_CREDENTIALS';
/** Hosts with private addresses, separated by commas or spaces. */
const PRIVATE_HOSTS = 'PREADMIT_CHART_PRIVATE_HOSTS';
/** A downloaded chart may reference further charts. */
const MAXIMUM_ROUNDS = 8;

export function chartOptions(
  environment: Readonly<Record<string, string | undefined>>,
  cache: string | undefined,
  now: () => number,
): ChartOptions {
  const lines = (environment[CREDENTIALS] ?? '').split('\n').map((line) => line.trim());
  const credentials = lines.flatMap((line): [string, string][] => {
    const equals = line.indexOf('=');
    return equals > 0 ? [[line.slice(0, equals).toLowerCase(), line.slice(equals + 1)]] : [];
  });
  const hosts = (environment[PRIVATE_HOSTS] ?? '').split(/[\s,]+/).filter((host) => host !== '');
  return {
    credentials: new Map(credentials),
    privateHosts: new Set(hosts.map((host) => host.toLowerCase())),
    now,
    ...(cache !== undefined && { cache }),
  };
}

/** Options of `--fetch-schemas`. */
export function schemaOptions(...given: Parameters<typeof chartOptions>): SchemaOptions {
  const { privateHosts, now, cache } = chartOptions(...given);
  return { privateHosts, now, ...(cache !== undefined && { cache }) };
}

/** `missing` receives the charts fetched so far. Throws WorkspaceError if the cache is unusable. */
export async function fetchMissingCharts(
  options: ChartOptions,
  root: string,
  engine: () => RenderEngine,
  missing: (charts: FetchedCharts) => readonly ChartReference[],
): Promise<FetchedCharts> {
  const fetcher = new ChartFetcher({ ...options, root, engine });
  for (let round = 0; round < MAXIMUM_ROUNDS; round++) {
    const wanted = missing(fetcher.charts);
    if (wanted.length === 0) break;
    await fetcher.fetch(wanted);
  }
  return fetcher.charts;
}
