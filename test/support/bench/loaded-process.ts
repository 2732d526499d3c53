/* Loaded before a program: when that ends, the last line on standard error is a list of the addresses of all that it has loaded, as JSON. */
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

const standardError = 2
const loaded: string[] = []

registerHooks({
  load: (url, context, next) => {
    loaded.push(url)
    return next(url, context)
  },
})
process.on('exit', () => writeSync(standardError, `${JSON.stringify(loaded)}\n`))
