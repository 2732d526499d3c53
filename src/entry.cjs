/*
 * Where npm's scripts begin. The program is TypeScript, which an older Node cannot even parse, so this file asks first
 * which Node runs it, in words that every Node knows: no types, no imports, nothing newer than `import()`.
 */
const needed = [24, 12]

const [major, minor] = process.versions.node.split('.').map(Number)

if (major > needed[0] || (major === needed[0] && minor >= needed[1])) {
  void import('./main.ts')
} else {
  console.error(
    `This needs Node ${needed.join('.')} or newer, and this is Node ${process.versions.node}: install it, or run "npm ci" on Linux (x64, arm64), which brings the right one for "npm start" and "npm run bridge".`,
  )
  process.exitCode = 1
}
