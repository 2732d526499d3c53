import { z } from 'zod'

import type { User } from '../domain/user.ts'
import {
  type Fields,
  id,
  optionalAddress,
  optionalFlag,
  optionalInstant,
  optionalName,
  optionalReference,
  optionalText,
  forgiving,
  type ReadRecord,
  personReferenceCodec,
} from './fields.ts'

/** JSON ↔ User; preserves unknown roles, unknown employment types and further fields. */
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
  .pick({ id: true, isActive: true })
  .extend({
    email: optionalAddress,
    firstName: optionalName,
    lastName: optionalName,
    assignedManagerId: optionalReference,
    assignedManager: personReferenceCodec.pick({ id: true }).strip().nullish(),
  })
  .strip()

/** Reads a person's name, mail address, manager and active flag. */
export const readUser: ReadRecord<User> = forgiving(known)
