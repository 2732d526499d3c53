import { mailedLabel } from '../../domain/access/lost-link.ts'
import { AppError } from '../../domain/errors.ts'

/** Why a form of one's own page was not taken. */
export type FormFault =
  | 'not_known'
  | 'label_missing'
  | 'label_unseen'
  | 'label_unfit'
  | 'label_of_mail'
  | 'label_in_use'
  | 'too_many_links'
  | 'nothing_shown'
  | 'sent_before'
  | 'unconfirmed'

const sentences: Readonly<Record<FormFault, string>> = {
  not_known: 'The Read API knows nobody of that id who works there.',
  label_missing: 'The label must not be empty.',
  label_unseen: 'The label must hold a character that can be seen.',
  label_unfit: 'The label must have at most 100 characters, and not be of dots alone.',
  label_of_mail: `"${mailedLabel}" is the link that is mailed to who has lost theirs; take another label.`,
  label_in_use: 'There is a link of this label already.',
  too_many_links: 'The calendar has as many links as it may have; end one first.',
  nothing_shown: 'The calendar shows no leave, so that nothing would be left.',
  sent_before: 'This form was sent before; send a new one.',
  unconfirmed: 'The box must be ticked.',
}

/** `invalid`: what was not taken of a form, so that its page can say so beside it. */
export class WrongForm extends AppError {
  readonly about: FormFault

  constructor(about: FormFault) {
    super('invalid', sentences[about])
    this.about = about
  }
}
