import { LatchkeyError } from '@latchkey/protocol'
import { type Client, createClient } from '../client.ts'
import type { Connection, ConnectionOptions, OpenConnection } from '../connection.ts'

type Asked = {
  readonly name: string
  readonly data: unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A client whose connections are the test's: what was asked is seen, and answered when the test says so. */
export function makeClient() {
  const opened: (ConnectionOptions & { alive: boolean; asked: Asked[]; configured: number })[] = []
  const open: OpenConnection = (options) => {
    const fake = { ...options, alive: true, asked: [] as Asked[], configured: 0 }
    opened.push(fake)
    const ready = Promise.withResolvers<void>()
    ready.promise.catch(() => {})
    const connection: Connection = {
      ready: ready.promise,
      call(name, data) {
        const { promise, resolve, reject } = Promise.withResolvers<never>()
        // What a test answers is what the contract says; a mistake shows in the test itself.
        fake.asked.push({ name, data, resolve: (value) => resolve(value as never), reject })
        return promise
      },
      async configure() {
        fake.configured += 1
      },
      isAlive: () => fake.alive,
      lose(error) {
        fake.alive = false
        ready.reject(error)
        for (const { reject } of fake.asked) reject(error)
        fake.onLost(error)
      },
    }
    return connection
  }
  const client: Client = createClient({
    appId: 'a'.repeat(25),
    dialogUrl: 'https://dialog.example',
    open,
    now: () => 0,
  })
  return { client, opened }
}

export const errorOf = (promise: Promise<unknown>): Promise<LatchkeyError> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => (error instanceof LatchkeyError ? error : Promise.reject(error)),
  )
export const codeOf = async (promise: Promise<unknown>) => (await errorOf(promise)).code
