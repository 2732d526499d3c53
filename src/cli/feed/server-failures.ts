import { MailNotTaken } from '../../access/mail/mail-faults.ts'

/** So many mails in a row that the server does not take, whoever was to get them, are no accident. */
const failuresMax = 10

/** Counts how often in a row the mail server failed: each time may take a minute, and a table has thousands of rows. */
export class ServerFailures {
  #inARow = 0
  #last = ''

  /** Fails as the sending does. */
  async watch(sending: Promise<unknown>): Promise<void> {
    try {
      await sending
      this.#inARow = 0
    } catch (error) {
      if (error instanceof MailNotTaken) this.#count(error)
      throw error
    }
  }

  /** Why no mail should be tried any more; undefined while some should. */
  refusal(): string | undefined {
    if (this.#inARow < failuresMax) return undefined
    return `since the mail server failed ${this.#inARow} times in a row (${this.#last}); run the same command again once it works`
  }

  #count({ isOfRecipient, message }: MailNotTaken): void {
    this.#inARow = isOfRecipient ? 0 : this.#inARow + 1
    this.#last = message.replace(/\.$/, '')
  }
}
