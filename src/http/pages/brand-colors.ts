/* Shades of a company's colour that keep their contrast (WCAG 2.2, 1.4.3), by day and by night. */
import { contrast, mixed, withContrast } from '../../domain/contrast.ts'

const textContrast = 4.5
/** Of borders and other signs (WCAG 2.2, 1.4.11). */
const signContrast = 3

/** Each is at least as far from white, or from black, as every background of text. */
const grounds = { light: '#e5e9f0', dark: '#2c3442' } as const

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
  const ground = grounds[scheme]
  const text = withContrast(color, ground, textContrast)
  const buttonText = contrast(color, '#ffffff') >= textContrast ? '#ffffff' : '#000000'
  const darker = mixed(color, '#000000', 0.12)
  const isLegible = contrast(darker, buttonText) >= textContrast
  return {
    text,
    textHover: mixed(text, scheme === 'light' ? '#000000' : '#ffffff', 0.25),
    button: color,
    buttonHover: isLegible ? darker : mixed(color, '#ffffff', 0.12),
    buttonText,
    buttonBorder: contrast(color, ground) >= signContrast ? color : text,
    check: withContrast(color, '#ffffff', textContrast),
  }
}

/** Returns a style sheet that gives pages this colour instead of their own. */
export function brandStyle(color: string): string {
  return `:root {
${variables(schemeColors(color, 'light'))}
}

@media screen and (prefers-color-scheme: dark) {
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
