/* Shades of a company's colour that keep their contrast (WCAG 2.2, 1.4.3), by day and by night. */

type Shade = readonly [red: number, green: number, blue: number]

const textContrast = 4.5
/** Of borders and other signs (WCAG 2.2, 1.4.11). */
const signContrast = 3

const black: Shade = [0, 0, 0]
const white: Shade = [255, 255, 255]

/** Each at least as far from white, or from black, as any ground on which pages put text. */
const grounds = { light: shadeOf('#e5e9f0'), dark: shadeOf('#2c3442') } as const

/** Colours as `#rrggbb`. */
export interface SchemeColors {
  /** Links and icons. */
  readonly text: string
  readonly textHover: string
  readonly button: string
  readonly buttonHover: string
  readonly buttonText: string
  readonly buttonBorder: string
  /** The ground of a white check mark. */
  readonly check: string
}

/** Returns the shades of `color`, which is `#rrggbb`, on that scheme's grounds. */
export function schemeColors(color: string, scheme: 'light' | 'dark'): SchemeColors {
  const given = shadeOf(color)
  const ground = grounds[scheme]
  const far = scheme === 'light' ? black : white
  const text = toward(far, given, (shade) => contrast(shade, ground) >= textContrast)
  const buttonText = contrast(given, white) >= textContrast ? white : black
  const isLegible = (shade: Shade): boolean => contrast(shade, buttonText) >= textContrast
  const darker = mixed(given, black, 0.12)
  return {
    text: hex(text),
    textHover: hex(mixed(text, far, 0.25)),
    button: hex(given),
    buttonHover: hex(isLegible(darker) ? darker : mixed(given, white, 0.12)),
    buttonText: hex(buttonText),
    buttonBorder: hex(contrast(given, ground) >= signContrast ? given : text),
    check: hex(toward(black, given, (shade) => contrast(shade, white) >= textContrast)),
  }
}

/** Returns a style sheet that gives pages this colour instead of their own. */
export function brandStyle(color: string): string {
  return `:root {
${variables(schemeColors(color, 'light'))}
}

@media (prefers-color-scheme: dark) {
  :root {
${variables(schemeColors(color, 'dark'))}
  }
}

[type='checkbox']:checked {
  --pico-background-color: var(--brand-check);
  --pico-border-color: var(--pico-primary);
}

[type='radio']:checked {
  --pico-background-color: var(--surface);
  --pico-border-color: var(--pico-primary);
}
`
}

function variables(colors: SchemeColors): string {
  const values = {
    'pico-primary': colors.text,
    'pico-primary-hover': colors.textHover,
    'pico-primary-underline': `${colors.text}80`,
    'pico-primary-hover-underline': colors.textHover,
    'pico-primary-focus': `${colors.text}bf`,
    'pico-primary-background': colors.button,
    'pico-primary-hover-background': colors.buttonHover,
    'pico-primary-border': colors.buttonBorder,
    'pico-primary-hover-border': colors.buttonBorder,
    'pico-primary-inverse': colors.buttonText,
    'pico-text-selection-color': `${colors.text}40`,
    'brand-check': colors.check,
  }
  return Object.entries(values)
    .map(([name, value]) => `  --${name}: ${value};`)
    .join('\n')
}

/** Returns the contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastOf(one: string, other: string): number {
  return contrast(shadeOf(one), shadeOf(other))
}

function contrast(one: Shade, other: Shade): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance([red, green, blue]: Shade): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const steps = 64

/** Returns the first shade on the way from `given` to `end` that is `fit`; the end always is. */
function toward(end: Shade, given: Shade, isFit: (shade: Shade) => boolean): Shade {
  for (let step = 0; step < steps; step += 1) {
    const shade = mixed(given, end, step / steps)
    if (isFit(shade)) return shade
  }
  return end
}

function mixed(one: Shade, other: Shade, share: number): Shade {
  const mix = (a: number, b: number): number => Math.round(a + (b - a) * share)
  return [mix(one[0], other[0]), mix(one[1], other[1]), mix(one[2], other[2])]
}

function shadeOf(color: string): Shade {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function hex(shade: Shade): string {
  return `#${shade.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
