/* Writes the tables in docs/ that follow from the code and from the last `npm run bench`, and the dashboard: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { listOptions } from '../../src/feeds/feed-options.ts'
import { bridgeTable, companyTable, rowsOf } from '../../src/settings/tables.ts'
import { performanceTable } from '../support/bench/bench-results.ts'
import { describedMetrics } from '../support/bridge/described-metrics.ts'
import { dashboard } from './dashboard.ts'

export const docsFolder = path.resolve(import.meta.dirname, '../../docs')
export const dashboardFile = path.resolve(docsFolder, '../deploy/grafana/dashboard.json')

/** The generated tables, by page and by the name of the marks around them. */
const tables: Readonly<Record<string, () => string>> = {
  settings: settingsTable,
  options: optionsTable,
  performance: performanceTable,
  metrics: metricsTable,
}

/** The text of a page with each of its generated tables as it should be. */
export function generated(text: string): string {
  return text.replaceAll(
    /<!-- (\w+) -->\n[^]*?<!-- \/\1 -->/g,
    (_, name: string) => `<!-- ${name} -->\n\n${tables[name]?.() ?? ''}\n\n<!-- /${name} -->`,
  )
}

function settingsTable(): string {
  const rows = [...rowsOf(bridgeTable), ...rowsOf(companyTable)].flatMap(
    ({ environmentName, defaultText, meaning }) =>
      environmentName === null ? [] : `| \`${environmentName}\` | ${defaultText} | ${meaning} |`,
  )
  return ['| key | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

function optionsTable(): string {
  const rows = listOptions().map(({ name, meaning, values, defaults: { own, others }, example }) =>
    rowOf([`\`${name}\``, meaning, values, own, others, `\`${example}\``]),
  )
  const header = ['option', 'meaning', 'values', 'default: own', 'default: others', 'example']
  return [rowOf(header), '|---|---|---|---|---|---|', ...rows].join('\n')
}

function metricsTable(): string {
  const rows = describedMetrics().map(({ name, type, labelNames, help }) => {
    const labels = labelNames.map((label) => `\`${label}\``).join(', ')
    return rowOf([`\`${name.replace('calendar_feed_bridge_', '')}\``, type, labels, help])
  })
  return [rowOf(['metric', 'type', 'labels', 'meaning']), '|---|---|---|---|', ...rows].join('\n')
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

if (process.argv[1] === import.meta.filename) {
  for (const page of ['settings', 'calendar-options', 'performance', 'metrics']) {
    const file = path.join(docsFolder, `${page}.md`)
    writeFileSync(file, generated(readFileSync(file, 'utf8')))
  }
  writeFileSync(dashboardFile, JSON.stringify(dashboard()))
}
