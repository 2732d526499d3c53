import { type Command, Option } from 'commander'

import type { Invitation, Invitations } from '../../access/mail/invitations.ts'
import type { Mailing } from '../../access/mailing.ts'
import { commandLine } from '../../domain/access/staff.ts'
import { AppError, asAppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import type { CommandContext, UseCases } from '../context.ts'

const dayMs = 86_400_000

/** `--mail`. */
export function mailOption(): Option {
  return new Option('--mail', "mail the page to the feed's person; needs SMTP_URL")
}

/** What mails, where `--mail` asks for it. */
export function mailingFor(
  useCases: UseCases,
  { mail = false }: { readonly mail?: boolean },
  command: Command,
): Invitations | null {
  if (!mail) return null
  return requireMailing(useCases, '--mail', command).invitationsBy(
    commandLine,
    useCases.administration.names(),
  )
}

/** What mails; ends the command as wrong usage where no mail server is set, or where nobody could open what is mailed. */
export function requireMailing({ access }: UseCases, what: string, command: Command): Mailing {
  const { mailing } = access
  if (!mailing) {
    return command.error(
      `error: ${what} needs SMTP_URL, the server by which mail goes out; nothing was done`,
    )
  }
  if (mailing.reachesPeople) return mailing
  return command.error(
    `error: ${what} needs a PUBLIC_URL that other machines can open; ${mailing.publicUrl} opens on this one alone; nothing was done`,
  )
}

/** Mails one page whose address has been printed; fails with who was not mailed, and why. */
export async function mailOne(
  { warn }: Pick<CommandContext, 'warn'>,
  { administration }: Pick<UseCases, 'administration'>,
  { invitations, ...invitation }: Invitation & { readonly invitations: Invitations },
  json = false,
): Promise<void> {
  const { userIds } = invitation.feed
  try {
    const name = await invitations.send(invitation)
    if (!json) warn(`Mailed to ${name === '' ? userIds.join(', ') : name}.`)
  } catch (error) {
    throw await namingWhom({ administration }, invitation.feed, error)
  }
}

/** Fails with who could not be mailed, and why, before anything is made for them. */
export async function requireMailable(
  { administration }: Pick<UseCases, 'administration'>,
  invitations: Invitations,
  feed: Invitation['feed'],
): Promise<void> {
  try {
    await invitations.requireAddress(feed)
  } catch (error) {
    throw await namingWhom({ administration }, feed, error)
  }
}

async function namingWhom(
  { administration }: Pick<UseCases, 'administration'>,
  { companyId, userIds }: Pick<Feed, 'companyId' | 'userIds'>,
  error: unknown,
): Promise<unknown> {
  const known = asAppError(error)
  if (!known) return error
  const { displayName } = await administration.names().find(companyId, userIds[0] ?? '')
  return new AppError(known.code, notMailed({ displayName, userIds }, known.message), {
    cause: error,
  })
}

/** Who was not mailed, and why, in a sentence. */
export function notMailed(
  { displayName, userIds }: { readonly displayName: string; readonly userIds: readonly string[] },
  reason: string,
): string {
  const ids = userIds.join(', ')
  return `${displayName === '' ? ids : `${displayName} (${ids})`} was not mailed: ${reason}`
}

/** When the address ends in whose place that link stands; undefined where it has ended with it. */
export function oldEndOf(
  { createdAt }: { readonly createdAt: string },
  graceDays: number,
): number | undefined {
  return graceDays === 0 ? undefined : Date.parse(createdAt) + graceDays * dayMs
}
