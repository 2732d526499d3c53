import { z } from 'zod'

import type { Task } from '../domain/task.ts'
import {
  type Fields,
  id,
  optionalInstant,
  optionalName,
  optionalNumber,
  optionalShownText,
  optionalText,
  optionalWord,
  forgiving,
  type ReadRecord,
  personReferenceCodec,
  shownPerson,
} from './fields.ts'

/** JSON ↔ Task; preserves unknown statuses, unknown priorities and further fields. */
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

const shown = taskCodec
  .omit({ createdAt: true, updatedAt: true })
  .extend({
    title: optionalName,
    description: optionalShownText,
    status: optionalWord,
    priority: optionalWord,
    assignees: z.array(shownPerson).nullish(),
  })
  .strip()

/** Reads what a calendar can show of a task. */
export const readTask: ReadRecord<Task> = forgiving(shown, ['dueDate', 'status', 'assignees'])
