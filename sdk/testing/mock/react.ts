/** The loader's provider with a mock client. All hooks of `@latchkey/loader/react` work below it. */
import { LatchkeyProvider } from '@latchkey/loader/react'
import { createElement, type ReactNode } from 'react'
import type { MockLatchkey } from './types.ts'

export type MockLatchkeyProviderProps = {
  client: MockLatchkey
  children?: ReactNode
}

const keys = new WeakMap<MockLatchkey, number>()
let lastKey = 0

/** Returns a key per client, so that another client mounts a new provider. */
function getKey(client: MockLatchkey): number {
  const key = keys.get(client) ?? ++lastKey
  keys.set(client, key)
  return key
}

export function MockLatchkeyProvider({ client, children }: MockLatchkeyProviderProps): ReactNode {
  const props = { appId: client.appId, latchkey: client, preload: 'now' as const, key: getKey(client) }
  return createElement(LatchkeyProvider, props, children)
}
