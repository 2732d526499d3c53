import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { docsFolder, generated } from './generate.ts'

const root = path.dirname(docsFolder)
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]
const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8')

it.each(pages)('%s has the tables that npm run docs writes', (page) => {
  expect(textOf(page)).toBe(generated(textOf(page)))
})

it.each(pages)('the links in %s lead to files and headings that exist', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = path.join(path.dirname(page), file || path.basename(page))
    if (!existsSync(path.join(root, target))) return true
    return anchor !== undefined && !anchorsOf(textOf(target)).has(anchor)
  })
  expect(broken).toEqual([])
})

it('README links to every page', () => {
  const readme = textOf('README.md')
  expect(pages.slice(1).filter((page) => !readme.includes(`](${page})`))).toEqual([])
})

describe('README', () => {
  it('README has at most 200 lines', () => {
    expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(201)
  })
})

/** As GitHub names headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}
