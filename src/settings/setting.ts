import { z } from 'zod'

/** What is known of a setting beside the schema that reads it. */
export interface AboutSetting {
  /** null: only `COMPANIES_FILE` can hold it. */
  readonly environmentName: string | null
  /** What holds where it is not set, in words or as it would be set. */
  readonly otherwise: string
  /** What it means, as README says it. */
  readonly meaning: string
  /** Whether a file can be named in its place: `ADMIN_TOKEN_FILE`. */
  readonly isSecret: boolean
}

const abouts = z.registry<AboutSetting>()

/** One row of a table of settings: its member's name in the table is its key. `otherwise` is for a default that is no plain value. */
export function setting<Schema extends z.ZodType>(
  environmentName: string | null,
  schema: Schema,
  meaning: string,
  otherwise = shown(defaultOf(schema)),
): Schema {
  return rowOf(schema, { environmentName, otherwise, meaning, isSecret: false })
}

/** The same for a setting that is a secret, or holds one. */
export function secret<Schema extends z.ZodType>(
  environmentName: string,
  schema: Schema,
  meaning: string,
  otherwise = shown(defaultOf(schema)),
): Schema {
  return rowOf(schema, { environmentName, otherwise, meaning, isSecret: true })
}

/** A copy: several settings may be read by one schema. */
function rowOf<Schema extends z.ZodType>(schema: Schema, about: AboutSetting): Schema {
  const row = schema.clone()
  abouts.add(row, about)
  return row
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : 'none'
}

export type SettingsTable = { readonly shape: Readonly<Record<string, z.core.$ZodType>> }

export interface SettingRow extends AboutSetting {
  readonly key: string
  readonly schema: z.core.$ZodType
}

/** The rows of a table, in its order. */
export function rowsOf({ shape }: SettingsTable): readonly SettingRow[] {
  return Object.entries(shape).map(([key, schema]) => {
    const about = abouts.get(schema)
    if (!about) throw new Error(`The setting ${key} has no row.`)
    return { key, schema, ...about }
  })
}

/** What a schema reads where nothing is given, as it would be given; undefined where it has no default. */
export function defaultOf(schema: z.core.$ZodType): unknown {
  const hasDefault = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
  return hasDefault ? schema.def.defaultValue : undefined
}
