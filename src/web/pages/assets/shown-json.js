const lengthMax = 200_000
const tokens =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Shows the text with coloured names and values; cuts very long text. */
export function colourJson(element, whole) {
  const text = whole.length > lengthMax ? `${whole.slice(0, lengthMax)}\n…` : whole
  const parts = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    parts.push(text.slice(end, match.index), coloured(match[1] ?? match[0], kindOf(match)))
    end = match.index + (match[1] ?? match[0]).length
  }
  element.replaceChildren(...parts, text.slice(end))
}

function kindOf([, quoted, colon]) {
  if (quoted === undefined) return 'value'
  return colon === undefined ? 'text' : 'name'
}

function coloured(text, kind) {
  const span = document.createElement('span')
  span.className = kind
  span.textContent = text
  return span
}
