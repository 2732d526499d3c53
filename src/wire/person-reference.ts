import { z } from 'zod'

import type { PersonReference } from '../domain/user.ts'
import { type Fields, id, optionalText } from './fields.ts'

/** A person as named inside another record: JSON ↔ PersonReference. */
export const personReferenceCodec = z.looseObject({
  id,
  firstName: optionalText,
  lastName: optionalText,
} satisfies Fields<PersonReference>)
