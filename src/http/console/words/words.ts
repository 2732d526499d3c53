import type { Locale } from '../../../domain/feed.ts'
import { deAccess, enAccess } from './access.ts'
import { deAudit, enAudit } from './audit.ts'
import { deCompanies, enCompanies } from './companies.ts'
import { deDefaults, enDefaults } from './defaults.ts'
import { deErase, enErase } from './erase.ts'
import { deFirstSteps, enFirstSteps } from './first-steps.ts'
import { deDone, deFrame, deSignIn, enDone, enFrame, enSignIn } from './frame.ts'
import { deHandOut, enHandOut } from './hand-out.ts'
import { deOverview, enOverview } from './overview.ts'
import { dePeople, enPeople } from './people.ts'
import { dePerson, enPerson } from './person.ts'
import { deTeams, enTeams } from './teams.ts'
import { deTokens, enTokens } from './tokens.ts'

const en = {
  frame: enFrame,
  signIn: enSignIn,
  done: enDone,
  overview: enOverview,
  people: enPeople,
  handOut: enHandOut,
  person: enPerson,
  teams: enTeams,
  defaults: enDefaults,
  companies: enCompanies,
  audit: enAudit,
  tokens: enTokens,
  access: enAccess,
  erase: enErase,
  firstSteps: enFirstSteps,
}

const de: typeof en = {
  frame: deFrame,
  signIn: deSignIn,
  done: deDone,
  overview: deOverview,
  people: dePeople,
  handOut: deHandOut,
  person: dePerson,
  teams: deTeams,
  defaults: deDefaults,
  companies: deCompanies,
  audit: deAudit,
  tokens: deTokens,
  access: deAccess,
  erase: deErase,
  firstSteps: deFirstSteps,
}

/** All texts of the console in one language, as plain text; templates escape them. */
export type ConsoleWords = typeof en

export const consoleLanguages: Readonly<Record<Locale, ConsoleWords>> = { en, de }
