/* Every metric of the program: its name, what it says, its labels and its buckets. */
import { Counter, Gauge, Histogram, type MetricConfiguration, type Registry } from 'prom-client'

import { countedQueues } from '../domain/measures.ts'

const prefix = 'calendar_feed_bridge_'

/** From a ready answer to one that waits for a slow Read API. */
const answerBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 5, 10, 30]
const workBuckets = [0.005, 0.02, 0.1, 0.5, 2, 8, 30]
/** From a minute to a month. */
const ageBuckets = [60, 300, 900, 3600, 14_400, 86_400, 604_800, 2_592_000]

type Aggregator = NonNullable<MetricConfiguration<string>['aggregator']>

export type Instruments = ReturnType<typeof create>

/**
 * Creates the metrics in that registry. `look` is called before a gauge is read. Of several processes on one database the
 * sum is told, and of what all of them see alike the largest or the smallest.
 */
export function createInstruments(registry: Registry, look: () => Promise<void>): Instruments {
  return create(registry, look)
}

function create(registry: Registry, look: () => Promise<void>) {
  const named = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => {
    return { name: `${prefix}${name}`, help, labelNames: [...labelNames], registers: [registry] }
  }
  const counter = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
    new Counter(named(name, help, labels))
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    buckets: number[],
  ) => new Histogram({ ...named(name, help, labels), buckets })
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labels: readonly Label[],
    aggregator: Aggregator,
  ) => new Gauge({ ...named(name, help, labels), aggregator, collect: look })
  const queues = Object.entries(countedQueues).map(([name, what]) => `${what} (${name})`)
  return {
    ready: gauge(
      'ready',
      'Whether the database answers and takes writes (1), as /readyz says',
      [],
      'min',
    ),
    polls: counter(
      'polls_total',
      'Requests for calendars, by program, status, and whether the answer was ready (hit) or had to be made (miss)',
      ['client', 'status', 'ready'],
    ),
    answers: counter('answers_total', 'HTTP requests answered, by route and status', [
      'route',
      'status',
    ]),
    answerSeconds: histogram(
      'answer_seconds',
      'Time until an HTTP request was answered whole, by route',
      ['route'],
      answerBuckets,
    ),
    renderSeconds: histogram(
      'render_seconds',
      'Time to make one calendar and to store its revisions, without waiting for its turn',
      [],
      workBuckets,
    ),
    setAside: counter(
      'records_set_aside_total',
      'Records that cannot be shown, counted each time a calendar is made without them, by company and kind',
      ['company', 'kind'],
    ),
    readApiUp: gauge(
      'read_api_up',
      'Whether the Read API answers feeds (1) or nothing of what they ask for (0), by company',
      ['company'],
      'min',
    ),
    oldestCopySeconds: gauge(
      'oldest_copy_seconds',
      'Age of the oldest copy that is served since it could not be refreshed, 0 where all could, by company',
      ['company'],
      'max',
    ),
    staleLimitSeconds: gauge(
      'stale_limit_seconds',
      'Age at which a copy is no longer served (FEED_STALE_DAYS)',
      [],
      'max',
    ),
    copyAgeSeconds: histogram(
      'copy_age_seconds',
      'Age of each copy that a calendar was made from or compared with, by company; ready answers are not counted',
      ['company'],
      ageBuckets,
    ),
    refreshes: counter(
      'refreshes_total',
      'Attempts to bring a copy up to date, by company, kind, and what became of it: kept, or why not',
      ['company', 'kind', 'outcome'],
    ),
    refreshSeconds: histogram(
      'refresh_seconds',
      'Time to bring one copy up to date: waiting for requests, asking, proving, storing; by kind',
      ['kind'],
      workBuckets,
    ),
    requests: counter(
      'read_api_requests_total',
      'Requests sent to the Read API, by company, operation and outcome',
      ['company', 'operation', 'outcome'],
    ),
    requestSeconds: histogram(
      'read_api_request_seconds',
      'Time from sending a request to the Read API until its answer was read, by company',
      ['company'],
      workBuckets,
    ),
    pauses: counter(
      'read_api_pauses_total',
      'Times that requests to the Read API were held back: as it asked, or after failures; by company',
      ['company', 'reason'],
    ),
    leaveProof: gauge(
      'leave_proof',
      'Which is the state (1) of the proof that the Read API filters leaves by person, by company',
      ['company', 'state'],
      'max',
    ),
    doubtedCopies: gauge(
      'doubted_copies',
      'Copies kept since the Read API suddenly answered much less, until further answers decide, by company',
      ['company'],
      'max',
    ),
    mails: counter('mails_total', 'Mails, by outcome: sent, or why not', ['outcome']),
    signIns: counter('sign_ins_total', 'Sign-ins, by outcome: signed_in, or why not', ['outcome']),
    queueLength: gauge(
      'queue_length',
      `What waits for its turn: ${queues.join(', ')}`,
      ['queue'],
      'sum',
    ),
    events: counter('events_total', 'What the log told of, by its word, level and company', [
      'event',
      'level',
      'company',
    ]),
    feeds: gauge(
      'feeds',
      'Feeds in the database: open, closed since the person has left, revoked',
      ['state'],
      'max',
    ),
    databaseSeconds: gauge(
      'database_answer_seconds',
      'Time until the database answered one small read, just now; at most 1',
      [],
      'max',
    ),
    databaseBytes: gauge('database_size_bytes', 'Size of the database', [], 'max'),
    databaseFreeBytes: gauge(
      'database_free_bytes',
      'Room left on the disk of the SQLite file; absent with PostgreSQL',
      [],
      'max',
    ),
    timeSeconds: gauge(
      'time_seconds',
      'The time that calendars follow, in seconds since 1970',
      [],
      'max',
    ),
    heapLimitBytes: gauge(
      'heap_limit_bytes',
      'Size of the JavaScript heap at which the process ends',
      [],
      'sum',
    ),
  } as const
}
