import type { Connection } from '../domain/connection.ts'
import { type AppError, asAppError } from '../domain/errors.ts'
import type { User } from '../domain/user.ts'

/** What the Read API says of a user, or why it says nothing. */
export type UserAnswer = User | AppError

/** What new feeds need to know of one company; everything is asked once, for however many feeds. */
export class Directory {
  readonly connection: Connection
  readonly #users = new Map<string, Promise<UserAnswer>>()
  #schedules: Promise<readonly string[] | AppError> | undefined

  constructor(connection: Connection) {
    this.connection = connection
  }

  findUser(id: string): Promise<UserAnswer> {
    const answer = this.#users.get(id) ?? this.connection.api.get('user', id).catch(asFailure)
    this.#users.set(id, answer)
    return answer
  }

  /** As set for the company, else its only active schedule, else none; why it cannot be said, where the API fails. */
  defaultSchedules(): Promise<readonly string[] | AppError> {
    this.#schedules ??= onlySchedule(this.connection).catch(asFailure)
    return this.#schedules
  }
}

async function onlySchedule({ company, api }: Connection): Promise<readonly string[]> {
  if (company.schedules.length > 0) return company.schedules
  const { records } = await api.list('schedules', {})
  const active = records.filter(({ isActive }) => isActive !== false)
  return active.length === 1 ? active.map(({ id }) => id) : []
}

function asFailure(error: unknown): AppError {
  const known = asAppError(error)
  if (!known) throw error
  return known
}
