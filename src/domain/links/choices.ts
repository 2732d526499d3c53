import { feedKinds } from '../kinds.ts'
import type { Choices, FeedLink } from '../link.ts'
import type { Maybe } from '../world.ts'

/** All that only says "Away". */
export const onlyAway: Choices = {
  hide: feedKinds.filter((kind) => kind !== 'leaves'),
  detail: 'absent',
  onlyAway: true,
}

/** What of the choices of a link goes on with the link that takes its place: not what its holder chose, but what its holder must not see. */
export function lastingChoices({ choices }: Pick<FeedLink, 'choices'>): Choices {
  return choices.onlyAway ? onlyAway : {}
}

/** What is chosen of all that can be: members without a value are left out. */
export function choicesOf({ hide, detail, locale, reminderMinutes, ...rest }: Wishes): Choices {
  return {
    ...(rest.onlyAway
      ? onlyAway
      : { ...(hide && hide.length > 0 ? { hide } : {}), ...(detail ? { detail } : {}) }),
    ...(locale ? { locale } : {}),
    ...(reminderMinutes == null ? {} : { reminderMinutes }),
  }
}

type Wishes = { readonly [K in keyof Choices]?: Maybe<Choices[K]> }

/** As they are kept; null where nothing is chosen. */
export function choicesText(choices: Choices): string | null {
  return Object.keys(choices).length === 0 ? null : JSON.stringify(choices)
}
