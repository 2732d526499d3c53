/* The page of one person, as it is opened or with a form that was refused. */
import { takesAccounts } from '../pages/account.ts'
import type { PageDeps } from '../pages/page.ts'
import { type Form, sendConsole, type Visit } from './console.ts'
import { type FoundPerson, personPath, viewPerson } from './person-view.ts'
import type { ConsoleWords } from './words/words.ts'

/** Why a form of this page was refused, beside which field. */
export class FormFault extends Error {
  override readonly name = 'FormFault'
  readonly field: string
  readonly about: keyof ConsoleWords['person']['faults']
  readonly status: number

  constructor(field: string, about: keyof ConsoleWords['person']['faults'], status = 400) {
    super(about)
    this.field = field
    this.about = about
    this.status = status
  }
}

export interface Refused extends Pick<FormFault, 'field' | 'about'> {
  readonly act: string
  readonly feed: string
  readonly link: string
  readonly form: Form
}

export async function sendPerson(
  deps: PageDeps,
  visit: Visit,
  found: FoundPerson,
  refused: Refused | null = null,
): Promise<void> {
  const path = personPath(found.userId)
  const viewed = await viewPerson(deps, visit, found)
  /** What the page says of a refused form; undefined for all others. */
  const faultOf = (act: string, feed = '', link = ''): object | undefined => {
    if (!refused || refused.act !== act || refused.feed !== feed || refused.link !== link) {
      return undefined
    }
    return { field: refused.field, text: visit.words.person.faults[refused.about] }
  }
  sendConsole(deps, visit, {
    template: 'person',
    title: found.who,
    place: 'people',
    ...(refused && { openable: path }),
    ...viewed,
    path,
    mayBeAccount: takesAccounts(deps.publicUrl),
    faultOf,
    typed: (name: string): string => refused?.form.text(name) ?? '',
    ticked: (name: string, value: string): boolean =>
      refused?.form.texts(name).includes(value) ?? false,
  })
}
