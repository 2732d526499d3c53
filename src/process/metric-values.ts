/* Metrics of several processes, added up. */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** What one process measured, as it can be sent to another. */
export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Node's histogram values, in seconds, before anything was measured. */
const unmeasured = /^nodejs_eventloop_lag_\w+ (?:nan|9223372036\.\d+)\n/gim

/** Adds up what several processes measured, as the aggregator of each metric says. */
export function sumMetrics(all: readonly MetricValues[]): Registry {
  return AggregatorRegistry.aggregate([...all])
}

/** What only ever grows: counters and histograms. */
export async function totalsOf(metrics: Registry): Promise<MetricValues> {
  const values = await metrics.getMetricsAsJSON()
  return values.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
}

/** In the Prometheus text format, without what was not measured yet. */
export async function writeMetrics(metrics: Registry): Promise<string> {
  return (await metrics.metrics()).replaceAll(unmeasured, '')
}
