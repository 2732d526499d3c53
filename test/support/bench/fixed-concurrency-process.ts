/* Loaded before the program: keeps the number of requests at once where it is told to, whatever the answers are like. */
import { ConcurrencyLimit } from '../../../src/transport/concurrency-limit.ts'

const level = Number(process.env['FIXED_CONCURRENCY'])
Object.defineProperty(ConcurrencyLimit.prototype, 'level', { get: () => level })
