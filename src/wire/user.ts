import { z } from 'zod'

import type { User } from '../domain/user.ts'
import { type Fields, id, optionalFlag, optionalInstant, optionalText } from './fields.ts'
import { personReferenceCodec } from './person-reference.ts'

/** JSON ↔ User; unknown roles, unknown employment types and further fields are kept. */
export const userCodec = z.looseObject({
  id,
  email: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  role: optionalText,
  employmentType: optionalText,
  position: optionalText,
  isActive: optionalFlag,
  assignedManagerId: optionalText,
  assignedManager: personReferenceCodec.nullish(),
  createdAt: optionalInstant,
  updatedAt: optionalInstant,
} satisfies Fields<User>)
