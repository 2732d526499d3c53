/* Shared by the commands for one feed: options, addresses and the mail with the page. */
import { Option, type CommandUnknownOpts } from '@commander-js/extra-typings'

import type { Invitation, Invitations } from '../../access/mail/invitations.ts'
import type { Mailing } from '../../access/mail/mailing.ts'
import { commandLine } from '../../domain/access/staff.ts'
import { AppError, asFailure } from '../../domain/errors.ts'
import { leaveDetails } from '../../domain/leave.ts'
import type { CommandContext, UseCases } from '../context.ts'
import { minutesOrNone } from '../option-values.ts'
import { textTable } from '../output.ts'

/** Help for the argument `<id>`. */
export const addressHint = `You can give one of the feed's addresses in place of the id, such as one that leaked. It then shows in the list of
processes and in your shell's history.`

export const leaveDetailOption = new Option(
  '--leave-detail <detail>',
  'how much to show of a leave',
).choices(leaveDetails)

export const reminderOption = new Option(
  '--reminder <minutes>',
  'minutes before an event with a time to remind, or none',
).argParser(minutesOrNone)

export const mailOption = new Option(
  '--mail',
  'mail the page to the person of the feed; needs SMTP_URL',
)

/** Returns the feed's options from the JSON and the flags; flags win. */
export function optionsOf({
  options,
  leaveDetail,
  reminder,
}: {
  readonly options?: Readonly<Record<string, unknown>> | undefined
  readonly leaveDetail?: string | undefined
  readonly reminder?: number | 'none' | undefined
}): object | undefined {
  const flags = {
    ...(leaveDetail !== undefined && {
      leaves: { ...Object(options?.['leaves']), detail: leaveDetail },
    }),
    ...(reminder !== undefined && { reminderMinutes: reminder === 'none' ? null : reminder }),
  }
  return options || Object.keys(flags).length > 0 ? { ...options, ...flags } : undefined
}

/** Returns the secret addresses of a link, under a title. */
export function addressesText(title: string, url = '', page = ''): string {
  return [title, textTable(['Calendar', url], [['Page', page]])].join('\n')
}

/** Warns if the printed addresses may differ from those of the server. */
export function warnOfAssumed({ warn }: CommandContext, { assumedUrl }: UseCases): void {
  if (assumedUrl === undefined) return
  warn(
    `The bridge is not running; the addresses assume ${assumedUrl}. Set PUBLIC_URL, or start it first.`,
  )
}

/** Warns, once per company, that addresses of these open feeds do not work because the company is not set up. */
export function warnOfNoCompany(
  { warn }: CommandContext,
  { connections }: UseCases,
  openFeeds: readonly { readonly companyId: string }[],
): void {
  for (const companyId of new Set(openFeeds.map((feed) => feed.companyId))) {
    if (connections.has(companyId)) continue
    warn(
      `Note: no company "${companyId}" is set up, so the addresses of its feeds answer 503. Set it up again under that id, or end them with feed revoke.`,
    )
  }
}

/** Returns what sends the mails; null without `--mail`. */
export function mailingFor(
  useCases: UseCases,
  { mail = false }: { readonly mail?: boolean | undefined },
  command: CommandUnknownOpts,
): Invitations | null {
  if (!mail) return null
  const names = useCases.administration.names()
  return requireMailing(useCases, '--mail', command).invitationsBy(commandLine, names)
}

/** Exits with wrong usage if no mail server is set, or if people could not open the mailed address. */
export function requireMailing(
  { access: { mailing } }: UseCases,
  what: string,
  command: CommandUnknownOpts,
): Mailing {
  if (!mailing) {
    return command.error(`error: ${what} needs SMTP_URL, the mail server; nothing was done`)
  }
  if (mailing.reachesPeople) return mailing
  return command.error(
    `error: ${what} needs a PUBLIC_URL that other machines can open; ${mailing.publicUrl} opens only on this one; nothing was done`,
  )
}

/** Mails a page after its address was printed; the error says who was not mailed, and why. */
export async function mailOne(
  { warn }: CommandContext,
  useCases: UseCases,
  invitations: Invitations,
  invitation: Invitation,
  json = false,
): Promise<void> {
  const { feed } = invitation
  const name = await orNotMailed(useCases, feed, () => invitations.send(invitation))
  if (!json) warn(`Mailed to ${name === '' ? feed.userIds.join(', ') : name}.`)
}

/** Runs a step of mailing the feed's person; the error says who was not mailed, and why. */
export async function orNotMailed<T>(
  { administration }: UseCases,
  { companyId, userIds }: Invitation['feed'],
  mail: () => Promise<T>,
): Promise<T> {
  try {
    return await mail()
  } catch (cause) {
    const known = asFailure(cause)
    const { displayName } = await administration.names().find(companyId, userIds[0] ?? '')
    throw new AppError(known.code, notMailed(displayName, userIds, known.message), { cause })
  }
}

export function notMailed(displayName: string, userIds: readonly string[], reason: string): string {
  const ids = userIds.join(', ')
  return `${displayName === '' ? ids : `${displayName} (${ids})`} was not mailed: ${reason}`
}
