/* Finds, marks where the reader is, and copies. The page works without it. */
import { copyOnClick } from './copy-button.js'
import { colourJson } from './shown-json.js'

const contents = document.querySelector('.contents > details')
const links = [...contents.querySelectorAll('a')]

// On a phone the contents lie over the page; beside it they are always open.
const wide = matchMedia('(min-width: 64rem)')
contents.open = wide.matches
wide.addEventListener('change', () => (contents.open = wide.matches))
contents.addEventListener('click', ({ target }) => {
  if (target.closest('a')) contents.open = wide.matches
})

openTarget()
addEventListener('hashchange', openTarget)
markCurrent()
find(contents.querySelector('.finder'))
for (const it of document.querySelectorAll('[data-copy]')) copyOnClick(it)
for (const it of document.querySelectorAll('.sample code')) colourJson(it, it.textContent)

/** Unfolds what the address leads to; older browsers do not, and none unfolds an operation. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  const folded = target?.closest('main details:not([open])')
  if (folded) {
    folded.open = true
    target.scrollIntoView()
  }
  if (target?.matches('.operation')) {
    for (const it of target.querySelectorAll('details.fold')) it.open = true
  }
  const link = links.find(({ hash }) => hash === location.hash)
  if (link) mark(link)
}

/** Marks the link of the part of the page that is being read: what is just below the upper edge of the window. */
function markCurrent() {
  const linkOf = new Map(
    links.map((link) => [document.getElementById(link.hash.slice(1)).closest('section'), link]),
  )
  // Headings of groups are in no section.
  linkOf.delete(null)
  const observer = new IntersectionObserver(
    (entries) => {
      // Sections lie within each other: the innermost comes last.
      const entry = entries.findLast(({ isIntersecting }) => isIntersecting)
      if (entry) mark(linkOf.get(entry.target))
    },
    { rootMargin: '-12% 0px -87%' },
  )
  for (const section of linkOf.keys()) observer.observe(section)
}

function mark(link) {
  for (const it of links) it.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'true')
  if (!link.checkVisibility()) return
  const frame = contents.parentElement
  const { top, bottom } = link.getBoundingClientRect()
  const { top: first, bottom: last } = frame.getBoundingClientRect()
  if (top < first || bottom > last) frame.scrollTop += top - first - frame.clientHeight / 2
}

/** Shows only the links that have all words, in their text or among the names of their properties. */
function find(finder) {
  const [field, told, unfold] = finder.querySelectorAll('input, [role=status], button')
  const entries = links.filter((link) => link.closest('li'))
  finder.hidden = false
  unfold.addEventListener('click', () => {
    const isOpen = unfold.getAttribute('aria-pressed') === 'false'
    unfold.setAttribute('aria-pressed', String(isOpen))
    for (const it of document.querySelectorAll('main details')) it.open = isOpen
  })
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const isFound = (link) => {
      const text = `${link.textContent} ${link.dataset.words ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    }
    for (const link of entries) link.parentElement.hidden = !isFound(link)
    for (const group of contents.querySelectorAll('.group')) {
      group.hidden = !group.querySelector('li:not([hidden])')
      const fold = group.querySelector('details')
      if (fold) fold.open = words.length > 0
    }
    const count = entries.filter(isFound).length
    told.textContent = words.length === 0 ? '' : count === 0 ? 'Nothing found' : `${count} found`
  })
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') entries.find((link) => !link.parentElement.hidden)?.click()
  })
}
