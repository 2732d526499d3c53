/* The Grafana dashboard, row by row in the order in which an operator asks. `npm run docs` writes it to deploy/grafana/. */

type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'none'

interface Panel {
  readonly title: string
  readonly unit: Unit
  /** One number instead of a curve: red from there on, or up to there. */
  readonly stat?: { readonly redFrom: number } | { readonly redTo: number }
  /** Expression by legend. */
  readonly of: Readonly<Record<string, string>>
}

const all = 'job=~"$job"'
const ofCompany = `${all},company=~"$company"`
const own = 'calendar_feed_bridge_'

function rate(metric: string, by: string, labels = all): string {
  return `sum by (${by}) (rate(${own}${metric}{${labels}}[$__rate_interval]))`
}

function quantile(q: number, metric: string, labels = all): string {
  return `histogram_quantile(${q}, ${rate(`${metric}_bucket`, 'le', labels)})`
}

const polls = `sum(rate(${own}polls_total{${all}}[$__rate_interval]))`
const failing = `sum(rate(${own}polls_total{${all},status=~"5.."}[$__rate_interval]))`
const served = 'status=~"200|304"'

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Overview: [
    {
      title: 'Alerts',
      unit: 'none',
      stat: { redFrom: 1 },
      of: { firing: 'count(ALERTS{alertname=~"Bridge.*",alertstate="firing"}) or vector(0)' },
    },
    { title: 'Nodes up', unit: 'none', stat: { redTo: 0 }, of: { up: `sum(up{${all}})` } },
    {
      title: 'Database ready',
      unit: 'none',
      stat: { redTo: 0 },
      of: { ready: `min(${own}ready{${all}})` },
    },
    {
      title: 'Read API up',
      unit: 'none',
      stat: { redTo: 0 },
      of: { '{{company}}': `max by (company) (${own}read_api_up{${ofCompany}})` },
    },
    {
      title: 'Leave proven',
      unit: 'none',
      stat: { redTo: 0 },
      of: { '{{company}}': `max by (company) (${own}leave_proof{${ofCompany},state="proven"})` },
    },
    {
      title: 'Oldest copy',
      unit: 's',
      stat: { redFrom: 86_400 },
      of: { '{{company}}': `max by (company) (${own}oldest_copy_seconds{${ofCompany}})` },
    },
    {
      title: 'Polls that fail',
      unit: 'percentunit',
      stat: { redFrom: 0.05 },
      of: { share: `(${failing} or vector(0)) / ${polls}` },
    },
    {
      title: 'Open feeds',
      unit: 'short',
      stat: { redTo: -1 },
      of: { open: `max(${own}feeds{${all},state="open"})` },
    },
  ],
  Polls: [
    {
      title: 'Polls by status',
      unit: 'reqps',
      of: { '{{status}}': rate('polls_total', 'status') },
    },
    {
      title: 'Polls by program',
      unit: 'reqps',
      of: { '{{client}}': rate('polls_total', 'client') },
    },
    {
      title: 'Answers that were ready',
      unit: 'percentunit',
      of: {
        ready: `sum(rate(${own}polls_total{${all},${served},ready="hit"}[$__rate_interval])) / sum(rate(${own}polls_total{${all},${served}}[$__rate_interval]))`,
      },
    },
    {
      title: 'Time of a poll',
      unit: 's',
      of: {
        half: quantile(0.5, 'answer_seconds', `${all},route="calendar"`),
        '99 of 100': quantile(0.99, 'answer_seconds', `${all},route="calendar"`),
      },
    },
    {
      title: 'Time to make a calendar',
      unit: 's',
      of: { half: quantile(0.5, 'render_seconds'), '99 of 100': quantile(0.99, 'render_seconds') },
    },
    {
      title: 'Other answers',
      unit: 'reqps',
      of: {
        '{{route}} {{status}}': rate(
          'answers_total',
          'route, status',
          `${all},route!~"calendar|events|dav"`,
        ),
      },
    },
  ],
  'Read API': [
    {
      title: 'Requests by operation',
      unit: 'reqps',
      of: {
        '{{company}} {{operation}}': rate(
          'read_api_requests_total',
          'company, operation',
          ofCompany,
        ),
      },
    },
    {
      title: 'Requests that fail, and pauses',
      unit: 'reqps',
      of: {
        '{{company}} {{outcome}}': rate(
          'read_api_requests_total',
          'company, outcome',
          `${ofCompany},outcome!="answered"`,
        ),
        '{{company}} pause: {{reason}}': rate(
          'read_api_pauses_total',
          'company, reason',
          ofCompany,
        ),
      },
    },
    {
      title: 'Time of a request',
      unit: 's',
      of: {
        half: quantile(0.5, 'read_api_request_seconds', ofCompany),
        '99 of 100': quantile(0.99, 'read_api_request_seconds', ofCompany),
      },
    },
    {
      title: 'Refreshes by outcome',
      unit: 'reqps',
      of: { '{{company}} {{outcome}}': rate('refreshes_total', 'company, outcome', ofCompany) },
    },
    {
      title: 'Time of a refresh',
      unit: 's',
      of: {
        '{{kind}}, 99 of 100': `histogram_quantile(0.99, ${rate('refresh_seconds_bucket', 'le, kind')})`,
      },
    },
    {
      title: 'Age of copies',
      unit: 's',
      of: {
        half: quantile(0.5, 'copy_age_seconds', ofCompany),
        '99 of 100': quantile(0.99, 'copy_age_seconds', ofCompany),
        'no longer served': `max(${own}stale_limit_seconds{${all}})`,
      },
    },
    {
      title: 'Doubted copies',
      unit: 'short',
      of: { '{{company}}': `max by (company) (${own}doubted_copies{${ofCompany}})` },
    },
    {
      title: 'Records set aside',
      unit: 'reqps',
      of: { '{{company}} {{kind}}': rate('records_set_aside_total', 'company, kind', ofCompany) },
    },
  ],
  Database: [
    {
      title: 'Time of a small read',
      unit: 's',
      of: { '{{instance}}': `${own}database_answer_seconds{${all}}` },
    },
    {
      title: 'Size',
      unit: 'bytes',
      of: {
        size: `max(${own}database_size_bytes{${all}})`,
        'free on {{instance}}': `${own}database_free_bytes{${all}}`,
      },
    },
    { title: 'Feeds', unit: 'short', of: { '{{state}}': `max by (state) (${own}feeds{${all}})` } },
  ],
  Process: [
    {
      title: 'Event loop, how late',
      unit: 's',
      of: { '{{instance}}, 99 of 100': `nodejs_eventloop_lag_p99_seconds{${all}}` },
    },
    {
      title: 'Memory',
      unit: 'bytes',
      of: {
        '{{instance}} resident': `process_resident_memory_bytes{${all}}`,
        '{{instance}} heap': `nodejs_heap_size_used_bytes{${all}}`,
        '{{instance}} limit of the heap': `${own}heap_limit_bytes{${all}}`,
      },
    },
    {
      title: 'Processor',
      unit: 'percentunit',
      of: { '{{instance}}': `rate(process_cpu_seconds_total{${all}}[$__rate_interval])` },
    },
    {
      title: 'Queues',
      unit: 'short',
      of: { '{{queue}}': `sum by (queue) (${own}queue_length{${all}})` },
    },
    {
      title: 'Mails and sign-ins',
      unit: 'short',
      of: {
        'mail {{outcome}}': `sum by (outcome) (increase(${own}mails_total{${all}}[1h]))`,
        'sign-in {{outcome}}': `sum by (outcome) (increase(${own}sign_ins_total{${all}}[1h]))`,
      },
    },
    {
      title: 'Warnings and errors in the log',
      unit: 'short',
      of: {
        '{{event}}': `sum by (event) (increase(${own}events_total{${all},level=~"warn|error"}[1h]))`,
      },
    },
  ],
}

