import { z } from 'zod'

import type { PersonReference } from '../domain/user.ts'
import { type Fields, id, optionalName, optionalText } from './fields.ts'

/** A person as named inside another record: JSON ↔ PersonReference. */
export const personReferenceCodec = z.looseObject({
  id,
  firstName: optionalText,
  lastName: optionalText,
} satisfies Fields<PersonReference>)

/** What is shown of such a person. */
export const shownPerson = z.object({
  id,
  firstName: optionalName,
  lastName: optionalName,
} satisfies Fields<PersonReference>)
