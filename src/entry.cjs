/*
 * Where npm's scripts begin. The program is TypeScript, which an older Node cannot even parse, so this file asks first
 * which Node runs it, in words that every Node knows: no types, no imports, nothing newer than `import()`.
 */
const needed = [24, 12]

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  void start()
} else {
  console.error(
    `This needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}: install it, or run "npm ci" on Linux (x64, arm64), which brings the right one for "npm start" and "npm run bridge".`,
  )
  process.exitCode = 1
}

/**
 * Node keeps what it has compiled, so that the next start costs half. What lies there is run, so it lies where only those
 * write who can change the program itself, and not in the folder for temporary files, which is everybody's.
 */
function start() {
  return Promise.all([import('node:fs'), import('node:module')]).then(
    ([fs, { enableCompileCache }]) => {
      const folder = `${__dirname}/../node_modules/.compiled`
      try {
        // Also where the process lets others write what it makes.
        fs.mkdirSync(folder, { mode: 0o700 })
      } catch {
        // It is there, or cannot be made: then Node starts without it.
      }
      enableCompileCache(folder)
      return import('./main.ts')
    },
  )
}
