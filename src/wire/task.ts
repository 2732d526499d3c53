import { z } from 'zod'

import type { Task } from '../domain/task.ts'
import { type Fields, id, optionalInstant, optionalNumber, optionalText } from './fields.ts'
import { personReferenceCodec } from './person-reference.ts'

/** JSON ↔ Task; unknown statuses, unknown priorities and further fields are kept. */
export const taskCodec = z.looseObject({
  id,
  title: optionalText,
  description: optionalText,
  status: optionalText,
  priority: optionalText,
  dueDate: optionalInstant,
  estimatedHours: optionalNumber,
  actualHours: optionalNumber,
  createdAt: optionalInstant,
  updatedAt: optionalInstant,
  assignees: z.array(personReferenceCodec).nullish(),
} satisfies Fields<Task>)
