import { z } from 'zod'

import type { User } from '../domain/user.ts'
import { type Fields, id, optionalFlag, optionalInstant, optionalText } from './fields.ts'
import { forgiving, type ReadRecord } from './forgiving.ts'
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

const known = userCodec
  .pick({
    id: true,
    email: true,
    firstName: true,
    lastName: true,
    isActive: true,
    assignedManagerId: true,
  })
  .extend({
    assignedManager: personReferenceCodec.pick({ id: true }).strip().nullish(),
  })
  .strip()

/** What is known of a person: name, mail, manager, and whether they are active. */
export const readUser: ReadRecord<User> = forgiving(known)
