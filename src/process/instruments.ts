/* Every metric of the program: its name, what it says, its labels and its buckets. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

import { countedQueues } from '../domain/measures.ts'

const prefix = 'calendar_feed_bridge_'

/** From a ready answer to one that waits for a slow Read API. */
const answerBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2, 5, 10, 30]
const workBuckets = [0.005, 0.02, 0.1, 0.5, 2, 8, 30]
/** From a minute to a month. */
const ageBuckets = [60, 300, 900, 3600, 14_400, 86_400, 604_800, 2_592_000]

export type Instruments = ReturnType<typeof create>

/**
 * Creates the metrics in that registry. `look` is called before a gauge is read. Several processes on one database report
 * the sum, or the largest or smallest value of what all of them see alike.
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
    aggregator: 'sum' | 'max' | 'min',
    labels: readonly Label[] = [],
  ) => new Gauge({ ...named(name, help, labels), aggregator, collect: look })
  const queues = Object.entries(countedQueues).map(([name, what]) => `${what} (${name})`)
  return {
    ready: gauge(
      'ready',
      'Whether the database answers and takes writes (1), as /readyz says',
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
      'Time until the whole answer to an HTTP request was sent, by route',
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
      'Whether the Read API answers what feeds ask for (1) or nothing of it (0), by company',
      'min',
      ['company'],
    ),
    oldestCopySeconds: gauge(
      'oldest_copy_seconds',
      'Age of the oldest copy that is served because its refresh failed, 0 if none failed, by company',
      'max',
      ['company'],
    ),
    staleLimitSeconds: gauge(
      'stale_limit_seconds',
      'Age at which a copy is no longer served (FEED_STALE_DAYS)',
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
      'Refreshes of copies, by company, kind and outcome: kept, or why not',
      ['company', 'kind', 'outcome'],
    ),
    refreshSeconds: histogram(
      'refresh_seconds',
      'Time to refresh one copy, from waiting for its requests to storing it, by kind',
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
      'Pauses of requests to the Read API, by company and reason: asked for by it, or after failures',
      ['company', 'reason'],
    ),
    leaveProof: gauge(
      'leave_proof',
      'State of the proof that the Read API filters leaves by person: 1 for the current one, by company',
      'max',
      ['company', 'state'],
    ),
    doubtedCopies: gauge(
      'doubted_copies',
      'Copies kept because the Read API suddenly answered much less, until further answers decide, by company',
      'max',
      ['company'],
    ),
    mails: counter('mails_total', 'Mails, by outcome: sent, or why not', ['outcome']),
    signIns: counter('sign_ins_total', 'Sign-ins, by outcome: signed_in, or why not', ['outcome']),
    queueLength: gauge(
      'queue_length',
      `Work that waits for its turn: ${queues.join(', ')}`,
      'sum',
      ['queue'],
    ),
    events: counter(
      'events_total',
      'Events logged, also those below LOG_LEVEL, by event, level and company',
      ['event', 'level', 'company'],
    ),
    feeds: gauge(
      'feeds',
      'Feeds in the database: open, closed because the person left, revoked',
      'max',
      ['state'],
    ),
    databaseSeconds: gauge(
      'database_answer_seconds',
      'Time of one small read of the database, measured for this answer; at most 1 second',
      'max',
    ),
    databaseBytes: gauge('database_size_bytes', 'Size of the database', 'max'),
    databaseFreeBytes: gauge(
      'database_free_bytes',
      'Free space on the disk of the SQLite file; absent with PostgreSQL',
      'max',
    ),
    timeSeconds: gauge(
      'time_seconds',
      'The time that calendars follow, in seconds since 1970',
      'max',
    ),
    heapLimitBytes: gauge(
      'heap_limit_bytes',
      'Size of the JavaScript heap at which the process ends',
      'sum',
    ),
  } as const
}
