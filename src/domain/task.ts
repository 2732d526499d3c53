import type { PersonReference } from './user.ts'
import type { Instant, Maybe } from './world.ts'

export interface Task {
  readonly id: string
  readonly title?: Maybe<string>
  readonly description?: Maybe<string>
  readonly status?: Maybe<string>
  readonly priority?: Maybe<string>
  readonly dueDate?: Maybe<Instant>
  readonly estimatedHours?: Maybe<number>
  readonly actualHours?: Maybe<number>
  readonly createdAt?: Maybe<Instant>
  readonly updatedAt?: Maybe<Instant>
  readonly assignees?: Maybe<readonly PersonReference[]>
}
