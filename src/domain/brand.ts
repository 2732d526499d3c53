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
  /** In the image's own units. */
  readonly width: number
  readonly height: number
}

export const noBrand: Brand = { name: null, logo: null, color: null }
