/* Contrast of colours, as WCAG 2.2 computes it; colours are `#rrggbb`. */

/** Black or white, whichever has more contrast on that colour: always 4.5 at least. */
export function readableOn(color: string): '#ffffff' | '#000000' {
  return contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000'
}

const steps = 100

/**
 * The colour itself if it has that contrast with the background, else the nearest shade toward black or white that has it;
 * with a ratio that nothing reaches, black or white.
 */
export function withContrast(color: string, background: string, ratio: number): string {
  const end = readableOn(background)
  for (let step = 0; step < steps; step += 1) {
    const shade = mixed(color, end, step / steps)
    if (contrast(shade, background) >= ratio) return shade
  }
  return end
}

/** 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The colour with that share, 0 to 1, of the other one. */
export function mixed(color: string, end: string, share: number): string {
  const ends = channels(end)
  const parts = channels(color).map((channel, index) =>
    Math.round(channel + ((ends[index] ?? channel) - channel) * share),
  )
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function channels(color: string): readonly number[] {
  return [1, 3, 5].map((begin) => Number.parseInt(color.slice(begin, begin + 2), 16))
}
