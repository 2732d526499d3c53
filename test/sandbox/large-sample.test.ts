/* A sample company as large as they come: believable, and never in memory as a whole. */
import { expect, it } from 'vitest'

import { sampleCompany, sampleLists, sampleFile } from '../../src/sandbox/sample-company.ts'

const today = '2026-11-21'
const users = [...sampleLists({ today, users: 20_000 }).users]
const byId = new Map(users.map((user) => [user.id, user]))

it('among twenty thousand people no two share a name', () => {
  const names = users.map(({ firstName, lastName }) => `${firstName} ${lastName}`)
  expect(new Set(names).size).toBe(20_000)
})

it('no manager has very many people, few people manage, and all report up to Mia', () => {
  const led = Map.groupBy(users, ({ assignedManagerId }) => assignedManagerId)
  expect(Math.max(...Array.from(led.values(), ({ length }) => length))).toBeLessThan(20)
  const managers = users.filter(({ role }) => role === 'MANAGER')
  expect(managers.map(({ id }) => id).toSorted()).toEqual(
    [...led.keys()].filter((id) => typeof id === 'string').toSorted(),
  )
  expect(managers.length).toBeLessThan(0.15 * users.length)
  for (const user of users) expect(topOf(user.id)).toBe('usr_mia')
})

it('no one has leave before their start date', () => {
  const lists = sampleLists({ today, users: 2000 })
  const came = new Map(Array.from(lists.users, ({ id, createdAt }) => [id, createdAt]))
  for (const { userId, startDate } of lists.leaves) {
    expect(startDate >= String(came.get(userId)?.slice(0, 10))).toBe(true)
  }
})

it('no project has a task twice, and no two projects share a name', () => {
  const projects = [...sampleLists({ today, users: 20_000 }).projects].slice(2)
  expect(new Set(projects.map(({ name }) => name)).size).toBe(projects.length)
  for (const { tasks } of projects) {
    expect(new Set(tasks.map(({ title }) => title)).size).toBe(tasks.length)
  }
})

it('the file is written in parts and counted', () => {
  const options = { today, users: 300, seed: 7 }
  const file = sampleFile(sampleLists(options))
  const parts = [...file.parts]
  const company = sampleCompany(options)
  expect(parts.join('')).toBe(`${JSON.stringify(company, null, 2)}\n`)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(200_000)
  expect(file.counts()).toMatchObject({
    users: 300,
    leaves: company.leaves?.length,
    tasks: company.projects?.reduce((sum, { tasks }) => sum + tasks.length, 0),
  })
})

function topOf(id: string, steps = 0): string {
  expect(steps).toBeLessThan(9)
  const leader = byId.get(id)?.assignedManagerId
  return typeof leader === 'string' ? topOf(leader, steps + 1) : id
}
