import { takeUpMailedLink } from '../access/mail/invitations.ts'
import { ActivityRecorder } from '../activity/activity-recorder.ts'
import { purging } from '../copies/retention.ts'
import { type Actor, bridge } from '../domain/access/staff.ts'
import type { Feed } from '../domain/feed.ts'
import type { LinkOfFeed } from '../domain/link.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { Repeated } from '../domain/world.ts'
import { FirstSteps } from '../examination/first-steps.ts'
import { CompanyWork } from '../feeds/company-work.ts'
import { createFeedAdministration, type FeedAdministration } from '../feeds/feed-administration.ts'
import { PeopleOverviews } from '../feeds/people-overview.ts'
import { LinkHolding } from '../feeds/self-service/held-link.ts'
import { OwnCalendar } from '../feeds/self-service/own-calendar.ts'
import { CompanyTrust } from '../people/company-trust.ts'
import { Explainer } from '../publishing/explanation/explainer.ts'
import { Publisher } from '../publishing/publisher.ts'
import { ReadyAnswers } from '../publishing/ready-answers.ts'
import {
  type ExportDeps,
  previewCalendar,
  previewJson,
  readAbsences,
} from '../publishing/written-once.ts'
import type { Settings } from '../settings/read-settings.ts'
import { openStore } from '../store/open-store.ts'
import { openAccess } from './access.ts'
import { brandsOf } from './brands.ts'
import { type Closing, connectCompanies, openExaminer, openSources } from './companies.ts'
import { ConnectionTrials } from './trials.ts'
import { CommonClock, type Surroundings } from './world.ts'

/** Well below the time in which the process ends. */
const storeCloseMs = 3000

/** All use cases, wired for HTTP and the command line. */
export type Services = Awaited<ReturnType<typeof openServices>>

/** Opens the store, the clients of the Read APIs and, without configured companies, the sandbox. */
export async function openServices(
  settings: Settings,
  { clock: own, ...world }: Surroundings,
  publicUrl: string,
) {
  const { log, versions, measures } = world
  // What is opened last is closed first.
  await using opening = new AsyncDisposableStack()
  const closing: Closing = (it) => opening.adopt(it, (opened) => opened.close())
  const store = closing(
    await openStore(settings.databaseUrl, (file) =>
      log.info({ file }, 'backed_up_before_tables_change'),
    ),
  )
  store.watchWrites((fault) => {
    if (fault) log.warn({ reason: fault.message }, 'database_not_writable')
    else log.info({}, 'database_writable')
  })
  const {
    commonTime: common = store.time && { read: store.time, elapsedMs: () => performance.now() },
  } = world
  const commonClock = common && closing(await CommonClock.open({ own, common, log }))
  const clock = commonClock ?? own
  // Moves data stored under former connection ids, which included the credential, to today's ids.
  for (const one of settings.companies ?? [settings.embedded.company]) {
    const { connectionId: to, connectionIdBefore: from, credential } = one
    await store.connections.adopt({ from, to, credential })
  }
  const examined = await connectCompanies(settings, { ...world, clock }, opening)
  const trusts = new Map(
    [...examined].map(([id, { feeds }]) => [id, new CompanyTrust(feeds, { ...store, clock, log })]),
  )
  const connections = new Map([...trusts].map(([id, trust]) => [id, trust.guard()]))
  const { feedFreshMs: freshMs, feedStaleMs: staleMs, directoryFreshMs } = settings
  const ages = { freshMs, staleMs, directoryFreshMs, refreshBudgetMs: settings.feedRefreshBudgetMs }
  const base = { ...store, ...ages, connections, publicUrl, versions, clock, log, measures }
  const recorder = closing(new ActivityRecorder(store.activity, clock, log))
  measures?.watchQueue('activity', () => recorder.waiting)
  const reading = openSources(base, closing)
  const { departures, directory } = reading
  const deps = { ...base, ...reading, brandOf: brandsOf(settings) }
  const isSample = settings.companies === null
  const keepProofs = async (signal: AbortSignal): Promise<void> => {
    for (const source of reading.sources.values()) await source.keepProof(signal)
  }
  const hourly = [
    closing(purging(deps)),
    closing(new Repeated(deps, { name: 'leave_proofs', everyMs: 3_600_000, work: keepProofs })),
  ]
  const examiner = openExaminer(base, reading, { examined, trusts }, closing)
  const ready = new ReadyAnswers(deps)
  store.changedFeeds.listen((feedId) => ready.dropFeed(feedId))
  const explainer = new Explainer({ ...deps, served: deps })
  const administrationBy = (by: Actor): FeedAdministration => createFeedAdministration(deps, by)
  const access = openAccess(settings, deps, closing)
  const trials = closing(new ConnectionTrials(settings, { ...world, clock }, publicUrl))
  const peopleOverview = new PeopleOverviews(deps)
  const opened = opening.move()
  return {
    ...deps,
    administration: administrationBy(bridge),
    /** For that actor, as named in the audit log. */
    administrationBy,
    access,
    ownCalendarOf: (person: PersonInCompany) => {
      const by = { actor: `person:${person.userId}`, companyId: person.companyId }
      const { creation } = administrationBy(by)
      return new OwnCalendar({ ...deps, creation, by }, person)
    },
    links: deps,
    ready,
    publisher: new Publisher({ ...deps, ready }),
    /**
     * For an export: starts from the stored data, including proofs and owners of leaves. What it reads stays in memory
     * only, so that nothing remains of a person without a feed.
     */
    exporting: async <T>(work: (exporting: ExportDeps) => Promise<T>): Promise<T> => {
      await using scratch = new AsyncDisposableStack()
      const adopt: Closing = (it) => scratch.adopt(it, (one) => one.close())
      const kept = adopt(await store.openScratch())
      const { sources } = openSources({ ...base, ...kept, connections }, adopt)
      return await work({ ...base, ...kept, sources })
    },
    confirming: { ...deps, trusts },
    erasing: deps,
    peopleListing: deps,
    peopleOverview,
    exportingPerson: { ...deps, departed: store.departures },
    explaining: { ...deps, explainer },
    preview: (feed: Feed) => previewCalendar(deps, feed),
    previewDraft: (draft: Feed) => previewCalendar(deps, draft, { isDraft: true }),
    absencesOf: (draft: Feed) => readAbsences(deps, draft),
    previewJson: (feed: Feed) => previewJson(deps, feed),
    examiner,
    trials,
    companyWork: new CompanyWork({ ...deps, peopleOverview }),
    firstSteps: new FirstSteps({ ...deps, isSample }),
    isSample,
    recorder,
    holding: new LinkHolding(deps),
    /** Called when a calendar program first polls a link that waits for it. */
    takeUp: (link: LinkOfFeed) => takeUpMailedLink(deps, link),
    baseUrls: new Map([...examined].map(([id, { probe }]) => [id, probe.baseUrl])),
    start: () => {
      commonClock?.start()
      for (const round of [directory, examiner, departures, ...hourly]) round.start()
    },
    /** Waits for background work that polls started. */
    settled: () => departures.ended(),
    close: async () => {
      // Work that waits for an unresponsive database would delay the end.
      const late = setTimeout(() => void store.close(), storeCloseMs)
      await opened.disposeAsync()
      clearTimeout(late)
    },
  }
}
