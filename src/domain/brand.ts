/** How pages and mails look. Without one they are neutral and say the company's name where it is known. */
export interface Brand {
  readonly name: string | null
  readonly logo: Logo | null
  /** `#rrggbb`, as set; pages compute shades of it that keep contrast. */
  readonly color: string | null
}

/** A checked image. */
export interface Logo {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly bytes: Uint8Array
}

export const noBrand: Brand = { name: null, logo: null, color: null }

interface LogoSize {
  readonly width: number
  readonly height: number
}

/** Returns the size in the image's own units; null if it gives none. */
export function logoSize({ type, bytes }: Logo): LogoSize | null {
  const { width, height } = type === 'image/png' ? pngSize(bytes) : svgSize(bytes)
  return width > 0 && height > 0 ? { width, height } : null
}

/** Reads the header chunk, which always comes first (RFC 2083 section 4.1.1). */
function pngSize(bytes: Uint8Array): LogoSize {
  if (bytes.length < 24) return { width: 0, height: 0 }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function svgSize(bytes: Uint8Array): LogoSize {
  const [root = ''] = /<(?:\w+:)?svg\b[^>]*>/.exec(new TextDecoder().decode(bytes)) ?? []
  const box = attributeOf(root, 'viewBox')
    ?.trim()
    .split(/[\s,]+/)
  const [width, height] = box?.slice(2) ?? [attributeOf(root, 'width'), attributeOf(root, 'height')]
  return { width: Number.parseFloat(width ?? ''), height: Number.parseFloat(height ?? '') }
}

function attributeOf(element: string, name: string): string | undefined {
  return new RegExp(String.raw`\s${name}\s*=\s*["']([^"']*)["']`).exec(element)?.[1]
}
