import { LatchkeyError } from '@latchkey/protocol'
import { type Client, createClient } from '../client/client.ts'
import { createHandle } from '../client/handle.ts'
import type { LoadSecondFile } from '../client/second-file.ts'
import type { Connection, ConnectionOptions, OpenConnection } from '../frame/connection.ts'

type Asked = {
  name: string
  data: unknown
  signal: AbortSignal | undefined
  shows: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type Opened = ConnectionOptions & { alive: boolean; asked: Asked[]; configured: number }

/** A client whose connections are the test's: what was asked is seen, and answered when the test says so. */
export function makeClient(
  more: { parameters?: string; loadSecondFile?: LoadSecondFile; takesBack?: boolean } = {},
) {
  const { takesBack = true } = more
  const opened: Opened[] = []
  const open: OpenConnection = (options) => {
    const fake: Opened = { ...options, alive: true, asked: [], configured: 0 }
    opened.push(fake)
    const connection: Connection = {
      call(name, data, { signal, shows }) {
        const { promise, resolve, reject } = Promise.withResolvers<never>()
        // What a test answers is what the contract says; a mistake shows in the test itself.
        const asked = {
          name,
          data: undefined,
          signal,
          shows,
          resolve: (value: unknown) => resolve(value as never),
          reject,
        }
        fake.asked.push(asked)
        // The dialog has done nothing yet that could not be taken back, unless the test answers first.
        signal?.addEventListener('abort', () => takesBack && reject(signal.reason))
        const given = data()
        Object.assign(asked, { data: given })
        if (given instanceof Promise) given.then((come) => Object.assign(asked, { data: come }), reject)
        return promise
      },
      async configure() {
        fake.configured += 1
      },
      isAlive: () => fake.alive,
      lose(error) {
        fake.alive = false
        for (const { reject } of fake.asked) reject(error)
        fake.onLost(error)
      },
    }
    return connection
  }
  const client: Client = createClient({
    appId: 'a'.repeat(25),
    dialogUrl: 'https://dialog.example',
    loadSecondFile: () => import('../lazy/second-file.ts'),
    ...more,
    open,
  })
  const makeHandle = (release = () => {}) => createHandle(client.appId, { client, release })
  return { client, opened, makeHandle, handle: makeHandle() }
}

export const errorOf = (promise: Promise<unknown>): Promise<LatchkeyError> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => (error instanceof LatchkeyError ? error : Promise.reject(error)),
  )
export const codeOf = async (promise: Promise<unknown>) => (await errorOf(promise)).code

/** What was asked, once the second file has said what that is. */
export async function asksOf(connection: { asked: readonly Asked[] } | undefined) {
  const asked = connection?.asked ?? []
  await Promise.all(asked.map(({ data }) => data))
  await import('../lazy/second-file.ts')
  await new Promise((resolve) => setImmediate(resolve))
  return asked
}