const datasource = { type: 'prometheus', uid: '${datasource}' }
const wide = 24
const stat = { w: 3, h: 4 }
const curve = { w: 8, h: 8 }

/** All expressions, as they are when its variables have values. */
export function dashboardExpressions(): readonly string[] {
  const panels = Object.values(rows).flat()
  return panels
    .flatMap(({ of }) => Object.values(of))
    .map((expr) => expr.replaceAll('$__rate_interval', '5m'))
}

/** As Grafana imports it. */
export function dashboard(): object {
  return {
    uid: 'calendar-feed-bridge',
    title: 'Calendar feed bridge',
    tags: ['calendar-feed-bridge'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    timezone: 'browser',
    templating: { list: variables() },
    panels: panelsOf(),
  }
}

function variables(): readonly object[] {
  const values = (name: string, label: string, query: string): object => ({
    name,
    label,
    type: 'query',
    datasource,
    query: { query, refId: name },
    refresh: 2,
    includeAll: true,
    multi: true,
    sort: 1,
    current: { text: 'All', value: '$__all' },
  })
  return [
    { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
    values('job', 'Job', `label_values(${own}ready, job)`),
    values('company', 'Company', `label_values(${own}read_api_up{job=~"$job"}, company)`),
  ]
}

/** Each row's panels from the left, line by line. */
function panelsOf(): readonly object[] {
  const panels: object[] = []
  let y = 0
  for (const [title, ofRow] of Object.entries(rows)) {
    panels.push({ id: panels.length + 1, type: 'row', title, gridPos: { x: 0, y, w: wide, h: 1 } })
    y += 1
    let x = 0
    let height = 0
    for (const panel of ofRow) {
      const { w, h } = panel.stat ? stat : curve
      if (x + w > wide) [x, y] = [0, y + h]
      panels.push({ id: panels.length + 1, ...panelOf(panel), gridPos: { x, y, w, h } })
      x += w
      height = h
    }
    y += height
  }
  return panels
}

function panelOf({ title, unit, stat: limits, of }: Panel): object {
  const targets = Object.entries(of).map(([legendFormat, expr], index) => ({
    refId: String.fromCodePoint(65 + index),
    expr,
    legendFormat,
  }))
  const common = { title, datasource, targets }
  if (!limits) {
    const legend = { displayMode: 'list', placement: 'bottom' }
    const custom = { fillOpacity: 10, showPoints: 'never' }
    return {
      ...common,
      type: 'timeseries',
      fieldConfig: { defaults: { unit, min: 0, custom }, overrides: [] },
      options: { legend, tooltip: { mode: 'multi', sort: 'desc' } },
    }
  }
  const isBadAbove = 'redFrom' in limits
  const from = isBadAbove ? limits.redFrom : limits.redTo + 0.5
  const [low, high] = isBadAbove ? ['green', 'red'] : ['red', 'green']
  const steps = [
    { color: low, value: null },
    { color: high, value: from },
  ]
  return {
    ...common,
    type: 'stat',
    fieldConfig: { defaults: { unit, thresholds: { mode: 'absolute', steps } }, overrides: [] },
    options: {
      colorMode: 'background',
      graphMode: 'none',
      textMode: 'auto',
      reduceOptions: { calcs: ['lastNotNull'] },
    },
  }
}
