import { between, type Random } from './random.ts'

/** Where somebody stands in a company, by number. */
export interface Post {
  /** The number of who leads them; null for those whom somebody outside leads. */
  readonly leader: number | null
  /** 0 for those who lead nobody, 1 for who leads a team, 2 for who leads several, and so on. */
  readonly level: number
  /** In which field of so many the team works; null above teams of one field. */
  readonly field: number | null
}

/** So many people, whose leader is one of them. */
interface Unit {
  readonly size: number
  readonly leader: number | null
  readonly field: number | null
}

/** With who leads it; a larger unit is made of others. */
const teamMax = 13
const teamSize = 9
/** So many units report to one leader, about. */
const unitsMax = 10
/** All teams of a smaller unit work in one field. */
const departmentMax = 90

/** A post for each of so many people, leaders before those whom they lead: teams of departments of divisions. */
export function organise(count: number, fields: number, random: Random): readonly Post[] {
  const posts: Post[] = []
  const staff = (unit: Unit): void => {
    const { size, leader, field } = inField(unit, fields, random)
    const own = posts.length
    posts.push({ leader, level: levelOf(size), field })
    for (const part of partsOf(size - 1, random)) staff({ size: part, leader: own, field })
  }
  for (const size of partsOf(count, random)) staff({ size, leader: null, field: null })
  return posts
}

function inField(unit: Unit, fields: number, random: Random): Unit {
  if (unit.field !== null || unit.size > departmentMax) return unit
  return { ...unit, field: between(random, 0, fields - 1) }
}

function levelOf(size: number): number {
  if (size === 1) return 0
  return size <= teamMax ? 1 : 1 + levelsAbove(size / teamSize)
}

/** How many levels of leaders so many teams need. */
function levelsAbove(teams: number): number {
  return Math.max(1, Math.ceil(Math.log(teams) / Math.log(unitsMax)))
}

/** The people of a team one by one; more of them in units of about the same size. */
function partsOf(people: number, random: Random): readonly number[] {
  if (people < teamMax) return Array.from({ length: people }, () => 1)
  const teams = people / teamSize
  const even = teams ** (1 / levelsAbove(teams))
  return sharesOf(people, Math.max(2, Math.round(even * aboutOne(random))), random)
}

function sharesOf(people: number, parts: number, random: Random): readonly number[] {
  const shares: number[] = []
  for (let left = people; shares.length < parts; left -= shares.at(-1) ?? 0) {
    const others = parts - shares.length - 1
    const share = Math.round((left / (others + 1)) * aboutOne(random))
    shares.push(others === 0 ? left : Math.min(share, left - others))
  }
  return shares
}

function aboutOne(random: Random): number {
  return 0.8 + 0.4 * random()
}
