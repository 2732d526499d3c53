import { expect, it } from 'vitest'

import { judgeAudit } from './audit.ts'

const none = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 }

/** What npm prints where the registry has told of these packages. */
function found(severities: Readonly<Record<string, string>>): string {
  const entries = Object.entries(severities).map(([name, severity]) => [name, { name, severity }])
  return JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(entries) as object,
    metadata: { vulnerabilities: none },
  })
}

it.each([
  [found({}), 0, 'No vulnerability of level high or above is known.'],
  [
    found({ a: 'low', b: 'moderate' }),
    0,
    'No vulnerability of level high or above is known (2 of a lower level).',
  ],
  [
    found({ a: 'low', b: 'high', c: 'critical' }),
    1,
    'Vulnerabilities of level high or above are known in: b, c.',
  ],
  [
    JSON.stringify({ message: '405 Method Not Allowed - POST …', statusCode: 405, error: {} }),
    0,
    'The audit was skipped: the registry offers no audit (it answers 405).',
  ],
  [
    JSON.stringify({ message: 'request to … failed, reason: connect ECONNREFUSED …', error: {} }),
    0,
    'The audit was skipped: the registry cannot be reached.',
  ],
  [
    JSON.stringify({ message: 'This command requires an existing lockfile.', error: {} }),
    1,
    'The audit failed: npm did not say what it found.',
  ],
  ['', 1, 'The audit failed: npm did not say what it found.'],
  ['null', 1, 'The audit failed: npm did not say what it found.'],
])('npm prints %s', (printed, exitCode, sentence) => {
  expect(judgeAudit(printed)).toEqual({ exitCode, sentence })
})
