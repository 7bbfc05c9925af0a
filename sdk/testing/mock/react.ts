/** The provider of the loader on a mock: every hook of `@latchkey/loader/react` works below it. */
import { LatchkeyProvider } from '@latchkey/loader/react'
import { createElement, type ReactNode } from 'react'
import type { MockLatchkey } from './types.ts'

export type MockLatchkeyProviderProps = {
  client: MockLatchkey
  children?: ReactNode
}

const keys = new WeakMap<MockLatchkey, number>()
let lastKey = 0

/** Another client is another provider, so that nothing of the one before is drawn. */
function keyOf(client: MockLatchkey): number {
  const key = keys.get(client) ?? ++lastKey
  keys.set(client, key)
  return key
}

export function MockLatchkeyProvider({ client, children }: MockLatchkeyProviderProps): ReactNode {
  const props = { appId: client.appId, latchkey: client, preload: 'now' as const, key: keyOf(client) }
  return createElement(LatchkeyProvider, props, children)
}
