import { LatchkeyError } from '@latchkey/protocol'
import { type Client, createClient } from '../client/client.ts'
import { createHandle } from '../client/handle.ts'
import type { LoadSecondFile } from '../client/second-file.ts'
import type { Connection, ConnectionOptions, OpenConnection } from '../frame/connection.ts'

type SentCall = {
  name: string
  data: unknown
  signal: AbortSignal | undefined
  shows: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type FakeConnection = ConnectionOptions & { alive: boolean; calls: SentCall[]; configured: number }

/** Creates a client with fake connections. Tests inspect their calls and settle them. */
export function makeClient(
  more: { parameters?: string; loadSecondFile?: LoadSecondFile; rejectsOnAbort?: boolean } = {},
) {
  const { rejectsOnAbort: takesBack = true } = more
  const opened: FakeConnection[] = []
  const open: OpenConnection = (options) => {
    const fake: FakeConnection = { ...options, alive: true, calls: [], configured: 0 }
    opened.push(fake)
    const connection: Connection = {
      call(name, data, { signal, shows }) {
        const { promise, resolve, reject } = Promise.withResolvers<never>()
        // The test is responsible for a response that matches the contract.
        const sentCall = {
          name,
          data: undefined,
          signal,
          shows,
          resolve: (value: unknown) => resolve(value as never),
          reject,
        }
        fake.calls.push(sentCall)
        // Nothing has happened yet at the dialog, so an abort rejects, unless the test answers first.
        signal?.addEventListener('abort', () => takesBack && reject(signal.reason))
        const callData = data()
        Object.assign(sentCall, { data: callData })
        if (callData instanceof Promise)
          callData.then((resolved) => Object.assign(sentCall, { data: resolved }), reject)
        return promise
      },
      async configure() {
        fake.configured += 1
      },
      isAlive: () => fake.alive,
      lose(error) {
        fake.alive = false
        for (const { reject } of fake.calls) reject(error)
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

export const getError = (promise: Promise<unknown>): Promise<LatchkeyError> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail')),
    (error: unknown) => (error instanceof LatchkeyError ? error : Promise.reject(error)),
  )
export const getErrorCode = async (promise: Promise<unknown>) => (await getError(promise)).code

/** Returns the calls of a connection, once the second file has created their data. */
export async function resolvedCalls(connection: { calls: readonly SentCall[] } | undefined) {
  const calls = connection?.calls ?? []
  await Promise.all(calls.map(({ data }) => data))
  await import('../lazy/second-file.ts')
  await new Promise((resolve) => setImmediate(resolve))
  return calls
}
