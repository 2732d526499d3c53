/* Marionette, Mozilla's protocol for driving its programs: numbered JSON messages, each preceded by its length. */
import { connect } from 'node:net'

export interface Marionette {
  /** Runs a script with all rights of the program and `values` as `a`, and returns its result. Runs it again if a prompt ends it. */
  run(script: string, ...values: readonly unknown[]): Promise<unknown>
  close(): void
}

type Message = readonly [type: number, id: number, error: unknown, result: unknown]

export async function openMarionette(port: number): Promise<Marionette> {
  const socket = connect(port, '127.0.0.1')
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const greeted = Promise.withResolvers<unknown>()
  let received = Buffer.alloc(0)
  let lastId = 0
  const take = (message: Message | object): void => {
    if (!Array.isArray(message)) return greeted.resolve(message)
    const [, id, error, result] = message as unknown as Message
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === null) asked?.resolve(result)
    else asked?.reject(new Error(JSON.stringify(error)))
  }
  socket.on('data', (part) => {
    received = Buffer.concat([received, part])
    for (;;) {
      const start = received.indexOf(':') + 1
      const end = start + Number(received.subarray(0, Math.max(start - 1, 0)))
      if (start === 0 || received.length < end) return
      take(JSON.parse(received.subarray(start, end).toString()) as object)
      received = received.subarray(end)
    }
  })
  socket.on('error', greeted.reject)
  await greeted.promise
  const send = (name: string, parameters: object): Promise<unknown> => {
    const asked = Promise.withResolvers<unknown>()
    waiting.set(++lastId, asked)
    const text = JSON.stringify([0, lastId, name, parameters])
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    return asked.promise
  }
  await send('WebDriver:NewSession', {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: 'ignore' } },
  })
  await send('Marionette:SetContext', { value: 'chrome' })
  await send('WebDriver:SetTimeouts', { script: 60_000 })
  const run = async (body: string, ...args: readonly unknown[]): Promise<unknown> => {
    const script = `
      const told = arguments[arguments.length - 1];
      const run = async (...a) => { ${body} };
      run(...arguments).then((value) => told({ value }), (error) => told({ error: String(error) }));
    `
    const parameters = { script, args, newSandbox: false }
    const { value } = (await send('WebDriver:ExecuteAsyncScript', parameters)) as {
      readonly value: { readonly value?: unknown; readonly error?: string } | null
    }
    // A prompt has ended the script.
    if (value === null) return run(body, ...args)
    if (value.error !== undefined) throw new Error(value.error)
    return value.value
  }
  return { run, close: () => socket.destroy() }
}
