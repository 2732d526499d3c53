/**
 * Tells of each feed that somebody changes here, or a link of it: after the change, also where nobody knows whether the
 * database has taken it.
 */
export class ChangedFeeds {
  readonly #listeners: ((feedId: string) => void)[] = []

  /** Has that be told from now on. */
  listen(listener: (feedId: string) => void): void {
    this.#listeners.push(listener)
  }

  tell(feedId: string): void {
    for (const listener of this.#listeners) listener(feedId)
  }

  /** The change, told once it has been tried. */
  async during<T>(feedId: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } finally {
      this.tell(feedId)
    }
  }
}
