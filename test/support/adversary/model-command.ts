import type fc from 'fast-check'

/** A step of a random history, printed as a call. */
class ModelCommand<Model> implements fc.AsyncCommand<object, Model> {
  readonly #name: string
  readonly #step: (model: Model) => void | Promise<void>

  constructor(name: string, step: (model: Model) => void | Promise<void>) {
    this.#name = name
    this.#step = step
  }

  check(): boolean {
    return true
  }

  async run(_: object, model: Model): Promise<void> {
    await this.#step(model)
  }

  toString(): string {
    return this.#name
  }
}

export type AnyCommand<Model> = fc.Arbitrary<fc.AsyncCommand<object, Model>>

export function commandOf<Model, T>(
  name: string,
  argument: fc.Arbitrary<T>,
  step: (model: Model, argument: T) => void | Promise<void>,
): AnyCommand<Model> {
  return argument.map(
    (it) => new ModelCommand<Model>(`${name}(${JSON.stringify(it)})`, (model) => step(model, it)),
  )
}
